#include "score.hpp"

#include <algorithm>
#include <map>

namespace hydra::parsers::golden {
namespace {

using ScoreFigures = std::map<std::string, std::optional<std::int64_t>>;

/// The truth with one of its other readings laid over it.
nlohmann::json with(nlohmann::json truth, const nlohmann::json& alt) {
  truth.update(alt);
  return truth;
}

std::string differences(const nlohmann::json& truth, const ScoreFigures& mine) {
  std::string out;
  for (const auto& [key, value] : mine) {
    if (!truth.contains(key) || truth[key].is_null()) continue;
    const auto expected = truth[key].get<std::int64_t>();
    if (value != expected)
      out += key + ": expected " + std::to_string(expected) + ", is " +
             (value ? std::to_string(*value) : "absent") + "; ";
  }
  for (const auto& [key, minimum] :
       {std::pair("errors_min", "errors"), std::pair("warnings_min", "warnings")})
    if (truth.contains(key) && mine.at(minimum).value_or(0) < truth[key].get<std::int64_t>())
      out += std::string(key) + " not reached; ";
  return out;
}

std::string nearest(const Case& c, const ScoreFigures& mine) {
  const auto first = differences(c.truth, mine);
  if (first.empty()) return {};
  for (const auto& alt : c.truth.value("alt", nlohmann::json::array()))
    if (differences(with(c.truth, alt), mine).empty()) return {};
  return first;
}

std::string names_of(const Case& c, const model::ParsedTests& r) {
  std::vector<bool> used(r.tests.size(), false);
  std::string out;
  for (const auto& t : c.truth["tests"]) {
    const auto name = t["name"].get<std::string>(), status = t["status"].get<std::string>();
    bool found = false;
    for (std::size_t i = 0; i < r.tests.size() && !found; ++i) {
      if (used[i] || model::name(r.tests[i].status) != status || !same_name(r.tests[i].name, name)) continue;
      used[i] = found = true;
    }
    if (!found) out += name + " " + status + "; ";
  }
  if (out.empty() && r.tests.size() != c.truth["tests"].size())
    out = std::to_string(r.tests.size()) + " names instead of " + std::to_string(c.truth["tests"].size());
  return out;
}

}  // namespace

bool same_name(const std::string& mine, const std::string& truth) {
  if (mine == truth) return true;
  if (!mine.ends_with(truth)) return false;
  const char before = mine[mine.size() - truth.size() - 1];
  return before == ' ' || before == ':' || before == '.' || before == '/';
}

bool truly_clean(const Case& c) {
  const auto zero = [&](const char* key) {
    return !c.truth.contains(key) || c.truth[key].is_null() || c.truth[key] == 0;
  };
  return c.exit_code == 0 && c.truth.value("outcome", "").empty() && zero("failed") && zero("errors");
}

bool looks_clean(const model::ParsedTests& r) {
  return r.format != "exit_code_only" && r.complete && r.suspicious.empty() &&
         r.outcome == model::TestOutcome::passed &&
         r.counts.failed.value_or(0) + r.counts.errors.value_or(0) == 0;
}

bool looks_clean(const model::LintReport& r) {
  return r.suspicious.empty() && r.errors.value_or(1) + r.warnings.value_or(1) == 0;
}

Score score_tests(const Case& c, const model::ParsedTests& r) {
  Score s;
  ScoreFigures mine{{"passed", r.counts.passed},
                    {"failed", r.counts.failed},
                    {"skipped", r.counts.skipped},
                    {"errors", r.counts.errors},
                    {"total", r.counts.total}};
  // Packages, not tests (ruling H21): the figures of the tests are not known.
  if (r.format == "go-packages") {
    const ScoreFigures packages{{"packages_passed", r.counts.passed}, {"packages_failed", r.counts.failed}};
    s.wrong = differences(c.truth, packages);
    mine = {{"failed", r.counts.failed == 0 ? r.counts.failed : std::nullopt}, {"errors", r.counts.errors}};
  }
  s.wrong += nearest(c, mine);
  for (const auto& [key, value] : mine)
    if (value && c.truth.contains(key) && c.truth[key].is_null())
      s.invented += key + ": " + std::to_string(*value) + "; ";
  s.has_names = c.truth.contains("tests");
  if (s.has_names) s.names = names_of(c, r);
  const auto outcome = c.truth.value("outcome", "");
  if (!outcome.empty() && name(r.outcome) != outcome)
    s.wrong += "outcome: " + outcome + ", is " + std::string(name(r.outcome)) + "; ";
  s.safe = truly_clean(c) || !looks_clean(r);
  s.clean_seen = !truly_clean(c) || looks_clean(r);
  return s;
}

Score score_lint(const Case& c, const model::LintReport& r) {
  Score s;
  s.wrong = nearest(c, {{"errors", r.errors}, {"warnings", r.warnings}});
  if (c.truth.contains("total_min") &&
      r.errors.value_or(0) + r.warnings.value_or(0) < c.truth["total_min"].get<std::int64_t>())
    s.wrong += "fewer findings than there are at least; ";
  const bool failed = c.exit_code != 0 || !c.truth.value("outcome", "").empty();
  s.safe = !failed || !looks_clean(r);
  return s;
}

}  // namespace hydra::parsers::golden
