// Operations on races with complete evidence: explanations, other weights, repeated checks.
#include "base/strings.hpp"
#include "model/json.hpp"
#include "race/impl.hpp"
#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/views/view_parts.hpp"
#include "race/views/views.hpp"
#include "scoring/engine.hpp"
#include "trees/clone_tree.hpp"

#include <algorithm>
#include <cmath>

namespace hydra::race {

using model::Dimension;

namespace {

double* weight_named(model::Weights& weights, const std::string& name) {
  if (name == "judges") return &weights.judges;
  const auto dimension = model::from_name<Dimension>(name);
  return dimension ? &(weights.*detail::kWeightOf[model::index(*dimension)]) : nullptr;
}

Result<void> apply_weights(const std::map<std::string, double>& given, model::Weights& weights) {
  for (const auto& [name, value] : given) {
    auto* weight = weight_named(weights, name);
    if (!weight)
      return Error{Errc::usage,
                   "no dimension '" + sanitize(name) + "'",
                   {},
                   "build, tests, lint, diff_size, speed, judges"};
    if (!std::isfinite(value) || value < 0)
      return Error{Errc::usage, "the weight of " + name + " must be at least 0", {}, {}};
    *weight = value;
  }
  if (weights.build + weights.tests + weights.lint + weights.diff_size + weights.speed + weights.judges <= 0)
    return Error{Errc::usage, "all weights are 0", {}, {}};
  return {};
}

/// Compares bit by bit. With weight 0, judgements given after the race's end are not in the stored ranking.
bool same_ranking(model::Ranking again, model::Ranking stored, const model::Weights& weights) {
  if (weights.judges == 0)
    for (auto* ranking : {&again, &stored})
      for (auto& row : ranking->agents) row.score.judges = {};
  return model::to_json(model::ScoringResult{again}) == model::to_json(model::ScoringResult{stored});
}

// Adds the tests that ended differently, except flaky ones.
void compare_tests(const model::CheckSet& stored, const model::CheckSet& again, const std::string& what,
                   wire::Texts& differences) {
  const auto& a = stored.tests->tests;
  const auto& b = again.tests->tests;
  if (!a || !b || a->tests.empty() || b->tests.empty()) {
    if (a && b && (a->counts.passed != b->counts.passed || a->counts.total != b->counts.total))
      differences.push_back(what + ": other counts");
    return;
  }
  std::set<std::string> unstable;
  for (const auto* set : {&stored, &again})
    for (auto& name : unstable_tests(*set)) unstable.insert(std::move(name));
  const auto told = [&](std::string_view name, const std::string& text) {
    if (!unstable.contains(std::string(name))) differences.push_back(what + ": " + std::string(name) + text);
  };
  const auto first = static_cast<std::ptrdiff_t>(differences.size());
  model::beside(a->tests, b->tests, [&](const auto& name, auto before, auto now) {
    if (!now)
      told(name, " is gone");
    else if (!before)
      told(name, " is new");
    else if (before != now)
      told(name, " was " + std::string(model::name(*before)) + ", is " + std::string(model::name(*now)));
  });
  std::sort(differences.begin() + first, differences.end());
}

wire::Texts differences(const model::CheckSet& stored, const model::CheckSet& again) {
  wire::Texts found;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& a = evidence(stored, dimension);
    const auto& b = evidence(again, dimension);
    const std::string what(model::name(dimension));
    if (!a && !b) continue;
    if (!a || !b) {
      found.push_back(what + ": there is only one result");
      continue;
    }
    if (a->status != b->status)
      found.push_back(what + ": was " + std::string(model::name(a->status)) + ", is " +
                      std::string(model::name(b->status)));
    if (dimension == Dimension::tests) compare_tests(stored, again, what, found);
    if (a->lint && b->lint && (a->lint->errors != b->lint->errors || a->lint->warnings != b->lint->warnings))
      found.push_back(what + ": other counts");
  }
  return found;
}

}  // namespace

Result<wire::Explain> Service::explain(const std::string& id, const std::string& name) {
  HYDRA_TRY(const auto race, impl_->load(id));
  const auto& ranking = race->state.ranking;
  const auto& meant = name.empty() && ranking ? ranking->winner : name;
  if (!race->state.agent(meant))
    return Error{Errc::not_found,
                 name.empty() ? "this race has no winner" : "no agent '" + sanitize(name) + "' in this race",
                 id,
                 {}};
  return race::explain(race->state, meant, &impl_->calibration());
}

Result<wire::Results> Service::rescore(const std::string& id, const std::map<std::string, double>& weights) {
  HYDRA_TRY(const auto race, impl_->load(id));
  if (!race->state.ranking) return Error{Errc::conflict, "the race has no ranking yet", id, {}};
  auto state = race->state;
  HYDRA_CHECK(apply_weights(weights, state.spec.config.scoring.weights));
  state.ranking = ranking_of(state);
  auto out = results_view(state, impl_->clock.moment());
  out.rescored = {same_ranking(*state.ranking, *race->state.ranking, state.spec.config.scoring.weights),
                  race->state.ranking->winner, state.spec.config.scoring.weights};
  return out;
}

// The new race takes over the old race's agents and results as events; its checks then run normally.
void RaceFlow::verify(const std::string& id, std::function<void(Result<wire::Created>)> done) {
  if (draining()) return done(daemon_stops());
  auto loaded = load(id);
  if (!loaded.ok()) return done(std::move(loaded).error());
  const auto old = *loaded;
  if (!old->state.ended) return done(Error{Errc::conflict, "the race still runs", id, {}});
  const auto objects = old->layout.store() / "objects";
  std::error_code ec;
  if (!fs::is_directory(objects, ec))
    return done(Error{Errc::not_found, "the results of this race are not kept any more", id, {}});
  // Until the new race is recorded, which protects the old one from then on.
  if (auto marked = engine.mark_busy(id, "is being read for a verification"); !marked.ok())
    return done(std::move(marked).error());
  auto spec = old->state.spec;
  spec.id = engine.ids.race_id();
  spec.token = engine.ids.token();
  spec.created_ms = clock.now();
  spec.verifies = id;
  spec.fresh_baseline = true;
  spec.preflight = false;
  spec.config.merge.automatic = false;
  spec.repository.alternates.push_back(objects.string());
  auto race = engine.make_race(spec.id);
  background(
      [from = old->layout.hidden_tests(), to = race->layout.hidden_tests(),
       any = !spec.hidden_tests.empty()]() -> Result<void> {
        if (!any) return {};
        HYDRA_CHECK(make_dirs(to.parent_path(), 0700));
        return trees::clone_tree(from, to);
      },
      [this, race, old, spec, done](Result<void> copied) {
        if (!copied.ok()) {
          engine.unmark_busy(spec.verifies);
          return done(std::move(copied).error());
        }
        engine.enter(race);
        wire::Created created{spec.id, spec.repository.base, {}, {}};
        std::vector<model::EventBody> events{model::RaceCreated{spec}};
        for (const auto& agent : old->state.agents) {
          created.agents.push_back({agent.entry.name, agent.display});
          for (auto& event : results_again(agent)) events.push_back(std::move(event));
        }
        events.emplace_back(model::Note{{}, "checks the stored results of " + spec.verifies + " again"});
        ask(spec.id, std::move(events),
            [this, id = spec.id, verified = spec.verifies, created, done](const Result<void>& stored) {
              engine.unmark_busy(verified);
              if (stored.ok()) return done(created);
              engine.leave(id);
              done(stored.error());
            });
      });
}

Result<wire::Verification> Service::verification(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  const auto& again = race->state;
  if (again.spec.verifies.empty()) return Error{Errc::usage, "this race verifies no other one", id, {}};
  HYDRA_TRY(const auto old, impl_->load(again.spec.verifies));
  const auto& stored = old->state;
  wire::Verification out;
  out.race = again.spec.verifies;
  out.verified_by = id;
  out.state = race_phase(again);
  // Checks that a cancel cut off have no result to compare.
  if (baseline_phase(stored) != model::BasePhase::cancelled)
    out.baseline.differences = differences(baseline_evidence(stored).checks, baseline_evidence(again).checks);
  out.identical = again.ended == model::RaceEnd::done && out.baseline.differences.empty();
  const auto &rows = agent_evidence(stored), &rows_again = agent_evidence(again);
  for (const auto& row : rows) {
    const auto* before = stored.ranked(row.agent);
    const auto* now = again.ranked(row.agent);
    const auto row_again = std::find_if(rows_again.begin(), rows_again.end(),
                                        [&](const auto& other) { return other.agent == row.agent; });
    wire::VerifiedAgent agent{row.agent, row.display, {}, {}, false, {}};
    auto& found = agent.differences;
    const bool first = unchecked(stored, *stored.agent(row.agent));
    const bool open = row_again != rows_again.end() && unchecked(again, *again.agent(row.agent));
    if (row_again == rows_again.end() || (open && !first))
      found.emplace_back("was not checked again");
    else if (row.capture && !first)
      found = differences(row.checks, row_again->checks);
    if (before && now && row.capture && before->eligible != now->eligible)
      found.emplace_back(now->eligible ? "is eligible now" : "is not eligible any more");
    if (before) agent.composite = before->score.composite;
    if (now) agent.composite_again = now->score.composite;
    agent.unchecked_before = first && !open;
    out.identical = out.identical && found.empty();
    out.agents.push_back(std::move(agent));
  }
  return out;
}

}  // namespace hydra::race
