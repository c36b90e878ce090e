// What tells the results of a race apart, as JSON (docs/results.md, "Evidence").
#include "race/gating.hpp"
#include "race/selection.hpp"
#include "race/view_parts.hpp"
#include "scoring/selection.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::race::detail {

using model::TestClass;
using nlohmann::json;

namespace {

constexpr std::size_t kMostCells = 20'000;  ///< tests of all rows together; beyond it rows have counts only

json author_json(const model::CrossAuthor& author) {
  json j{{"author", author.name},
         {"kind", author.kind == model::AuthorKind::tester    ? "tester"
                  : author.kind == model::AuthorKind::mutants ? "mutants"
                                                              : "result"},
         {"members", author.members},
         {"void_reason", author.voided},
         {"tests", author.tests.size()}};
  const auto count = [&](const char* key, auto... classes) {
    j[key] = std::count_if(author.tests.begin(), author.tests.end(),
                           [&](const auto& test) { return ((test.klass == classes) || ...); });
  };
  count("fails_before", TestClass::fails_before, TestClass::no_contact_before, TestClass::alone);
  count("no_contact_before", TestClass::no_contact_before);
  count("passes_before", TestClass::passes_before);
  count("alone", TestClass::alone);
  count("void", TestClass::voided);
  return j;
}

json cross_row_json(const scoring::Selection& selection, const model::CrossAuthor& author,
                    const model::CrossRow& row, bool with_tests) {
  const auto found = selection.tally(row.result, author);
  json j{{"result", row.result},           {"author", row.author},
         {"passed", found.passed},         {"failed", found.failed},
         {"no_contact", found.no_contact}, {"unstable", found.unstable},
         {"not_run", found.not_run},       {"log", row.log},
         {"tests", json::array()}};
  if (!with_tests) return j;
  for (std::size_t i = 0; i < author.tests.size(); ++i) {
    const auto& test = author.tests[i];
    j["tests"].push_back({{"name", test.name},
                          {"file", test.file},
                          {"class", model::name(test.klass)},
                          {"reason", test.reason},
                          {"status", model::name(selection.cell(row.result, author, i))},
                          {"log", row.log}});
  }
  return j;
}

}  // namespace

json matrix_json(const State& state) {
  const auto matrix = scoring::classify(state.matrix.value_or(model::Matrix{}));
  json j{{"state", matrix.state},
         {"reason", matrix.reason},
         {"authors", json::array()},
         {"cells", json::array()}};
  if (!state.matrix && matrix.reason.empty()) {
    const auto& config = state.spec.config;
    const bool off = config.selection.cross_tests == model::CrossTests::off ||
                     config.evaluation.verify == model::Verify::fast;
    j["reason"] = off ? "off" : "no_new_tests";
  }
  const scoring::Selection selection(matrix);
  std::size_t cells = 0;
  for (const auto& row : matrix.rows) cells += row.cells.size();
  for (const auto& author : matrix.authors) {
    j["authors"].push_back(author_json(author));
    for (const auto& row : matrix.rows)
      if (row.author == author.name)
        j["cells"].push_back(cross_row_json(selection, author, row, cells <= kMostCells));
  }
  j["clusters"] = state.ranking ? json(state.ranking->clusters) : json::array();
  j["points_configured"] = selection.has_evidence();
  if (!selection.has_evidence()) j["points_reason"] = "no_tests_fail_before";
  return j;
}

json confidence_json(const model::ResultConfidence& confidence, const league::Calibration* calibration) {
  if (confidence.word.empty()) return nullptr;
  const auto* own = calibration ? calibration->of(confidence.word) : nullptr;
  const auto& f = confidence.facts;
  return {{"word", confidence.word},
          {"text", confidence.text},
          {"range", confidence.range},
          {"probability", own ? json(own->share) : json(nullptr)},
          {"n", own ? json(own->n) : json(nullptr)},
          {"interval", own ? json{own->interval.low, own->interval.high} : json(nullptr)},
          {"brier", own ? json(calibration->brier) : json(nullptr)},
          {"outcome_races", own ? json(calibration->races) : json(nullptr)},
          {"facts",
           {{"passed_authors", f.passed_authors},
            {"failed_authors", f.failed_authors},
            {"tests_passed", f.tests_passed},
            {"tests_failed", f.tests_failed},
            {"own_tests", f.own_tests},
            {"fixed", f.fixed},
            {"left_failing", f.left_failing},
            {"broken", f.broken},
            {"broken_alone", f.broken_alone},
            {"out_of_contact", f.out_of_contact},
            {"rivals", f.rivals},
            {"hidden_passed", f.hidden_passed},
            {"hidden_failed", f.hidden_failed},
            {"mutants_noticed", f.mutants_noticed},
            {"mutants", f.mutants},
            {"alike", f.alike},
            {"results", f.results}}}};
}

json mutants_json(const State& state, const std::string& agent) {
  const auto found = state.mutants.find(agent);
  if (found == state.mutants.end()) return nullptr;
  const auto& report = found->second;
  json j{{"state", report.state},       {"reason", report.reason},       {"killed", report.killed},
         {"survived", report.survived}, {"never_run", report.never_run}, {"mutants", json::array()}};
  for (const auto& mutant : report.mutants)
    j["mutants"].push_back({{"path", mutant.path},
                            {"line", mutant.line},
                            {"change", mutant.change},
                            {"state", mutant.state},
                            {"by", mutant.by}});
  return j;
}

json coverage_json(const State& state, const std::string& agent) {
  const auto found = state.coverage.find(agent);
  if (found == state.coverage.end()) return nullptr;
  const auto& report = found->second;
  json j{{"state", report.state},
         {"reason", report.reason},
         {"lines", report.lines},
         {"run", report.run},
         {"never_run", json::array()}};
  for (const auto& range : report.never_run)
    j["never_run"].push_back({{"path", range.path}, {"from", range.from}, {"to", range.to}});
  return j;
}

json contested_json(const State& state) {
  json list = json::array();
  if (state.ranking)
    for (const auto& test : state.ranking->contested)
      list.push_back({{"name", test.name}, {"broken_by", test.broken_by}, {"of", test.of}});
  return list;
}

}  // namespace hydra::race::detail
