// Findings of checks by name: a table of tests with a letter for each agent, single tests, findings of a
// linter.
#include "base/strings.hpp"
#include "race/impl.hpp"
#include "race/state/gating.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hydra::race {
namespace {

constexpr std::size_t kLintPage = 500;

char letter_of(model::TestStatus status) {
  switch (status) {
    case model::TestStatus::passed:
      return 'p';
    case model::TestStatus::failed:
    case model::TestStatus::error:
      return 'f';
    case model::TestStatus::skipped:
      return 's';
  }
  return '.';
}

struct TableRow {
  std::string cells;
  std::string kind = "same";
};

// The first kind that holds for any agent names the row: losses precede gains.
constexpr std::array<const char*, 7> kKinds{"broken", "removed", "skipped", "flaky",
                                            "fixed",  "added",   "same"};

void call_it(TableRow& row, const char* kind) {
  const auto place = [](std::string_view name) { return std::find(kKinds.begin(), kKinds.end(), name); };
  if (place(kind) < place(row.kind)) row.kind = kind;
}

class TestTable {
 public:
  explicit TestTable(const State& state) {
    const auto base = baseline_evidence(state);
    add_column(std::string(model::kBaseline), base.checks, base.unstable);
    for (const auto& row : agent_evidence(state)) {
      add_column(row.agent, row.checks, row.unstable);
      const auto found = scoring::compare_tests(base, row);
      for (const auto& [names, kind] : {std::pair{&found.broken, "broken"},
                                        {&found.removed, "removed"},
                                        {&found.newly_skipped, "skipped"},
                                        {&found.unstable, "flaky"},
                                        {&found.fixed, "fixed"},
                                        {&found.added, "added"}})
        for (const auto& name : *names)
          if (const auto at = rows.find(name); at != rows.end()) call_it(at->second, kind);
    }
    for (auto& [name, row] : rows) row.cells.resize(columns.size(), '.');
  }
  std::vector<std::string> columns;
  std::map<std::string, TableRow, std::less<>> rows;

 private:
  void add_column(const std::string& name, const model::CheckSet& checks,
                  const std::vector<std::string>& unstable) {
    columns.push_back(name);
    if (!checks.tests || !checks.tests->tests) return;
    for (const auto& [test, status] : checks.tests->tests->tests) {
      auto& cells = rows[std::string(test)].cells;
      cells.resize(columns.size(), '.');
      cells.back() = letter_of(status);
    }
    for (const auto& test : unstable)
      if (const auto at = rows.find(test); at != rows.end()) {
        at->second.cells.resize(columns.size(), '.');
        at->second.cells.back() = 'u';
      }
  }
};

bool is_shown(const TableRow& row, const std::string& name, const TestsQuery& query) {
  if (query.show == "changed" && row.kind == "same") return false;
  if (query.show == "failed" && row.cells.find('f') == std::string::npos) return false;
  return query.text.empty() || to_lower(name).find(to_lower(query.text)) != std::string::npos;
}

/// Returns the evidence that counts for an agent, or the baseline's.
Result<model::CheckSet> shown_checks(const State& state, const std::string& name) {
  if (name == model::kBaseline) return baseline_evidence(state).checks;
  for (const auto& row : agent_evidence(state))
    if (row.agent == name) return row.checks;
  return Error{Errc::not_found, "no agent '" + sanitize(name) + "' in this race", state.spec.id, {}};
}

// Identifies a finding without its line, since lines move.
std::string same_finding(const model::LintFinding& finding) {
  return finding.file + '\n' + finding.rule + '\n' + finding.message;
}

wire::TestTable table_of(const State& state, const TestsQuery& query) {
  const TestTable table(state);
  wire::TestTable out;
  out.columns = table.columns;
  auto& counts = out.counts;
  counts = {{"all", 0}, {"failed", 0}};
  for (const auto* kind : kKinds) counts[kind] = 0;
  std::size_t place = 0;
  for (const auto& [name, row] : table.rows) {
    ++counts["all"];
    ++counts[row.kind];
    if (row.cells.find('f') != std::string::npos) ++counts["failed"];
    if (!is_shown(row, name, query)) continue;
    if (const auto at = place++; at < query.from) continue;
    if (out.rows.size() < query.limit)
      out.rows.push_back({name, row.cells, row.kind});
    else
      out.next = std::to_string(query.from + query.limit);
  }
  counts["changed"] = counts["all"] - counts["same"];
  counts["shown"] = static_cast<std::int64_t>(place);
  return out;
}

}  // namespace

void Service::tests(const std::string& id, const TestsQuery& query,
                    std::function<void(Result<wire::TestTable>)> done) {
  const auto race = impl_->load(id);
  if (!race.ok()) return done(race.error());
  impl_->background([state = (*race)->state, query] { return table_of(state, query); }, std::move(done));
}

Result<wire::NamedTest> Service::test(const std::string& id, const std::string& agent,
                                      const std::string& name) {
  HYDRA_TRY(const auto race, impl_->load(id));
  HYDRA_TRY(const auto checks, shown_checks(race->state, agent));
  if (checks.tests && checks.tests->tests) {
    if (const auto found = checks.tests->tests->tests.find(name))
      return wire::NamedTest{std::string(model::name(*found)), checks.tests->attempt, {}, {}, {}};
  }
  return Error{Errc::not_found, "no test of this name", sanitize(name), {}};
}

Result<wire::LintPage> Service::lint(const std::string& id, const std::string& agent, bool only_new,
                                     std::size_t from) {
  HYDRA_TRY(const auto race, impl_->load(id));
  HYDRA_TRY(const auto checks, shown_checks(race->state, agent));
  std::map<std::string, int> known;
  const auto base = baseline_evidence(race->state).checks;
  if (base.lint && base.lint->lint)
    for (const auto& finding : base.lint->lint->findings) ++known[same_finding(finding)];
  wire::LintPage out;
  if (!checks.lint || !checks.lint->lint) return out;
  std::size_t place = 0;
  for (const auto& finding : checks.lint->lint->findings) {
    const bool fresh = agent != model::kBaseline && known[same_finding(finding)]-- <= 0;
    if (only_new && !fresh) continue;
    if (place++ < from) continue;
    if (out.findings.size() == kLintPage) {
      out.next = std::to_string(from + kLintPage);
      break;
    }
    out.findings.push_back({finding, fresh});
  }
  return out;
}

}  // namespace hydra::race
