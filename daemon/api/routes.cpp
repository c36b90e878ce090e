#include "daemon/api/routes.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "daemon/api/answer.hpp"
#include "daemon/api/body.hpp"
#include "daemon/api/calls.hpp"
#include "daemon/api/metrics.hpp"
#include "daemon/api/previews.hpp"
#include "daemon/api/race_answers.hpp"
#include "daemon/api/route_table.hpp"
#include "daemon/api/ui.hpp"
#include "exec/started.hpp"
#include "storage/written.hpp"

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <unistd.h>

namespace hydra::api {
namespace {

using nlohmann::json;

/// One request with what its route's path and body hold.
struct Call {
  Request request;
  json body;
  std::string race;  ///< full id
  std::string name;  ///< what stands for the other word in braces
  Reply reply;
};

bool fits(std::string_view pattern, const Request& request) {
  const auto parts = split(pattern.substr(1), '/');
  if (parts.size() != request.segments.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].starts_with('{') && parts[i] != request.segments[i]) return false;
  return true;
}

std::string routes_dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

class Routes final : public Api {
 public:
  Routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
         std::function<void()> shutdown)
      : loop_(loop),
        service_(service),
        facts_(std::move(facts)),
        shutdown_(std::move(shutdown)),
        pictures_(make_pictures(service)),
        ui_(loop, handler()) {}

  Handler handler() override {
    return [this](const Request& request, const Reply& reply) { dispatch(request, reply); };
  }
  void close() override { ui_.close(); }

 private:
  void dispatch(const Request& request, const Reply& reply) {
    std::set<std::string_view> methods;
    for (const auto& route : kRoutes) {
      if (!fits(route.path, request) || (request.door && !route.door)) continue;
      methods.insert(route.method);
      if (route.method != request.method) continue;
      Call call{request, {}, {}, {}, reply};
      if (auto bad = fill(route, call); !bad.ok()) return reply.respond(error_response(bad.error()));
      return run(route.operation, call);
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

  Result<void> fill(const Route& route, Call& call) {
    const auto parts = split(route.path.substr(1), '/');
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == "{race}") {
        HYDRA_TRY(call.race, service_.resolve(call.request.segments[i], repository_param(call.request)));
      } else if (parts[i].starts_with('{')) {
        call.name = call.request.segments[i];
      }
    }
    if (route.method != "POST") return {};
    std::string members(route.members);
    HYDRA_TRY(call.body, read_body(call.request, replace_all(members, "!", "")));
    if (!call.request.door) return {};
    // What the scoreboard can't know comes from the terminal that opened it, and from the race.
    const auto directory = known_repository(call.body.value("directory", json()));
    for (const auto member : split(members, ' '))
      if (member.ends_with('!')) call.body.erase(std::string(member.substr(0, member.size() - 1)));
    if (members.find("environment!") != std::string::npos)
      call.body["environment"] = ui_.environment(call.request.session);
    if (members.find("directory!") != std::string::npos) call.body["directory"] = directory;
    call.request.body = routes_dump(call.body);
    return {};
  }

  // A repository is named by a race that is of it: any other path of a browser's is none.
  std::string known_repository(const json& text) {
    if (!text.is_string()) return {};
    const auto rows = service_.repositories();
    const auto name = text.get<std::string>();
    return rows.ok() && rows->contains(name) ? name : std::string{};
  }
  std::string repository_param(const Request& request) {
    const auto text = request.param("repository");
    return request.door ? known_repository(json(to_utf8(text))) : text;
  }

  void run(Operation operation, const Call& call) {
    const auto& [request, body, race, name, reply] = call;
    switch (operation) {
      case Operation::health:
        return health(reply);
      case Operation::metrics:
        return send_metrics(service_, {facts_.database, facts_.version}, request, reply);
      case Operation::openapi:
        return reply.respond(json_response(std::string(openapi_document())));
      case Operation::shutdown:
        reply.respond(json_response("{}", 202));
        return shutdown_();
      case Operation::templates:
        return service_.list_templates([reply = reply](const auto& found) { answer(found, reply); });
      case Operation::clean:
        return clean(call);
      case Operation::merge:
        return merge(call);
      case Operation::combine:
        return combine(call);
      case Operation::agents:
        return probe_agents(service_, request, reply);
      case Operation::doctor:
        return doctor(service_, request, facts_.state_dir, reply);
      case Operation::create:
        return create(call);
      case Operation::events:
        return stream_events(loop_, service_, pictures_, {}, request, reply);
      case Operation::race_events:
        return stream_events(loop_, service_, pictures_, race, request, reply);
      case Operation::report:
        return send_report(service_, race, request, reply);
      case Operation::leaderboard:
        return send_leaderboard(service_, request, reply);
      case Operation::history:
        return send_history(service_, request, reply);
      case Operation::rebuild_history:
        return service_.rebuild_history([reply = reply](const auto& made) { answer(made, reply); });
      case Operation::forget_history:
        return forget_history(service_, body, reply);
      case Operation::rescore:
        return rescore(call);
      case Operation::approve:
        return approve(call);
      case Operation::rate:
        return rate(call);
      case Operation::measure:
        return measure(call);
      case Operation::verify:
        return service_.verify(race, [reply = reply](const auto& made) { created(made, reply); });
      case Operation::cancel:
        return cancel(call);
      case Operation::retry:
        return retry(call);
      case Operation::restore:
        return restore(call);
      case Operation::open_ui:
        return open_ui(call);
      case Operation::show_ui:
        return reply.respond(json_response(ui_json()));
      case Operation::close_ui:
        return reply.respond(json_response(json{{"closed", ui_.close()}}.dump()));
      case Operation::end_session:
        return reply.respond(
            ui_.end_session(name)
                ? json_response("{}")
                : error_response({Errc::not_found, "no session '" + sanitize(name) + "'", {}, {}}));
      default:
        return answer_of_race(service_, operation, race, name, request, reply);
    }
  }

  void health(const Reply& reply) {
    wire::Health out;
    out.version = facts_.version;
    out.pid = ::getpid();
    out.state_dir = facts_.state_dir;
    out.races_running = service_.running_races();
    out.started_ms = started_ms_;
    out.server_ms = SystemClock().now();
    out.started_programs = exec::started_programs();
    const auto written = storage::written();
    out.written = {written.transactions, written.synced, written.bytes};
    if (ui_.port() != 0) out.ui = {ui_.port()};
    out.telemetry = facts_.telemetry();
    answer<wire::Health>(std::move(out), reply);
  }

  void create(const Call& call) {
    auto create = to_create(call.body);
    if (!create.ok()) return call.reply.respond(error_response(create.error()));
    service_.create(std::move(*create),
                    [reply = call.reply](const Result<race::Created>& made) { created(made, reply); });
  }

  static void created(const Result<race::Created>& made, const Reply& reply) {
    if (!made.ok()) return reply.respond(error_response(made.error()));
    json j{{"race", made->race}, {"base", made->base}, {"warnings", made->warnings}};
    j["agents"] = json::array();
    for (const auto& [name, display] : made->agents)
      j["agents"].push_back({{"agent", name}, {"display", display}});
    reply.respond(json_response(routes_dump(j), 201));
  }

  void rescore(const Call& call) {
    std::map<std::string, double> weights;
    const auto given = call.body.find("weights");
    if (given != call.body.end() && !given->is_object())
      return call.reply.respond(error_response({Errc::usage, "weights is no JSON object", {}, {}}));
    if (given != call.body.end())
      for (const auto& [name, value] : given->items()) {
        if (!value.is_number())
          return call.reply.respond(
              error_response({Errc::usage, "a weight is no number", sanitize(name), {}}));
        weights[name] = value.get<double>();
      }
    answer(service_.rescore(call.race, weights), call.reply);
  }

  void approve(const Call& call) {
    auto made = to_decide(call.race, call.body);
    if (!made.ok()) return call.reply.respond(error_response(made.error()));
    service_.decide(std::move(*made), [reply = call.reply](const auto& ranked) { answer(ranked, reply); });
  }

  void rate(const Call& call) {
    auto made = to_rate(call.race, call.body);
    if (!made.ok()) return call.reply.respond(error_response(made.error()));
    service_.rate(std::move(*made),
                  [reply = call.reply](const Result<std::string>& rated) { answer(rated, reply); });
  }

  void measure(const Call& call) {
    auto made = to_measure(call.race, call.body);
    if (!made.ok()) return call.reply.respond(error_response(made.error()));
    service_.measure(std::move(*made), [reply = call.reply](const auto& begun) { answer(begun, reply); });
  }

  // A result is named as `target`, or as `race` and `agent`.
  Result<race::MergeCall> to_merge_call(Call& call) {
    auto& body = call.body;
    const auto named = [&](const char* key) {
      const auto found = body.find(key);
      return found != body.end() && found->is_string() ? found->get<std::string>() : std::string{};
    };
    if (const auto race = named("race"); !race.empty()) {
      HYDRA_TRY(const auto id, service_.resolve(race, {}));
      const auto agent = named("agent");
      body["target"] = agent.empty() ? id : id + "/" + agent;
      if (named("directory").empty()) {
        HYDRA_TRY(body["directory"], service_.repository_of(id));
      }
      const bool undo = body.contains("undo") && body["undo"] == true;
      if (agent.empty() && !undo) return Error{Errc::usage, "a merge names its agent", "agent", {}};
    }
    if (call.request.door && named("directory").empty())
      return Error{Errc::usage, "a merge names its race", "race", {}};
    return to_merge(body);
  }

  static std::string how_of(const race::MergeCall& call) {
    return routes_dump({call.target, call.squash, call.ff, call.ff_only, call.message, call.undo});
  }

  void merge(const Call& given) {
    auto call = std::make_shared<Call>(given);
    auto made = to_merge_call(*call);
    if (!made.ok()) return call->reply.respond(error_response(made.error()));
    made->gone = call->reply.gone;
    const auto session = call->request.session;
    const auto how = how_of(*made);
    if (made->dry_run)
      return service_.merge(std::move(*made), [this, call, session, how](const Result<std::string>& preview) {
        answer(preview.ok() ? Result<std::string>(previews_.keep(*preview, session, how)) : preview,
               call->reply);
      });
    const auto token = call->body.find("preview");
    if (token != call->body.end() && token->is_string())
      return merge_as_shown(call, std::move(*made), token->get<std::string>());
    if (call->request.door && !made->undo)
      return call->reply.respond(
          error_response({Errc::usage, "a merge needs the preview that was looked at", "preview", {}}));
    service_.merge(std::move(*made), [call](const auto& merged) { answer(merged, call->reply); });
  }

  void merge_as_shown(const std::shared_ptr<Call>& call, race::MergeCall merge, const std::string& token) {
    auto shown = previews_.take(token, call->request.session, how_of(merge));
    if (!shown.ok()) return call->reply.respond(error_response(shown.error()));
    merge.expected_ref = json::parse(*shown).value("ref", std::string{});
    auto look = merge;
    look.dry_run = true;
    look.allow.clear();  // as it was shown, with all that needs a word
    service_.merge(std::move(look), [this, call, merge, shown = *shown](const Result<std::string>& now) {
      if (!now.ok()) return answer(now, call->reply);
      if (const auto what = moved_since(shown, *now); !what.empty())
        return call->reply.respond(
            refusal(409, "conflict", what + " moved since it was shown", "look at a new preview"));
      service_.merge(merge, [call](const auto& merged) { answer(merged, call->reply); });
    });
  }

  void combine(const Call& call) {
    auto made = to_combine(call.body);
    if (!made.ok()) return call.reply.respond(error_response(made.error()));
    service_.combine(std::move(*made), [reply = call.reply](const Result<std::string>& combined) {
      reply.respond(combined.ok() ? json_response(*combined, 201) : error_response(combined.error()));
    });
  }

  void clean(const Call& call) {
    auto made = to_clean(call.body);
    if (!made.ok()) return call.reply.respond(error_response(made.error()));
    try {
      if (const auto race = call.body.value("race", std::string{}); !race.empty()) {
        const auto found = service_.resolve(race, call.body.value("repository", std::string{}));
        if (!found.ok()) return call.reply.respond(error_response(found.error()));
        made->race = *found;
      }
    } catch (const json::exception& e) {
      return call.reply.respond(error_response(bad_member(e)));
    }
    service_.clean(std::move(*made), [reply = call.reply](const auto& plan) { answer(plan, reply); });
  }

  void restore(const Call& call) {
    const auto wait = call.body.find("wait");
    service_.restore(call.race, wait == call.body.end() || !wait->is_boolean() || wait->get<bool>(),
                     [reply = call.reply](const auto& made) { answer(made, reply); });
  }

  // Said in full: what lacks a name by mistake must not end everything.
  void cancel(const Call& call) {
    const auto agent = call.body.find("agent");
    if (agent == call.body.end() || !agent->is_string())
      return call.reply.respond(error_response({Errc::usage, "whom to cancel is missing", "agent",
                                                "the name of an agent, or \"\" for the whole race"}));
    const auto name = agent->get<std::string>();
    const auto cancelled = service_.cancel(call.race, name);
    if (!cancelled.ok()) return call.reply.respond(error_response(cancelled.error()));
    call.reply.respond(json_response(routes_dump({{"race", call.race}, {"agent", name}}), 202));
  }

  void retry(const Call& call) {
    auto made = to_retry(call.race, call.body);
    if (!made.ok()) return call.reply.respond(error_response(made.error()));
    service_.retry(std::move(*made), [reply = call.reply](const auto& begun) { answer(begun, reply); });
  }

  void open_ui(const Call& call) {
    int port = 0;
    std::vector<int> allowed;
    Door::Environment environment;
    std::string route;
    try {
      route = call.body.value("race", std::string{});
      port = call.body.value("port", 0);
      allowed = call.body.value("allow_ports", std::vector<int>{});
      environment = call.body.value("environment", Door::Environment{});
    } catch (const json::exception& e) {
      return call.reply.respond(error_response(bad_member(e)));
    }
    allowed.push_back(port);
    if (std::any_of(allowed.begin(), allowed.end(), [](int each) { return each < 0 || each > 65535; }))
      return call.reply.respond(error_response({Errc::usage, "a port is between 0 and 65535", {}, {}}));
    allowed.pop_back();
    if (!route.empty()) {
      const auto race = service_.resolve(route, {});
      if (!race.ok()) return call.reply.respond(error_response(race.error()));
      route = *race;
    }
    const auto opened = ui_.open(port, allowed, std::move(environment), route);
    if (!opened.ok()) return call.reply.respond(error_response(opened.error()));
    call.reply.respond(json_response(
        json{{"url", opened->url}, {"port", opened->port}, {"expires_ms", opened->expires_ms}}.dump(), 201));
  }

  [[nodiscard]] std::string ui_json() const {
    json j{{"port", nullptr}, {"page", has_page()}, {"sessions", ui_.sessions()}, {"codes", ui_.codes()}};
    if (ui_.port() != 0) j["port"] = ui_.port();
    return j.dump();
  }

  boost::asio::io_context& loop_;
  race::Service& service_;
  ServerFacts facts_;
  std::function<void()> shutdown_;
  std::shared_ptr<Pictures> pictures_;
  Previews previews_;
  std::int64_t started_ms_ = SystemClock().now();
  Ui ui_;
};

}  // namespace

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

}  // namespace hydra::api
