#include "daemon/api/routes.hpp"

#include "base/strings.hpp"
#include "model/json.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <unistd.h>

namespace hydra::api {
namespace {

using nlohmann::json;

Response json_response(std::string body, int status = 200) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

Result<json> parse_body(const Request& request) {
  auto j = json::parse(request.body.empty() ? "{}" : request.body, nullptr, false);
  if (j.is_discarded() || !j.is_object()) return Error{Errc::usage, "the body is no JSON object", {}, {}};
  return j;
}

Result<race::CreateRequest> to_create(const Request& request) {
  HYDRA_TRY(const auto j, parse_body(request));
  try {
    race::CreateRequest create;
    create.directory = j.at("directory").get<std::string>();
    create.task = j.at("task").get<std::string>();
    for (const auto& agent : j.at("agents"))
      create.agents.push_back({agent.at("name").get<std::string>(), agent.at("id").get<std::string>(),
                               agent.value("model", std::string{}), agent.value("entry", std::string{}),
                               agent.value("attempt", 1)});
    HYDRA_TRY(create.config, model::config_from_json(j.at("config").dump()));
    create.base = j.value("base", std::string{});
    create.include_dirty = j.value("include_dirty", false);
    create.fresh_baseline = j.value("fresh_baseline", false);
    create.rounds = j.value("rounds", 1);
    if (create.rounds < 1 || create.rounds > 10)
      return Error{Errc::usage, "a race has 1 to 10 rounds", "rounds", {}};
    create.check_only = j.value("check_only", false);
    if (j.value("auto_merge", false)) create.config.merge.automatic = true;
    create.environment = j.at("environment").get<std::map<std::string, std::string>>();
    create.kind = j.value("kind", std::string{});
    create.labels = j.value("labels", std::map<std::string, std::string>{});
    create.versions = known_versions(create);
    return create;
  } catch (const json::exception& e) {
    return Error{Errc::usage, std::string("bad request: ") + e.what(), {}, {}};
  }
}

Result<race::MergeCall> to_merge(const Request& request) {
  HYDRA_TRY(const auto j, parse_body(request));
  try {
    race::MergeCall call;
    call.target = j.value("target", std::string{});
    call.directory = j.at("directory").get<std::string>();
    call.dry_run = j.value("dry_run", false);
    call.squash = j.value("squash", false);
    call.ff_only = j.value("ff_only", false);
    call.message = j.value("message", std::string{});
    call.ff = j.value("ff", false);
    call.undo = j.value("undo", false);
    call.wait = j.value("wait", true);
    call.accept_changes = j.value("accept_changes", false);
    call.repair_changes = j.value("repair_changes", false);
    call.repair_only = j.value("repair_only", false);
    call.expected_ref = j.value("expected_ref", std::string{});
    call.allow = j.value("allow", std::vector<std::string>{});
    call.parts = j.value("parts", std::vector<std::string>{});
    call.environment = j.value("environment", std::map<std::string, std::string>{});
    return call;
  } catch (const json::exception& e) {
    return Error{Errc::usage, std::string("bad request: ") + e.what(), {}, {}};
  }
}

Result<race::RetryCall> to_retry(const std::string& race, const Request& request) {
  HYDRA_TRY(const auto j, parse_body(request));
  try {
    race::RetryCall call;
    call.race = race;
    call.agent = j.at("agent").get<std::string>();
    call.message = j.value("message", std::string{});
    const auto given = [&](const char* key) { return j.contains(key) && !j[key].is_null(); };
    if (given("budget_usd")) call.budget_usd = j["budget_usd"].get<double>();
    if (given("budget_tokens")) call.budget_tokens = j["budget_tokens"].get<std::uint64_t>();
    if (call.budget_usd && !(*call.budget_usd >= 0))
      return Error{Errc::usage, "a budget must be at least 0", "budget_usd", {}};
    call.environment = j.value("environment", std::map<std::string, std::string>{});
    return call;
  } catch (const json::exception& e) {
    return Error{Errc::usage, std::string("bad request: ") + e.what(), {}, {}};
  }
}

Result<race::CombineCall> to_combine(const Request& request) {
  HYDRA_TRY(const auto j, parse_body(request));
  try {
    return race::CombineCall{j.at("parts").get<std::vector<std::string>>(),
                             j.at("directory").get<std::string>()};
  } catch (const json::exception& e) {
    return Error{Errc::usage, std::string("bad request: ") + e.what(), {}, {}};
  }
}

std::int64_t number(const std::string& text) { return parse_int(text).value_or(0); }

class Routes {
 public:
  Routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
         std::function<void()> shutdown)
      : loop_(loop), service_(service), facts_(std::move(facts)), shutdown_(std::move(shutdown)) {}

  void operator()(const Request& request, const Reply& reply) {
    const auto parts = split(request.path, '/');  // "", "v1", …
    const bool get = request.method == "GET";
    const bool post = request.method == "POST";
    const auto part = [&](std::size_t i) { return i < parts.size() ? std::string(parts[i]) : std::string{}; };
    if (part(1) == "v1" && part(2) == "health" && get) return health(reply);
    if (part(1) == "v1" && part(2) == "shutdown" && post) {
      reply.respond(json_response("{}", 202));
      return shutdown_();
    }
    if (part(1) == "v1" && part(2) == "templates" && get)
      return service_.list_templates([reply](const Result<std::string>& found) { answer(found, reply); });
    if (part(1) == "v1" && part(2) == "clean" && post) return clean(request, reply);
    if (part(1) == "v1" && part(2) == "merge" && post) return merge(request, reply);
    if (part(1) == "v1" && part(2) == "combine" && post) return combine(request, reply);
    if (part(1) == "v1" && part(2) == "agents" && post) return probe_agents(service_, request, reply);
    if (part(1) == "v1" && part(2) == "doctor" && post)
      return doctor(service_, request, facts_.state_dir, reply);
    if (part(1) == "v1" && answer_league(service_, part(2), request, reply)) return;
    if (part(1) != "v1" || part(2) != "races") return not_found(request, reply);
    if (parts.size() == 3 && post) return create(request, reply);
    if (parts.size() == 3 && get) return answer(service_.list_json(request.param("repository")), reply);
    const auto race = service_.resolve(part(3), request.param("repository"));
    if (!race.ok()) return reply.respond(error_response(race.error()));
    if (parts.size() == 4 && get) return answer(service_.status_json(*race), reply);
    const auto what = part(4);
    if (what == "results" && get) return answer(service_.results_json(*race), reply);
    if (what == "explain" && get) return answer(service_.explain_json(*race, part(5)), reply);
    if (what == "verification" && get) return answer(service_.verification_json(*race), reply);
    if (what == "rescore" && post) return rescore(*race, request, reply);
    if (what == "approve" && post) return approve(*race, request, reply);
    if (what == "verify" && post)
      return service_.verify(*race, [reply](const auto& made) { created(made, reply); });
    if (what == "events" && get) return stream_events(loop_, service_, *race, request, reply);
    if (what == "cancel" && post) return cancel(*race, request, reply);
    if (what == "retry" && post) return retry(*race, request, reply);
    if (what == "restore" && post) return restore(*race, request, reply);
    if (what == "logs" && get) return logs(*race, part(5), request, reply);
    if (what == "diff" && get) return diff(*race, part(5), reply);
    not_found(request, reply);
  }

 private:
  static void answer(const Result<std::string>& result, const Reply& reply) {
    reply.respond(result.ok() ? json_response(*result) : error_response(result.error()));
  }
  static void not_found(const Request& request, const Reply& reply) {
    reply.respond(error_response(
        {Errc::not_found, "no route " + request.method + " " + sanitize(request.path), {}, {}}));
  }

  void health(const Reply& reply) {
    reply.respond(json_response(json{
        {"version", facts_.version},
        {"api", 1},
        {"pid", ::getpid()},
        {"state_dir", facts_.state_dir},
        {"races_running",
         service_.running_races()}}.dump()));
  }

  void create(const Request& request, const Reply& reply) {
    auto create = to_create(request);
    if (!create.ok()) return reply.respond(error_response(create.error()));
    service_.create(std::move(*create), [reply](const Result<race::Created>& made) { created(made, reply); });
  }

  static void created(const Result<race::Created>& made, const Reply& reply) {
    if (!made.ok()) return reply.respond(error_response(made.error()));
    json j{{"race", made->race}, {"base", made->base}, {"warnings", made->warnings}};
    j["agents"] = json::array();
    for (const auto& [name, display] : made->agents)
      j["agents"].push_back({{"agent", name}, {"display", display}});
    reply.respond(json_response(j.dump(-1, ' ', false, json::error_handler_t::replace), 201));
  }

  void approve(const std::string& race, const Request& request, const Reply& reply) {
    const auto j = parse_body(request);
    if (!j.ok()) return reply.respond(error_response(j.error()));
    std::vector<std::string> tests;
    for (const auto& name : j->value("tests", json::array()))
      if (name.is_string()) tests.push_back(name.get<std::string>());
    service_.approve(race, std::move(tests),
                     [reply](const Result<std::string>& made) { answer(made, reply); });
  }

  void rescore(const std::string& race, const Request& request, const Reply& reply) {
    const auto j = parse_body(request);
    if (!j.ok()) return reply.respond(error_response(j.error()));
    std::map<std::string, double> weights;
    const auto given = j->value("weights", json::object());
    if (!given.is_object())
      return reply.respond(error_response({Errc::usage, "weights is no JSON object", {}, {}}));
    for (const auto& [name, value] : given.items()) {
      if (!value.is_number())
        return reply.respond(error_response({Errc::usage, "a weight is no number", sanitize(name), {}}));
      weights[name] = value.get<double>();
    }
    answer(service_.rescore_json(race, weights), reply);
  }

  void merge(const Request& request, const Reply& reply) {
    auto call = to_merge(request);
    if (!call.ok()) return reply.respond(error_response(call.error()));
    call->gone = reply.gone;
    service_.merge(std::move(*call), [reply](const Result<std::string>& preview) { answer(preview, reply); });
  }

  void combine(const Request& request, const Reply& reply) {
    auto call = to_combine(request);
    if (!call.ok()) return reply.respond(error_response(call.error()));
    service_.combine(std::move(*call), [reply](const Result<std::string>& made) {
      reply.respond(made.ok() ? json_response(*made, 201) : error_response(made.error()));
    });
  }

  void clean(const Request& request, const Reply& reply) {
    const auto j = parse_body(request);
    if (!j.ok()) return reply.respond(error_response(j.error()));
    race::CleanCall call;
    try {
      call.apply = j->value("apply", false);
      call.wait = j->value("wait", true);
      call.ages.older_than_ms = j->value("older_than_ms", std::int64_t{0});
      call.ages.keep_ms = j->value("keep_ms", std::int64_t{30} * 86'400'000);
      call.ages.min_bytes = j->value("min_bytes", std::uint64_t{0});
      call.ages.uncaptured = j->value("uncaptured", false);
      if (j->contains("only")) call.only = j->at("only").get<std::set<std::string>>();
      if (const auto race = j->value("race", std::string{}); !race.empty()) {
        const auto found = service_.resolve(race, j->value("repository", std::string{}));
        if (!found.ok()) return reply.respond(error_response(found.error()));
        call.race = *found;
      }
    } catch (const json::exception& e) {
      return reply.respond(error_response({Errc::usage, std::string("bad request: ") + e.what(), {}, {}}));
    }
    service_.clean(std::move(call), [reply](const Result<std::string>& plan) { answer(plan, reply); });
  }

  void restore(const std::string& race, const Request& request, const Reply& reply) {
    const auto j = parse_body(request);
    if (!j.ok()) return reply.respond(error_response(j.error()));
    const auto wait = j->find("wait");
    service_.restore(race, wait == j->end() || !wait->is_boolean() || wait->get<bool>(),
                     [reply](const Result<std::string>& made) { answer(made, reply); });
  }

  void cancel(const std::string& race, const Request& request, const Reply& reply) {
    const auto j = parse_body(request);
    if (!j.ok()) return reply.respond(error_response(j.error()));
    const auto agent =
        j->contains("agent") && (*j)["agent"].is_string() ? (*j)["agent"].get<std::string>() : "";
    const auto cancelled = service_.cancel(race, agent);
    if (!cancelled.ok()) return reply.respond(error_response(cancelled.error()));
    reply.respond(json_response(json{{"race", race}, {"agent", agent}}.dump(), 202));
  }

  void retry(const std::string& race, const Request& request, const Reply& reply) {
    auto call = to_retry(race, request);
    if (!call.ok()) return reply.respond(error_response(call.error()));
    service_.retry(std::move(*call), [reply](const Result<std::string>& begun) { answer(begun, reply); });
  }

  void logs(const std::string& race, const std::string& subject, const Request& request, const Reply& reply) {
    const auto kind = request.param("kind");
    auto slice = service_.log(race, subject, kind.empty() ? "agent" : kind, request.param("stream") == "err",
                              number(request.param("offset")), request.param("raw") == "1");
    if (!slice.ok()) return reply.respond(error_response(slice.error()));
    Response response;
    response.content_type = "application/octet-stream";
    response.body = std::move(slice->bytes);
    response.headers = {{"X-Hydra-Next-Offset", std::to_string(slice->next_offset)},
                        {"X-Hydra-Ended", slice->ended ? "1" : "0"},
                        {"X-Hydra-Cut", slice->cut ? "1" : "0"}};
    reply.respond(std::move(response));
  }

  void diff(const std::string& race, const std::string& agent, const Reply& reply) {
    service_.diff(race, agent, [reply](Result<std::string> text) {
      if (!text.ok()) return reply.respond(error_response(text.error()));
      Response response;
      response.content_type = "text/plain; charset=utf-8";
      response.body = std::move(*text);
      reply.respond(std::move(response));
    });
  }

  boost::asio::io_context& loop_;
  race::Service& service_;
  ServerFacts facts_;
  std::function<void()> shutdown_;
};

}  // namespace

Handler make_routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
                    std::function<void()> shutdown) {
  auto routes = std::make_shared<Routes>(loop, service, std::move(facts), std::move(shutdown));
  return [routes](const Request& request, const Reply& reply) { (*routes)(request, reply); };
}

}  // namespace hydra::api
