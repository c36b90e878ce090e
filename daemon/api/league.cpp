// What many races say together: the leaderboard and the history behind it.
#include "base/strings.hpp"
#include "daemon/api/routes.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::api {
namespace {

Result<std::int64_t> number_of(const Request& request, const std::string& name, std::int64_t otherwise) {
  const auto text = request.param(name);
  if (text.empty()) return otherwise;
  const auto value = parse_int(text);
  if (!value) return Error{Errc::usage, "'" + sanitize(text) + "' is no number", name, {}};
  return *value;
}

Result<race::LeaderboardCall> call_of(race::Service& service, const Request& request) {
  race::LeaderboardCall call;
  HYDRA_TRY(call.filter, history_filter(service, request));
  if (const auto by = request.param("by"); !by.empty()) call.by = by;
  call.compare = request.param("compare");
  HYDRA_TRY(call.minimum, number_of(request, "minimum", call.minimum));
  HYDRA_TRY(call.k, number_of(request, "k", 0));
  return call;
}

std::function<void(Result<std::string>)> answering(const Reply& reply) {
  return [reply](const Result<std::string>& made) {
    if (!made.ok()) return reply.respond(error_response(made.error()));
    Response response;
    response.body = *made;
    reply.respond(std::move(response));
  };
}

}  // namespace

/// `label` is "KEY=VALUE", with line ends between several.
Result<storage::HistoryFilter> history_filter(race::Service& service, const Request& request) {
  storage::HistoryFilter filter;
  filter.repository = request.param("repository");
  filter.kind = request.param("kind");
  HYDRA_TRY(filter.since_ms, number_of(request, "since_ms", 0));
  HYDRA_TRY(filter.after, number_of(request, "after", 0));
  const auto labels = request.param("label");
  for (const auto line : lines(labels)) {
    const auto equals = line.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      return Error{Errc::usage, "'" + sanitize(line) + "' is no KEY=VALUE", "label", {}};
    filter.labels.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  if (const auto suite = request.param("suite"); !suite.empty()) filter.labels.emplace_back("suite", suite);
  if (const auto race = request.param("race"); !race.empty()) {
    HYDRA_TRY(filter.race, service.resolve(race, filter.repository));
    filter.repository.clear();
  }
  return filter;
}

void send_history(race::Service& service, const Request& request, const Reply& reply) {
  constexpr std::int64_t kMost = 1000;
  auto filter = history_filter(service, request);
  if (!filter.ok()) return reply.respond(error_response(filter.error()));
  const auto limit = number_of(request, "limit", kMost);
  if (!limit.ok()) return reply.respond(error_response(limit.error()));
  service.history(std::move(*filter), static_cast<std::size_t>(std::clamp<std::int64_t>(*limit, 1, kMost)),
                  answering(reply));
}

void forget_history(race::Service& service, const nlohmann::json& body, const Reply& reply) {
  const auto race = body.find("race");
  if (race == body.end() || !race->is_string())
    return reply.respond(
        error_response({Errc::usage, "the body needs a race; an empty one means all of them", {}, {}}));
  const auto name = race->get<std::string>();
  if (name.empty()) return service.forget_history({}, answering(reply));
  const auto id = service.resolve(name, {});
  if (!id.ok()) return reply.respond(error_response(id.error()));
  service.forget_history(*id, answering(reply));
}

void send_leaderboard(race::Service& service, const Request& request, const Reply& reply) {
  auto call = call_of(service, request);
  if (!call.ok()) return reply.respond(error_response(call.error()));
  service.leaderboard(std::move(*call), answering(reply));
}

}  // namespace hydra::api
