#include "trees/identity.hpp"

#include "base/entries.hpp"
#include "base/strings.hpp"
#include "config/ecosystem.hpp"
#include "trees/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sys/stat.h>
#include <vector>

namespace hydra::trees {

void describe_path(const std::filesystem::path& path, int depth, std::string& out) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) {
    out += fmt::format("{} absent\n", path.string());
    return;
  }
  out += fmt::format("{} {} {} {}.{}\n", path.string(), st.st_ino, st.st_size, st.st_mtim.tv_sec,
                     st.st_mtim.tv_nsec);
  if (!S_ISDIR(st.st_mode) || depth == 0) return;
  std::vector<std::filesystem::path> children;
  std::error_code ec;
  for (const auto& child : entries_of(path, ec)) {
    const auto name = child.path().filename();
    // Tools write to these on every run; nothing in them decides a check.
    if (name != ".cache" && name != ".vite" && name != "__pycache__") children.push_back(child.path());
  }
  std::sort(children.begin(), children.end());
  for (const auto& child : children) describe_path(child, depth - 1, out);
}

std::string describe_surroundings(const model::RaceSpec& spec) {
  const auto& workspace = spec.config.workspace;
  const std::filesystem::path root = spec.repository.root;
  std::string text = fmt::format("{}\n{}\n{}{} {}\n", spec.repository.root, spec.repository.base_tree,
                                 model::name(spec.isolation), spec.image, model::name(spec.tree_rung));
  if (spec.repository.has_submodules)
    text += "submodules filled but " + join(spec.repository.empty_submodules, " ") + "\n";
  if (!workspace.directory.empty()) text += "in " + workspace.directory + "\n";
  text += workspace.setup ? "+" + *workspace.setup + "\n" : "-\n";
  text += fmt::format("{} {} {}\n", spec.config.sandbox.check_network, workspace.setup_network,
                      join(workspace.caches, " "));
  for (const auto& [key, value] : spec.repository.conversion) text += key + "=" + value + "\n";
  for (const auto& [name, value] : spec.environment) text += name + "=" + value + "\n";
  for (const auto& path : expand_paths(root, workspace.copy)) describe_path(root / path, 8, text);
  for (const auto& path : expand_paths(root, workspace.share)) describe_path(root / path, 2, text);
  for (const auto& path : expand_paths(root, workspace.outputs)) describe_path(root / path, 0, text);
  for (const auto& [name, value] : spec.environment) {
    if (name != "PATH") continue;
    // A directory's mtime changes when a program in it is installed, removed or replaced by a rename.
    for (const auto directory : split(value, ':')) describe_path(std::string(directory), 0, text);
  }
  return text;
}

}  // namespace hydra::trees
