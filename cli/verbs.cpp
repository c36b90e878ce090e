#include "cli/app.hpp"

namespace hydra::cli {

// All verbs in the order of the help; cli/verbs/NAME.cpp defines NAME_verb() for `hydra NAME`.
// clang-format off
#define HYDRA_VERBS(V) \
  V(race) V(status) V(watch) V(list) V(results) V(explain) V(rescore) V(leaderboard) V(export) V(import) \
  V(standings) V(bench) V(verify) V(logs) V(diff) V(worktree) V(merge) V(try) V(retry) V(rate) V(report) V(ui) V(cancel) \
  V(agents) V(doctor) V(init) V(check) V(config) V(parse) V(score) V(demo) V(clean) V(daemon) \
  V(completion) V(mcp) V(ci) V(pr)
// clang-format on

#define HYDRA_DECLARED(name) Verb name##_verb();
HYDRA_VERBS(HYDRA_DECLARED)

namespace {

struct NamedVerb {
  std::string_view name;
  Verb (*make)();
};

#define HYDRA_NAMED(name) {#name, name##_verb},
constexpr NamedVerb kVerbs[] = {HYDRA_VERBS(HYDRA_NAMED)};

}  // namespace

std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs;
  for (const auto& entry : kVerbs) verbs.push_back(entry.make());
  return verbs;
}

std::optional<Verb> find_verb(std::string_view name) {
  for (const auto& entry : kVerbs)
    if (entry.name == name) return entry.make();
  return std::nullopt;
}

}  // namespace hydra::cli
