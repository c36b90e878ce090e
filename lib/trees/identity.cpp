#include "trees/identity.hpp"

#include "base/fd.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "config/ecosystem.hpp"
#include "trees/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <iterator>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace hydra::trees {

namespace {

void describe_stat(std::string_view name, const struct stat& st, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{} {} {} {}.{}\n", name, st.st_ino, st.st_size, st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec);
}

/// Returns the entries of an open directory, sorted, without those that tools write on every run: nothing in
/// these decides a check.
std::vector<std::string> names_in(int directory) {
  std::vector<std::string> names;
  const int own = ::dup(directory);
  DIR* stream = own < 0 ? nullptr : ::fdopendir(own);
  if (stream == nullptr) {
    if (own >= 0) ::close(own);
    return names;
  }
  while (const auto* entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && name != ".cache" && name != ".vite" && name != "__pycache__")
      names.emplace_back(name);
  }
  ::closedir(stream);
  std::sort(names.begin(), names.end());
  return names;
}

// Tens of thousands of files: names are relative to open directories.
void describe_children(int directory, int depth, std::string& out) {
  for (const auto& name : names_in(directory)) {
    struct stat st {};
    if (::fstatat(directory, name.c_str(), &st, 0) != 0) {
      out += name + " absent\n";
      continue;
    }
    describe_stat(name, st, out);
    if (!S_ISDIR(st.st_mode) || depth <= 1) continue;
    const UniqueFd below(::openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (below) describe_children(below.get(), depth - 1, out);
    out += "/\n";
  }
}

}  // namespace

void describe_path(const std::filesystem::path& path, int depth, std::string& out) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) {
    out += fmt::format("{} absent\n", path.string());
    return;
  }
  describe_stat(path.string(), st, out);
  if (!S_ISDIR(st.st_mode) || depth == 0) return;
  const UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return;
  std::string children;
  describe_children(directory.get(), depth, children);
  out += sha256_hex(children) + "\n";
}

Inputs describe_inputs(const model::RaceSpec& spec) {
  const auto& workspace = spec.config.workspace;
  const std::filesystem::path root = spec.repository.root;
  Inputs inputs;
  auto& text = inputs.place;
  text = fmt::format("{}\n{}{} {}\n", spec.repository.root, model::name(spec.isolation), spec.image,
                     model::name(spec.tree_rung));
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
  for (const auto& [name, value] : spec.environment) {
    if (name != "PATH") continue;
    // A directory's mtime changes when a program in it is installed, removed or replaced by a rename.
    for (const auto directory : split(value, ':')) describe_path(std::string(directory), 0, text);
  }
  inputs.base = spec.repository.base_tree + "\n";
  for (const auto& path : expand_paths(root, workspace.outputs)) describe_path(root / path, 0, inputs.base);
  return inputs;
}

}  // namespace hydra::trees
