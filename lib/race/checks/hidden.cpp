#include "race/checks/hidden.hpp"

#include "base/glob.hpp"
#include "race/job_parts.hpp"

namespace hydra::race {
using detail::below;

Result<TakenTests> take_hidden(const model::Config& config, const model::RepositoryFacts& facts,
                               const fs::path& to) {
  const auto& configured = config.evaluation.hidden;
  if (!configured || configured->empty()) return TakenTests{};
  std::error_code ec;
  TakenTests taken;
  taken.source = fs::canonical(fs::path(facts.root) / *configured, ec);
  const auto refused = [&](const std::string& why) {
    return Error{Errc::usage, "hidden tests: " + why, *configured, {}};
  };
  if (config.workspace.checks == model::CheckPlace::in_place)
    return refused("checks run in the agents' own directories, which must not get them");
  if (ec) return refused("there is no such directory");
  if (below(facts.root, taken.source)) return refused("the repository lies in this directory");
  if (below(taken.source, facts.root)) {
    const auto inside = taken.source.lexically_relative(facts.root).string();
    for (const auto* list : {&config.workspace.copy, &config.workspace.share})
      for (const auto& path : *list)
        if (covered_by({path}, inside) || (path + "/").starts_with(inside + "/"))
          return refused("[workspace] copies them into the workspaces of agents");
  }
  HYDRA_TRY(taken.tests, trees::take_hidden_tests(taken.source, to));
  return taken;
}

Result<void> hidden_stays_hidden(const git::Store& store, const model::RaceSpec& spec) {
  if (spec.hidden_source.empty()) return {};
  if (!below(spec.hidden_source, spec.repository.root)) return {};
  HYDRA_TRY(const auto paths, store.base_paths());
  const auto start = fs::path(spec.hidden_source).lexically_relative(spec.repository.root).string() + "/";
  for (const auto& path : paths)
    if (path.starts_with(start))
      return Error{Errc::usage, "hidden tests: the base holds them, agents can read them", path,
                   "keep them outside of the repository"};
  return {};
}

}  // namespace hydra::race
