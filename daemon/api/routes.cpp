// Dispatches requests to verbs.
#include "daemon/api/routes.hpp"

#include "base/clock.hpp"
#include "base/loop_work.hpp"
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <set>

namespace hydra::api {
namespace {

bool fits(std::string_view pattern, const Request& request) {
  const auto parts = split(pattern.substr(1), '/');
  if (parts.size() != request.segments.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].starts_with('{') && parts[i] != request.segments[i]) return false;
  return true;
}

class Routes final : public Api {
 public:
  Routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
         std::function<void()> shutdown)
      : desk_{loop,
              service,
              std::move(facts),
              std::move(shutdown),
              make_pictures(service),
              Ui(loop, handler())} {
    desk_.started_ms = SystemClock().now();
  }

  Handler handler() override {
    return [this](const Request& request, const Reply& reply) { dispatch(request, reply); };
  }
  void close() override { desk_.ui.close(); }

 private:
  void dispatch(const Request& request, const Reply& reply) {
    name_loop_work(request.method + " " + sanitize(request.path));
    std::set<std::string_view> methods;
    for (const auto& route : routes_) {
      if (!fits(route.path, request) || (request.door && !route.door)) continue;
      methods.insert(route.method);
      if (route.method != request.method) continue;
      Call call{desk_, request, {}, {}, reply};
      if (const auto named = name_parts(route, call); !named.ok()) return call.refuse(named.error());
      if (call.race.empty()) return route.run(call);
      return desk_.service.with_loaded(call.race, [call, run = route.run] {
        name_loop_work(call.request.method + " " + sanitize(call.request.path));
        run(call);
      });
    }
    if (methods.empty())
      return reply.respond(error_response(
          {Errc::not_found, "no route " + sanitize(request.method) + " " + sanitize(request.path), {}, {}}));
    if (methods.contains("GET")) methods.insert("HEAD");
    std::string allow;
    for (const auto method : methods) allow += (allow.empty() ? "" : ", ") + std::string(method);
    auto refused = refusal(405, "usage", "not with " + sanitize(request.method), allow);
    refused.headers.emplace_back("Allow", allow);
    reply.respond(std::move(refused));
  }

  Result<void> name_parts(const Route& route, Call& call) {
    const auto parts = split(route.path.substr(1), '/');
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == "{race}") {
        HYDRA_TRY(call.race, desk_.service.resolve(call.request.segments[i], repository_of(call.request)));
      } else if (parts[i].starts_with('{')) {
        call.name = call.request.segments[i];
      }
    }
    return {};
  }

  std::string repository_of(const Request& request) const {
    const auto& text = request.param("repository");
    return request.door ? desk_.known_repository(to_utf8(text)) : text;
  }

  Desk desk_;
  std::vector<Route> routes_ = all_routes();
};

}  // namespace

std::string Desk::known_repository(const std::string& path) const {
  const auto rows = service.repositories();
  return rows.ok() && rows->contains(path) ? path : std::string{};
}

std::vector<Route> all_routes() {
  std::vector<Route> all;
  for (const auto rows :
       {daemon_routes(), machine_routes(), acting_routes(), merging_routes(), race_routes(), league_routes()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

std::unique_ptr<Api> make_routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
                                 std::function<void()> shutdown) {
  return std::make_unique<Routes>(loop, service, std::move(facts), std::move(shutdown));
}

std::optional<Response> socket_gate(Request& request) {
  const bool browser = request.count("origin") + request.count("referer") + request.count("sec-fetch-site") +
                           request.count("sec-fetch-mode") >
                       0;
  if (browser || request.count("host") != 1 || request.header("host") != "hydra")
    return refusal(421, "refused", "this socket is for programs, with the host 'hydra'",
                   "`hydra ui` opens the scoreboard for a browser");
  const auto type = to_lower(request.header("content-type"));
  if (!request.body.empty() && trim(split(type, ';')[0]) != "application/json")
    return refusal(415, "usage", "only application/json");
  return std::nullopt;
}

Result<std::int64_t> number_in(const Request& request, std::string_view name, std::int64_t none) {
  const auto& text = request.param(name);
  if (text.empty()) return none;
  if (const auto value = parse_int(text)) return *value;
  return Error{Errc::usage, std::string(name) + " is no number", {}, {}};
}

}  // namespace hydra::api
