#include "race/state/behaviour.hpp"

#include "race/state/cross.hpp"
#include "race/state/gating.hpp"
#include "scoring/selection.hpp"

#include <algorithm>
#include <string_view>

namespace hydra::race {
namespace {

struct BehaviourSide {
  Subject owner;
  std::string log;
  model::CheckSet checks;
  model::TestList tests;
  std::vector<std::string> unstable;

  [[nodiscard]] std::string of(std::string_view name) const {
    if (std::find(unstable.begin(), unstable.end(), name) != unstable.end()) return "unstable";
    const auto found = tests.find(name);
    return found ? std::string(model::name(*found)) : "missing";
  }
};

BehaviourSide side_of(const State& state, const std::string& name) {
  BehaviourSide side;
  side.owner = check_owner(state, *state.agent(name));
  side.checks = effective_checks(state, side.owner);
  side.unstable = unstable_tests(side.checks);
  if (finished(side.checks.tests)) {
    side.log = side.checks.tests->attempt;
    if (side.checks.tests->tests) side.tests = side.checks.tests->tests->tests;
  }
  return side;
}

/// Compares the outcomes of the base's tests.
void compare_base_tests(const State& state, const BehaviourSide& a, const BehaviourSide& b,
                        wire::Behaviour& out) {
  const auto base = effective_checks(state, Subject::baseline());
  if (!base.tests || !base.tests->tests || a.tests.empty() || b.tests.empty()) return;
  for (const auto& test : base.tests->tests->tests) {
    const auto mine = a.of(test.name), theirs = b.of(test.name);
    ++out.compared;
    if (mine != theirs) out.differ.push_back({std::string(test.name), "base", mine, theirs, a.log, b.log});
  }
  std::ranges::sort(out.differ, {}, &wire::BehaviourRow::test);
}

/// Compares the outcomes of the authors' tests.
void compare_cells(const model::Matrix& matrix, const BehaviourSide& a, const BehaviourSide& b,
                   wire::Behaviour& out) {
  const scoring::Selection selection(matrix);
  const auto log = [&](const std::string& owner, const std::string& author) {
    const auto* row = selection.row(owner, author);
    return row ? row->log : std::string();
  };
  for (const auto& author : matrix.authors)
    for (std::size_t i = 0; i < author.tests.size(); ++i) {
      const auto mine = selection.cell(a.owner.agent, author, i),
                 theirs = selection.cell(b.owner.agent, author, i);
      if (mine == model::Cell::not_run || theirs == model::Cell::not_run) continue;
      ++out.compared;
      if (mine != theirs)
        out.differ.push_back({author.tests[i].name, author.name, std::string(model::name(mine)),
                              std::string(model::name(theirs)), log(a.owner.agent, author.name),
                              log(b.owner.agent, author.name)});
    }
}

}  // namespace

wire::Behaviour behaviour(const State& state, const std::string& a, const std::string& b) {
  const auto mine = side_of(state, a), theirs = side_of(state, b);
  wire::Behaviour out{1, state.spec.id, a, b, 0, {}};
  compare_base_tests(state, mine, theirs, out);
  compare_cells(scoring::classify(matrix_of(state)), mine, theirs, out);
  return out;
}

}  // namespace hydra::race
