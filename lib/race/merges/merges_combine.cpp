// Combines parts of several results into a new result, which is checked and ranked like any other.
#include "base/strings.hpp"
#include "race/agents/captured.hpp"
#include "race/merges/merges.hpp"

#include <algorithm>

namespace hydra::race {

namespace {

// Relative paths are relative to the user's directory; an absolute path replaces the directory.
std::string from_root(const fs::path& root, const fs::path& directory, const std::string& path) {
  return (directory / path).lexically_relative(root).lexically_normal().string();
}

}  // namespace

void Merges::combine(CombineCall call, std::function<void(Result<wire::Combined>)> done) {
  if (draining()) return done(daemon_stops());
  RacePtr race;
  std::vector<git::Part> parts;
  std::string display;
  std::int64_t wall_ms = 0;
  for (const auto& text : call.parts) {
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
      return done(Error{Errc::usage, "'" + text + "' is not RESULT:PATH", {}, "for example codex:src/x.c"});
    MergeCall find;
    find.target = text.substr(0, colon);
    find.directory = call.directory;
    auto target = find_target(find);
    if (!target.ok()) return done(std::move(target).error());
    if (race && race->state.spec.id != target->first->state.spec.id)
      return done(
          Error{Errc::refused, "the results are of different races", {}, "name them RACE/AGENT:PATH"});
    if (!race) race = target->first;
    const auto* agent = race->state.agent(target->second);
    if (!agent->changed()) return done(Error{Errc::refused, target->second + " has no change", {}, {}});
    auto found =
        std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.name == target->second; });
    if (found == parts.end()) found = parts.insert(parts.end(), {target->second, agent->capture->commit, {}});
    const auto path = from_root(race->state.spec.repository.root, call.directory, text.substr(colon + 1));
    found->paths.push_back(path);
    display += (display.empty() ? "" : ", ") + target->second + ":" + sanitize(path);
    if (agent->ended) wall_ms = std::max(wall_ms, work_ms(*agent));
  }
  if (!race)
    return done(Error{Errc::usage, "no parts are named", {}, "hydra merge codex:src/x.c claude:tests/"});
  const auto& state = race->state;
  if (state.ended != model::RaceEnd::done)
    return done(Error{Errc::refused, "the race has not ended", state.spec.id, "wait for it: hydra watch"});
  if (state.spec.config.workspace.checks == model::CheckPlace::in_place)
    return done(Error{Errc::unsupported, "this race checks in the agents' own directories: parts have none",
                      state.spec.id, "set [workspace] checks = \"fresh\""});
  std::string name = "combined";
  for (int n = 2; state.agent(name); ++n) name = "combined-" + std::to_string(n);
  if (auto marked = engine.mark_busy(state.spec.id, "is being combined"); !marked.ok())
    return done(std::move(marked).error());
  background(
      [store_copy = *race->store, rules = race->rules, spec = state.spec, parts,
       name]() -> Result<model::Capture> {
        HYDRA_TRY(auto made, store_copy.combine(parts, name));
        HYDRA_CHECK(weigh(*rules, store_copy, spec, made));
        return made;
      },
      [this, id = state.spec.id, name, display, wall_ms, done](Result<model::Capture> made) {
        engine.unmark_busy(id);
        if (!made.ok()) return done(std::move(made).error());
        if (!made->changed) return done(Error{Errc::refused, "these parts change nothing", id, {}});
        // Load the race again: its state may have changed meanwhile.
        const auto loaded = load(id);
        if (!loaded.ok()) return done(loaded.error());
        const auto& again = *loaded;
        if (races.contains(id) || again->state.ended != model::RaceEnd::done || again->state.agent(name))
          return done(Error{Errc::conflict, "the race runs again already", id, "try again in a moment"});
        // If an equal combination exists already, answer with that.
        const auto& agents = again->state.agents;
        const auto same = std::find_if(agents.begin(), agents.end(), [&](const AgentState& agent) {
          return agent.origin == Origin::combined && agent.capture && agent.capture->tree == made->tree;
        });
        if (same != agents.end())
          return done(
              wire::Combined{id, same->entry.name, same->capture->commit, again->state.last_event, true});
        // Resume the race as after a restart of the daemon.
        engine.enter(again);
        const wire::Combined answer{id, name, made->commit, again->state.last_event, false};
        ask(id, {model::Combined{name, display, std::move(*made), wall_ms}},
            [this, id, answer, done](const Result<void>& stored) {
              if (stored.ok()) return done(answer);
              engine.leave(id);
              done(stored.error());
            });
      });
}

}  // namespace hydra::race
