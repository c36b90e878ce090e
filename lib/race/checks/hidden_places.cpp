// Paths hidden from jobs on this machine, and how they are covered.
#include "model/environment.hpp"
#include "race/job_parts.hpp"
#include "race/jobs.hpp"

#include <algorithm>

namespace hydra::race {
using detail::below;

std::vector<fs::path> hidden_places(const Paths& paths, const model::RaceSpec& spec) {
  const auto session = paths.runtime.parent_path();
  const bool of_session = paths.runtime.filename() == "hydra" && session.has_relative_path();
  std::vector<fs::path> own{paths.state, of_session ? session : paths.runtime};
  // Under an unusual XDG_CONFIG_HOME the configuration is not hidden with the home; the race's variable may
  // differ from the daemon's.
  const fs::path of_race = model::variable(spec, "XDG_CONFIG_HOME");
  std::error_code ec;
  if (fs::is_directory(paths.config, ec)) own.push_back(paths.config);
  if (of_race.is_absolute() && of_race / "hydra" != paths.config && fs::is_directory(of_race / "hydra", ec))
    own.push_back(of_race / "hydra");
  own.insert(own.end(), spec.config.sandbox.hide.begin(), spec.config.sandbox.hide.end());
  return own;
}

std::vector<fs::path> hidden_from_agents(const Paths& paths, const model::RaceSpec& spec) {
  auto places = hidden_places(paths, spec);
  if (spec.repository.partial) return places;
  // The agent's worktree is mounted over the user's checkout. A path within a hidden one is hidden already,
  // and its cover could not be created there: the outer cover is read-only.
  const auto hide = [&](const fs::path& place) {
    const bool hidden =
        below(place, spec.repository.root) ||
        std::any_of(places.begin(), places.end(), [&](const fs::path& outer) { return below(place, outer); });
    if (!hidden) places.push_back(place);
  };
  hide(spec.repository.common_dir);
  for (const auto& alternate : spec.repository.alternates) hide(alternate);
  return places;
}

Result<void> hide_own(exec::JobSpec& job, const std::vector<fs::path>& own, const fs::path& hidden) {
  auto& sandbox = job.sandbox;
  if (sandbox.isolation == exec::Isolation::none) return {};
  const bool home_hidden = !sandbox.home.empty() && sandbox.home != "/";
  const auto shows = [](const exec::Bind& bind, const fs::path& directory) {
    return below(directory, bind.inside);
  };
  // Binds of directories above (a program's directory, [sandbox] read) come first, and the covers follow
  // them.
  const auto above = std::stable_partition(sandbox.binds.begin(), sandbox.binds.end(), [&](const auto& bind) {
    return std::any_of(own.begin(), own.end(), [&](const auto& directory) { return shows(bind, directory); });
  });
  const auto needs_cover = [&](const fs::path& directory) {
    const bool shown =
        std::any_of(sandbox.binds.begin(), above, [&](const auto& bind) { return shows(bind, directory); });
    // The sandbox's own /tmp, /run and home hide everything below.
    return shown || !(below(directory, "/tmp") || below(directory, "/run") ||
                      (home_hidden && below(directory, sandbox.home)));
  };
  std::vector<exec::Bind> covers;
  for (const auto& directory : own) {
    // A path within a covered one is hidden already, and its cover could not be created there: the outer
    // cover is read-only.
    const bool within = std::any_of(own.begin(), own.end(), [&](const auto& outer) {
      return outer != directory && below(directory, outer) && needs_cover(outer);
    });
    if (within || !needs_cover(directory)) continue;
    std::error_code ec;
    if (fs::is_regular_file(directory, ec)) {
      covers.push_back({"/dev/null", directory, false, false});
      continue;
    }
    const auto empty = hidden / std::to_string(covers.size());
    HYDRA_CHECK(make_dirs(empty, 0700));
    // The cover is read-only, so mount points of later binds must exist in it.
    for (const auto& bind : sandbox.binds)
      if (below(bind.inside, directory))
        HYDRA_CHECK(make_dirs(empty / bind.inside.lexically_relative(directory)));
    covers.push_back({empty, directory, false, false});
  }
  sandbox.binds.insert(above, covers.begin(), covers.end());
  return {};
}

Result<void> hide_source(exec::JobSpec& job, const fs::path& source, const fs::path& hidden) {
  if (source.empty() || job.sandbox.isolation == exec::Isolation::none) return {};
  const auto empty = hidden / "source";
  HYDRA_CHECK(make_dirs(empty, 0700));
  job.sandbox.binds.push_back({empty, source, false, false});
  return {};
}

}  // namespace hydra::race
