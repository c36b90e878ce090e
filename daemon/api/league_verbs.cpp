// Verbs about many races: the leaderboard and the history.
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"
#include "wire/history.hpp"

#include <algorithm>

namespace hydra::api {
/// `label` is "KEY=VALUE"; several are separated by line feeds.
Result<storage::HistoryFilter> history_filter(race::Service& service, const Request& request) {
  storage::HistoryFilter filter;
  filter.repository = request.param("repository");
  filter.kind = request.param("kind");
  HYDRA_TRY(filter.since_ms, number_in(request, "since_ms", 0));
  HYDRA_TRY(filter.after, number_in(request, "after", 0));
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

namespace {

Result<race::LeaderboardCall> call_of(race::Service& service, const Request& request) {
  race::LeaderboardCall call;
  HYDRA_TRY(call.filter, history_filter(service, request));
  if (const auto by = request.param("by"); !by.empty()) call.by = by;
  call.compare = request.param("compare");
  const auto entries = request.param("entry");
  for (const auto line : lines(entries)) call.entries.emplace_back(line);
  // A suite gives every entry the same tasks, so its table ranks all of them, as `hydra bench` does.
  if (!request.param("suite").empty()) call.minimum = 1;
  HYDRA_TRY(call.minimum, number_in(request, "minimum", call.minimum));
  HYDRA_TRY(call.k, number_in(request, "k", 0));
  return call;
}

void leaderboard(const Call& call) {
  auto made = call_of(call.service(), call.request);
  if (!made.ok()) return call.refuse(made.error());
  call.service().leaderboard(std::move(*made), call.listing());
}

void history(const Call& call) {
  constexpr std::int64_t kMost = 1000;
  auto filter = history_filter(call.service(), call.request);
  if (!filter.ok()) return call.refuse(filter.error());
  const auto limit = number_in(call.request, "limit", kMost);
  if (!limit.ok()) return call.refuse(limit.error());
  call.service().history(std::move(*filter),
                         static_cast<std::size_t>(std::clamp<std::int64_t>(*limit, 1, kMost)),
                         call.listing());
}

void rebuild(const Call& call, const wire::Nothing&) { call.service().rebuild_history(call.answering()); }

void import_lines(const Call& call, const wire::ImportRequest& asked) {
  const auto races = wire::exported_races(asked.lines, asked.first);
  if (!races.ok()) return call.refuse(races.error());
  call.service().import_history(*races, call.answering());
}

void forget(const Call& call, const wire::ForgetRequest& asked) {
  if (!asked.race)
    return call.refuse({Errc::usage, "the body needs a race; an empty one means all of them", {}, {}});
  if (asked.race->empty()) return call.service().forget_history({}, call.answering());
  const auto id = call.service().resolve(*asked.race, {});
  if (!id.ok()) return call.refuse(id.error());
  call.service().forget_history(*id, call.answering());
}

constexpr Route kLeagueRows[]{
    route<leaderboard>("GET", "/v1/leaderboard"),
    route<history>("GET", "/v1/history"),
    route<rebuild>("POST", "/v1/history/rebuild"),
    socket_route<import_lines>("POST", "/v1/history/import"),
    socket_route<forget>("POST", "/v1/history/forget"),
};

}  // namespace

std::span<const Route> league_routes() { return kLeagueRows; }

}  // namespace hydra::api
