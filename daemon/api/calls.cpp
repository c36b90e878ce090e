#include "daemon/api/calls.hpp"

#include "daemon/api/body.hpp"
#include "daemon/api/routes.hpp"
#include "model/config_json.hpp"

#include <nlohmann/json.hpp>

namespace hydra::api {

using nlohmann::json;

Result<race::CreateRequest> to_create(const json& j) {
  try {
    race::CreateRequest create;
    create.id = j.value("id", std::string{});
    create.directory = j.at("directory").get<std::string>();
    create.task = j.at("task").get<std::string>();
    for (const auto& agent : j.at("agents"))
      create.agents.push_back({agent.at("name").get<std::string>(), agent.at("id").get<std::string>(),
                               agent.value("model", std::string{}), agent.value("entry", std::string{}),
                               agent.value("attempt", 1)});
    HYDRA_TRY(create.config, model::config_of(j.at("config")));
    create.base = j.value("base", std::string{});
    create.include_dirty = j.value("include_dirty", false);
    create.fresh_baseline = j.value("fresh_baseline", false);
    create.rounds = j.value("rounds", 1);
    if (create.rounds < 1 || create.rounds > 10)
      return Error{Errc::usage, "a race has 1 to 10 rounds", "rounds", {}};
    const auto until = j.value("until", std::string{});
    if (!until.empty() && until != "green")
      return Error{Errc::usage, "a race runs until \"green\", or until all have ended", "until", {}};
    create.until_green = !until.empty();
    create.check_only = j.value("check_only", false);
    if (j.value("auto_merge", false)) create.config.merge.automatic = true;
    create.environment = j.at("environment").get<std::map<std::string, std::string>>();
    create.kind = j.value("kind", std::string{});
    create.labels = j.value("labels", std::map<std::string, std::string>{});
    create.versions = known_versions(create);
    return create;
  } catch (const json::exception& e) {
    return bad_member(e);
  }
}

Result<race::MergeCall> to_merge(const json& j) {
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
    return bad_member(e);
  }
}

Result<race::MeasureCall> to_measure(const std::string& race, const json& j) {
  try {
    race::MeasureCall call;
    call.race = race;
    call.agent = j.value("agent", std::string{});
    call.mutants = j.value("mutants", -1);
    call.coverage = j.value("coverage", false);
    if (call.mutants < -1 || call.mutants > 100) return Error{Errc::usage, "0 to 100 mutants", "mutants", {}};
    return call;
  } catch (const json::exception& e) {
    return bad_member(e);
  }
}

Result<race::RetryCall> to_retry(const std::string& race, const json& j) {
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
    return bad_member(e);
  }
}

Result<race::RateCall> to_rate(const std::string& race, const json& j) {
  try {
    // A fraction is no rating, and must not become one.
    if (!j.at("rating").is_number_integer())
      return Error{Errc::usage, "a rating is a whole number from 1 to 5", "rating", {}};
    const auto stars = j["rating"].get<std::int64_t>();
    return race::RateCall{race, j.at("agent").get<std::string>(),
                          stars < 1 || stars > 5 ? 0 : static_cast<int>(stars),
                          j.value("note", std::string{}), j.value("author", std::string{})};
  } catch (const json::exception& e) {
    return bad_member(e);
  }
}

Result<race::DecideCall> to_decide(const std::string& race, const json& j) {
  try {
    race::DecideCall call{race, {}, j.value("author", std::string{})};
    for (const auto& [member, kind] : {std::pair{"tests", "approve_test"},
                                       {"deleted", "approve_deleted"},
                                       {"accept", "accept"},
                                       {"unprotected", "unprotected"}})
      for (auto& what : j.value(member, std::vector<std::string>{}))
        call.decisions.push_back({kind, std::move(what)});
    return call;
  } catch (const json::exception& e) {
    return bad_member(e);
  }
}

Result<race::CombineCall> to_combine(const json& j) {
  try {
    return race::CombineCall{j.at("parts").get<std::vector<std::string>>(),
                             j.at("directory").get<std::string>()};
  } catch (const json::exception& e) {
    return bad_member(e);
  }
}

Result<race::CleanCall> to_clean(const json& j) {
  try {
    race::CleanCall call;
    call.apply = j.value("apply", false);
    call.wait = j.value("wait", true);
    call.ages.older_than_ms = j.value("older_than_ms", std::int64_t{0});
    call.ages.keep_ms = j.value("keep_ms", std::int64_t{30} * 86'400'000);
    call.ages.min_bytes = j.value("min_bytes", std::uint64_t{0});
    call.ages.uncaptured = j.value("uncaptured", false);
    if (j.contains("only")) call.only = j.at("only").get<std::set<std::string>>();
    return call;
  } catch (const json::exception& e) {
    return bad_member(e);
  }
}

}  // namespace hydra::api
