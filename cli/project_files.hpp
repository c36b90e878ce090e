// cli: the files of a project that `hydra init` reads.
#pragma once

#include "base/paths.hpp"
#include "config/config.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

/// Sorted paths of the files of HEAD and of their directories, to a limited depth; of all files that lie
/// there if nothing is committed. Test data and foreign code are left out.
struct Listing {
  std::filesystem::path directory;
  std::vector<std::string> paths;
};
Listing list_files(const std::filesystem::path& directory, const EnvLookup& env);

/// Returns the project in the directory `below` of a listing. Only manifests, build files and tests have
/// texts, since other files may hold secrets.
config::ProjectFiles read_project(const Listing& all, const std::string& below = {});

/// Adds the programs in PATH and the named caches in the home directory.
void add_machine(const EnvLookup& env, config::ProjectFiles& files);

/// A project below a directory that is no project.
struct SubProject {
  std::string directory, kind;  ///< relative directory; the files that led to the project
};
/// Returns at most 20 projects at most two levels down, sorted. Skips projects' contents, hidden directories,
/// test data and dependencies.
std::vector<SubProject> projects_below(const Listing& all);

}  // namespace hydra::cli
