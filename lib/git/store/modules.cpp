#include "git/store/modules.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/store/layout.hpp"

#include <functional>
#include <map>

namespace hydra::git {
namespace {

constexpr int kMostDepth = 8;

/// The git directory of a checkout: `.git`, or the target of a `.git` file.
fs::path git_dir_of(const fs::path& checkout) {
  std::error_code ec;
  const auto at = checkout / ".git";
  return fs::is_directory(at, ec) ? at : linked_git_dir(checkout).lexically_normal();
}

Result<std::vector<Gitlink>> gitlinks_of(const Command& git, const std::string& commit) {
  HYDRA_TRY(const auto files, ask_for_files(git, commit));
  std::vector<Gitlink> links;
  for (const auto& file : files)
    if (file.mode == "160000") links.push_back({file.path, file.id});
  return links;
}

/// Submodule names by path: clones are stored by name, which equals the path unless the submodule was moved
/// or renamed.
Result<std::map<std::string, std::string>> names_by_path(const Command& git, const std::string& commit) {
  HYDRA_TRY(const auto read, git.run({"config", "-z", "--blob", commit + ":.gitmodules", "--get-regexp",
                                      R"(^submodule\..*\.path$)"}));
  std::map<std::string, std::string> names;
  if (!read.ok()) return names;  // no .gitmodules
  constexpr std::string_view kHead = "submodule.", kTail = ".path";
  for (const auto record : records(read.out)) {
    const auto end = record.find('\n');
    if (end == std::string_view::npos || end < kHead.size() + kTail.size()) continue;
    const std::string name(record.substr(kHead.size(), end - kHead.size() - kTail.size()));
    const bool plain = !name.empty() && name.front() != '/' && name.find("..") == std::string::npos;
    if (plain) names[std::string(record.substr(end + 1))] = name;
  }
  return names;
}

Result<bool> has_commit(const Command& git, const fs::path& clone, const std::string& commit) {
  std::error_code ec;
  if (!fs::is_directory(clone / "objects", ec)) return false;
  return reading(git, clone).succeeds({"cat-file", "-e", commit + "^{tree}"});
}

using Visit = std::function<Result<void>(const Submodule&, const std::string& path, const Command& git)>;

/// Visits each submodule with its path from the top, outer ones first; `git` reads the commit.
Result<void> walk(const Command& git, const std::vector<Submodule>& all, const std::string& prefix,
                  const fs::path& checkout, int depth, const Visit& visit) {
  for (const auto& module : all) {
    const auto path = prefix + module.link.path;
    HYDRA_CHECK(visit(module, path, git));
    if (module.clone.empty() || depth >= kMostDepth) continue;
    const auto inner = reading(git, module.clone);
    const auto place = checkout.empty() ? checkout : checkout / module.link.path;
    HYDRA_TRY(const auto below, submodules_of(inner, module.link.commit, {module.clone}, place));
    HYDRA_CHECK(walk(inner, below, path + "/", place, depth + 1, visit));
  }
  return {};
}

Result<void> fill(const Command& git, const Submodule& module, const fs::path& directory,
                  const fs::path& index) {
  HYDRA_CHECK(make_dirs(directory));
  const ScratchIndex scratch(index);
  auto inner = reading(git, module.clone);
  inner.work_tree(directory).cwd(directory).index(index);
  HYDRA_CHECK(inner.output({"read-tree", module.link.commit}));
  HYDRA_CHECK(inner.output({"checkout-index", "-a", "-f", "-q"}));
  return {};
}

}  // namespace

Command reading(Command git, const fs::path& clone) {
  git.also_reads(clone / "objects");
  return git;
}

Result<std::vector<Submodule>> submodules_of(const Command& git, const std::string& commit,
                                             const std::vector<fs::path>& above, const fs::path& checkout) {
  std::vector<Submodule> all;
  HYDRA_TRY(const auto links, gitlinks_of(git, commit));
  if (links.empty()) return all;
  HYDRA_TRY(const auto names, names_by_path(git, commit));
  for (const auto& link : links) {
    std::vector<fs::path> places;
    if (!checkout.empty()) places.push_back(git_dir_of(checkout / link.path));
    const auto name = names.find(link.path);
    for (const auto& git_dir : above)
      places.push_back(git_dir / "modules" / (name == names.end() ? link.path : name->second));
    Submodule module{link, {}};
    for (const auto& place : places) {
      if (place.empty()) continue;
      HYDRA_TRY(const bool has, has_commit(git, place, link.commit));
      if (!has) continue;
      module.clone = place;
      break;
    }
    all.push_back(std::move(module));
  }
  return all;
}

Result<std::vector<Submodule>> submodules_of(const Command& git, const model::RepositoryFacts& facts,
                                             const std::string& commit) {
  if (!facts.has_submodules) return std::vector<Submodule>{};
  return submodules_of(git, commit, {facts.git_dir, facts.common_dir}, facts.root);
}

Result<void> fill_submodules(const Command& git, const model::RepositoryFacts& facts,
                             const std::string& commit, const fs::path& directory) {
  HYDRA_TRY(const auto all, submodules_of(git, facts, commit));
  const auto index = directory.parent_path() / ("." + directory.filename().string() + ".submodule-index");
  return walk(git, all, {}, facts.root, 0,
              [&](const Submodule& module, const std::string& path, const Command& at) -> Result<void> {
                if (module.clone.empty()) return {};
                return fill(at, module, directory / path, index);
              });
}

Result<std::vector<std::string>> unfilled_submodules(const Command& git,
                                                     const model::RepositoryFacts& facts) {
  std::vector<std::string> missing;
  HYDRA_TRY(const auto all, submodules_of(git, facts, facts.base));
  HYDRA_CHECK(walk(git, all, {}, facts.root, 0,
                   [&](const Submodule& module, const std::string& path, const Command&) -> Result<void> {
                     if (module.clone.empty()) missing.push_back(path);
                     return {};
                   }));
  return missing;
}

}  // namespace hydra::git
