#include "race/state/twins.hpp"

#include "base/strings.hpp"
#include "race/state/costs.hpp"
#include "race/state/cross.hpp"
#include "race/state/decisions.hpp"
#include "race/state/gating.hpp"
#include "race/state/passed_tests.hpp"
#include "race/state/selection.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>

namespace hydra::race {

using model::Dimension;
using model::TwinsState;

namespace {

constexpr std::size_t kTwinsAtOnce = 4;        // limit of concurrent workspaces, as for cross runs
constexpr std::size_t kLeadersOfStandard = 2;  // leading results by points, under verify = "standard"
constexpr std::size_t kMostDeafShown = 20;     // limit of findings per rule

const model::CheckSet* checks_with(const State& state, const Subject& subject) {
  const auto* found = state.subject(subject);
  return found && found->error.empty() ? &found->checks : nullptr;
}

/// Returns passed_of() the subject's checks; valid until the next event.
const std::optional<PassedTests>& passed_by(const State& state, const Subject& subject) {
  const auto [known, fresh] = state.derived.passed.try_emplace(subject);
  if (fresh) known->second = passed_of(checks_with(state, subject));
  return known->second;
}

std::string gating_commit(const State& state, const Subject& owner) {
  if (owner.of_baseline()) return state.spec.repository.base;
  const auto* agent = state.agent(owner.agent);
  if (!agent || !agent->capture) return {};
  return agent->integrity ? agent->integrity->commit : agent->capture->commit;
}

const model::TwinRun* planned_twin(const State& state, const Subject& owner, bool copy) {
  const auto commit = gating_commit(state, owner);
  for (const auto& plan : state.twins)
    for (const auto& run : plan.runs)
      if (run.run.result == owner && run.copy == copy && run.of == commit) return &run;
  return nullptr;
}

bool twin_over(const State& state, const model::TwinRun& run) {
  return run.run.subject.none() || fully_checked(state, run.run.subject);
}

/// Returns nullopt while the run has not ended, or without evidence.
std::optional<PassedTests> twin_of(const State& state, const Subject& owner, bool copy) {
  const auto* run = planned_twin(state, owner, copy);
  if (!run || run->run.subject.none() || !twin_over(state, *run)) return std::nullopt;
  const auto plain = passed_by(state, owner);
  if (!plain) return std::nullopt;
  return copied(passed_by(state, run->run.subject), *plain, twin_seed(state.spec));
}

/// Whether the runs of this result may judge others' changed tests: the base's may, and those of a result
/// that passes hidden tests with all others. A rival may know visible tests by heart.
bool may_judge(const State& state, const Subject& result, const PassedTests& plain) {
  return result.of_baseline() || (!state.spec.hidden_tests.empty() && plain.passes(""));
}

/// Runs that judge one owner's changed tests (values or lines).
class Witnesses {
 public:
  Witnesses(const State& state, const Subject& owner, bool copy) : copy_(copy) {
    std::set<Subject> seen{owner};
    for (const auto& plan : state.twins)
      for (const auto& run : plan.runs) {
        const auto& result = run.run.result;
        if (!seen.insert(result).second) continue;
        auto plain = passed_by(state, result);
        auto changed = twin_of(state, result, copy);
        auto twin = copy ? twin_of(state, result, false) : changed;
        if (plain && changed && may_judge(state, result, *plain))
          others_.push_back({result, std::move(*plain), std::move(*changed), std::move(twin)});
      }
  }
  /// Returns whether the changed test passes for a witness that passes the test; nullopt: no witness. A
  /// result besides the base must hear the test, and can only speak against the owner.
  [[nodiscard]] std::optional<bool> pass(std::string_view test) const {
    std::optional<bool> answer;
    for (const auto& [result, plain, changed, twin] : others_) {
      if (!plain.passes(test)) continue;
      if (result.of_baseline()) return changed.passes(test);
      if (twin && !twin->passes(test) && changed.passes(test) == copy_) answer = copy_;
    }
    return answer;
  }

 private:
  struct Other {
    Subject result;
    PassedTests plain, changed;
    std::optional<PassedTests> twin;  ///< with other values
  };
  bool copy_;
  std::vector<Other> others_;
};

std::set<std::string, std::less<>> unstable_names(const State& state, const Subject& owner) {
  std::set<std::string, std::less<>> names(state.approved.begin(), state.approved.end());
  for (const auto& subject : {owner, Subject::baseline()})
    if (const auto* checks = checks_with(state, subject))
      for (auto& name : unstable_tests(*checks)) names.insert(std::move(name));
  return names;
}

/// Tests with a changed assertion, as far as names tell.
class ChangedTests {
 public:
  ChangedTests(const State& state, const Subject& owner) {
    for (const auto& plan : state.twins)
      for (const auto& run : plan.runs)
        if (!plan_ && run.run.result == owner) plan_ = &plan;
    if (plan_) base_ = passed_by(state, Subject::baseline());
  }

  [[nodiscard]] bool contains(std::string_view whole) const {
    if (!plan_) return false;
    const auto test = test_of_case(whole);
    const auto is_name = [&](std::string_view name) {
      if (!test.ends_with(name)) return false;
      if (test.size() == name.size()) return true;
      const auto before = static_cast<unsigned char>(test[test.size() - name.size() - 1]);
      return std::isalnum(before) == 0 && before != '_';
    };
    const auto is_file = [&](const std::string& path) {
      const auto name = base_name(path);
      return is_name(name.substr(0, name.find('.')));
    };
    // A separate test program is named by its file, or has an unrelated name: then the base's names decide.
    return std::any_of(plan_->tests.begin(), plan_->tests.end(), is_name) ||
           std::any_of(plan_->files.begin(), plan_->files.end(), is_file) ||
           (base_ && base_->contains(whole) && plan_->tests.empty() && plan_->untouched.empty());
  }
  /// Returns whether a run of changed tests that does not name this test may have left its file out.
  [[nodiscard]] bool left_out(std::string_view test) const {
    return plan_ && plan_->left_out > 0 && !test.empty() && !contains(test);
  }

 private:
  const model::TwinPlan* plan_ = nullptr;
  std::optional<PassedTests> base_;
};

/// Comparison of one owner's two runs.
struct Compared {
  std::vector<std::string> caught;  ///< tests that a witness speaks against
  std::vector<std::string> open;    ///< tests that end in a suspicious way, without a witness
  std::int64_t told = 0;            ///< number of tests that fail with other values
};

Compared compare_twins(const State& state, const Subject& owner) {
  Compared found;
  const auto twin = twin_of(state, owner, false);
  const auto plain = twin ? passed_by(state, owner) : std::nullopt;
  if (!plain) return found;
  const Witnesses witnesses(state, owner, false);
  const auto unstable = unstable_names(state, owner);
  const ChangedTests changed(state, owner);
  for (const auto test : plain->passing()) {
    if (unstable.contains(test)) continue;
    if (!twin->passes(test)) {
      if (twin->contains(test) || !changed.left_out(test)) ++found.told;
      continue;
    }
    const auto passes = witnesses.pass(test);
    if (passes == false)
      found.caught.emplace_back(test);
    else if (!passes && (plain->nameless() || changed.contains(test)))
      found.open.emplace_back(test);
  }
  std::sort(found.caught.begin(), found.caught.end());
  std::sort(found.open.begin(), found.open.end());
  // The whole command adds nothing to named tests.
  if (!found.caught.empty() && found.caught.front().empty() && found.caught.size() > 1)
    found.caught.erase(found.caught.begin());
  return found;
}

/// Returns the tests that pass, and fail or are missing in this run of the owner's copy.
std::vector<std::string> failing_copies(const State& state, const Subject& owner,
                                        const std::optional<PassedTests>& copy) {
  std::vector<std::string> found;
  const auto plain = copy ? passed_by(state, owner) : std::nullopt;
  if (!plain) return found;
  const auto unstable = unstable_names(state, owner);
  const ChangedTests changed(state, owner);
  for (const auto test : passing_only_in(*plain, *copy))
    if (!unstable.contains(test) && (copy->contains(test) || !changed.left_out(test)))
      found.emplace_back(test);
  return found;
}

Compared compare_copies(const State& state, const Subject& owner) {
  Compared found;
  const auto plain = passed_by(state, owner);
  const Witnesses witnesses(state, owner, true);
  const ChangedTests changed(state, owner);
  for (auto& test : failing_copies(state, owner, twin_of(state, owner, true))) {
    const auto passes = witnesses.pass(test);
    if (passes == true)
      found.caught.push_back(std::move(test));
    else if (!passes && (plain->nameless() || changed.contains(test)))
      found.open.push_back(std::move(test));
  }
  return found;
}

bool twins_configured(const State& state) {
  const auto& config = state.spec.config;
  return config.scoring.test_command && !state.spec.check_only && !state.cancelled &&
         config.evaluation.verify != model::Verify::fast &&
         state.spec.tree_rung != model::TreeRung::unshared;  // checks need separate workspaces
}

/// Returns check owners in the order of a ranking computed now.
std::vector<Subject> leaders(const State& state) {
  std::vector<Subject> owners;
  for (const auto& row : ranking_of(state).agents) {
    const auto* agent = state.agent(row.agent);
    if (!row.eligible || !agent || !agent->changed()) continue;
    if (!integrity_of(state, *agent)) continue;  // without inspection the checked commit is not known
    const auto owner = check_owner(state, *agent);
    if (!owner.of_baseline() && std::find(owners.begin(), owners.end(), owner) == owners.end())
      owners.push_back(owner);
  }
  return owners;
}

/// Returns the next subject whose changed tests can be a witness about any of `tests`; none: no such subject.
Subject next_witness(const State& state, std::vector<Subject> results, const std::vector<std::string>& tests,
                     bool copy) {
  results.insert(results.begin(), Subject::baseline());
  const auto found = std::find_if(results.begin(), results.end(), [&](const auto& result) {
    const auto plain = passed_by(state, result);
    return plain && !planned_twin(state, result, copy) && may_judge(state, result, *plain) &&
           std::any_of(tests.begin(), tests.end(), [&](const auto& test) { return plain->passes(test); });
  });
  return found == results.end() ? Subject() : *found;
}

}  // namespace

std::string twin_seed(const model::RaceSpec& spec) {
  const auto drawn = fingerprint(spec.token + "\ntwins").substr(0, 15);
  return std::to_string(std::strtoull(drawn.c_str(), nullptr, 16));
}

std::vector<TwinWish> twin_wishes(const State& state) {
  std::vector<TwinWish> wishes;
  const auto wish = [&](const Subject& owner, bool copy) {
    const auto commit = gating_commit(state, owner);
    const bool known = std::any_of(wishes.begin(), wishes.end(), [&](const auto& each) {
      return each.owner == owner && each.copy == copy;
    });
    if (!known && !commit.empty() && !planned_twin(state, owner, copy))
      wishes.push_back({owner, commit, copy});
  };
  const auto owners = leaders(state);
  const bool strict = state.spec.config.evaluation.verify == model::Verify::strict;
  const auto most = strict ? owners.size() : std::min(owners.size(), kLeadersOfStandard);
  for (std::size_t i = 0; i < most; ++i) {
    wish(owners[i], false);
    wish(owners[i], true);
    // An honest result fails its twins and passes its copy, and then no other run needs to speak.
    const auto copies = failing_copies(state, owners[i], twin_of(state, owners[i], true));
    for (const auto& [tests, copy] :
         {std::pair(compare_twins(state, owners[i]).open, false), std::pair(copies, true)})
      if (const auto witness = next_witness(state, owners, tests, copy); !witness.none()) wish(witness, copy);
  }
  return wishes;
}

std::vector<std::string> needed_tests(const State& state) {
  const auto base = passed_by(state, Subject::baseline());
  std::set<std::string> needed;
  for (const auto& agent : state.agents) {
    const auto owner = check_owner(state, agent);
    const auto here = owner.of_baseline() ? std::nullopt : passed_by(state, owner);
    if (!here) continue;
    for (const auto test : passing_only_in(*here, base.value_or(PassedTests{})))
      if (!test.empty() || !base || base->nameless()) needed.emplace(test);
  }
  return {needed.begin(), needed.end()};
}

const model::TwinRun* twin_run(const State& state, const Subject& subject) {
  if (subject.kind != Kind::cross) return nullptr;
  for (const auto& plan : state.twins)
    for (const auto& run : plan.runs)
      if (run.run.subject == subject) return &run;
  return nullptr;
}

bool twin_repeat_wanted(const State& state, const Subject& subject) {
  const auto* run = twin_run(state, subject);
  const auto* checks = checks_with(state, subject);
  if (!run || !run->copy || !checks || !checks->repeats.empty() || !finished(checks->tests)) return false;
  const auto plain = passed_by(state, run->run.result);
  if (!plain) return false;
  const auto copy = copied(passed_of(checks), *plain, twin_seed(state.spec));
  return !failing_copies(state, run->run.result, copy).empty();
}

namespace {

/// Returns the planned runs that have not ended and that the budget allows.
std::vector<const model::TwinRun*> runs_left(const State& state) {
  std::vector<const model::TwinRun*> left;
  const bool more = within_budget(state);
  for (const auto& plan : state.twins)
    for (const auto& run : plan.runs)
      if (run.of == gating_commit(state, run.run.result) && !twin_over(state, run) &&
          (more || state.subject(run.run.subject)))
        left.push_back(&run);
  return left;
}

}  // namespace

bool twins_open(const State& state) {
  if (state.ranking || !twins_configured(state)) return false;
  return !runs_left(state).empty() || (within_budget(state) && !twin_wishes(state).empty());
}

std::vector<Subject> unasked_twins(const State& state) {
  std::set<Subject> owners;
  if (!twins_configured(state)) return {};
  for (const auto& wish : twin_wishes(state)) owners.insert(wish.owner);
  for (const auto& plan : state.twins)
    for (const auto& run : plan.runs)
      if (run.of == gating_commit(state, run.run.result) && !state.subject(run.run.subject) &&
          !run.run.subject.none())
        owners.insert(run.run.result);
  owners.erase(Subject::baseline());
  return {owners.begin(), owners.end()};
}

void want_twins(const State& state, std::set<Command>& commands) {
  const auto left = runs_left(state);
  for (std::size_t i = 0; i < std::min(left.size(), kTwinsAtOnce); ++i)
    want_checks(state, left[i]->run.subject, commands);
  if (left.empty()) commands.insert({Verb::plan_twins, {}, Dimension::build, state.twins.size()});
}

void begin_twins(State& state, const model::TwinPlan& plan) {
  state.twins.push_back(plan);
  for (const auto& run : plan.runs)
    if (!run.run.subject.none()) begin_anew(state, run.run);
}

std::vector<model::TamperFinding> twin_findings(const State& state, const Subject& owner) {
  std::vector<model::TamperFinding> findings;
  if (state.twins.empty() || owner.of_baseline()) return findings;
  const auto add = [&](const std::vector<std::string>& tests, const char* rule, model::Severity severity,
                       const char* reason) {
    for (std::size_t i = 0; i < tests.size() && i < kMostDeafShown; ++i)
      findings.push_back({rule, severity, tests[i].empty() ? "the test command" : tests[i], 0, reason, ""});
  };
  const auto twins = compare_twins(state, owner), copies = compare_copies(state, owner);
  add(twins.caught, "deaf_test", model::Severity::block,
      "passes with other expected values, too, and elsewhere it fails with them");
  add(twins.open, "unproven_test", model::Severity::warning,
      "passes with other expected values, too, and nothing shows that it can fail");
  add(copies.caught, "known_test", model::Severity::block,
      "fails under another name and at other lines, and elsewhere it passes there");
  add(copies.open, "known_test", model::Severity::warning,
      "fails under another name and at other lines, and nothing shows that it can pass there");
  return findings;
}

bool is_unproven(const State& state, const Subject& owner) {
  if (!state.spec.config.evaluation.findings_count) return false;
  auto findings = twin_findings(state, owner);
  for (auto& finding : findings) accept_finding(state, finding);
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& finding) { return finding.severity == model::Severity::warning; });
}

wire::Twins twin_facts(const State& state, const Subject& owner) {
  wire::Twins facts;
  const auto commit = gating_commit(state, owner);
  for (const auto& plan : state.twins)
    for (const auto& run : plan.runs) {
      if (run.run.result != owner || run.of != commit) continue;
      facts.seed = plan.seed;
      facts.reason = plan.reason;
      facts.assertions = plan.assertions;
      facts.left_out = plan.left_out;
      facts.untouched = plan.untouched;
      if (run.run.subject.none()) continue;
      facts.state = twin_over(state, run) && facts.state != TwinsState::running ? TwinsState::compared
                                                                                : TwinsState::running;
      const auto* checks = checks_with(state, run.run.subject);
      if (checks && checks->tests) facts.cpu_ms += checks->tests->cpu_ms;
    }
  facts.told = compare_twins(state, owner).told;
  const auto* plain = checks_with(state, owner);
  if (plain && plain->tests) facts.plain_cpu_ms = plain->tests->cpu_ms;
  return facts;
}

}  // namespace hydra::race
