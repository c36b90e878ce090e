#include "git/consent.hpp"

#include "base/strings.hpp"
#include "git/scan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hydra::git {
namespace {

constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/v1\n";
constexpr std::int64_t kMaxPointer = 1024;  // by that format's own rule a pointer is shorter

bool below(const std::string& path, std::string_view directory) {
  return path.starts_with(directory) && path.size() > directory.size() && path[directory.size()] == '/';
}

bool is_ci(const std::string& path) {
  constexpr std::array directories{".github/workflows", ".github/actions",  ".circleci",
                                   ".buildkite",        ".gitea/workflows", ".forgejo/workflows",
                                   ".teamcity",         ".woodpecker",      ".gitlab/ci"};
  constexpr std::array files{".gitlab-ci.yml",  ".travis.yml",   "Jenkinsfile",     "azure-pipelines.yml",
                             "appveyor.yml",    ".appveyor.yml", ".drone.yml",      "bitbucket-pipelines.yml",
                             ".woodpecker.yml", ".cirrus.yml",   "cloudbuild.yaml", ".sourcehut.yml",
                             ".build.yml",      "action.yml",    "action.yaml",     ".woodpecker.yaml"};
  return std::any_of(directories.begin(), directories.end(), [&](auto d) { return below(path, d); }) ||
         std::find(files.begin(), files.end(), path) != files.end();
}

bool is_hook_configuration(const std::string& path) {
  constexpr std::array directories{".husky", ".githooks", ".git-hooks", ".hooks", ".lefthook", "githooks"};
  constexpr std::array names{
      ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "lefthook.yml",    "lefthook.yaml",
      ".lefthook.yml",           ".lefthook.yaml",         ".overcommit.yml", ".envrc"};
  const auto name = path.substr(path.rfind('/') + 1);
  return std::any_of(directories.begin(), directories.end(), [&](auto d) { return below(path, d); }) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

/// Those of `ids` that are large-file pointers: two programs, however many there are.
Result<std::set<std::string>> pointers(const Command& git, const std::vector<RawEntry>& changes) {
  std::set<std::string> ids, found;
  for (const auto& change : changes)
    for (const auto& [mode, id] :
         {std::pair{change.old_mode, change.old_id}, {change.new_mode, change.new_id}})
      if (mode.starts_with("100")) ids.insert(id);
  std::string asked, small;
  for (const auto& id : ids) asked += id + "\n";
  if (asked.empty()) return found;
  HYDRA_TRY(const auto sizes, git.output({"cat-file", "--batch-check=%(objectname) %(objectsize)"}, asked));
  for (const auto line : lines(sizes)) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    const auto size = parse_int(line.substr(blank + 1)).value_or(kMaxPointer);
    if (size > static_cast<std::int64_t>(kPointer.size()) && size < kMaxPointer)
      small += std::string(line.substr(0, blank)) + "\n";
  }
  if (small.empty()) return found;
  HYDRA_TRY(const auto text, git.output({"cat-file", "--batch=%(objectname) %(objectsize)"}, small));
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = rest.find('\n');
    const auto blank = rest.find(' ');
    if (end == std::string_view::npos || blank > end) break;
    const auto size =
        static_cast<std::size_t>(parse_int(rest.substr(blank + 1, end - blank - 1)).value_or(0));
    if (rest.substr(end + 1, size).starts_with(kPointer)) found.emplace(rest.substr(0, blank));
    rest.remove_prefix(std::min(rest.size(), end + 1 + size + 1));
  }
  return found;
}

}  // namespace

Result<std::vector<Consent>> consent_needed(const Command& git, const std::vector<RawEntry>& changes) {
  std::map<std::string, std::vector<std::string>> kinds;
  HYDRA_TRY(const auto lfs, pointers(git, changes));
  for (const auto& change : changes) {
    const auto& path = change.path;
    const auto name = path.substr(path.rfind('/') + 1);
    if (name == ".gitattributes") kinds["attributes"].push_back(path);
    if (name == ".gitmodules" || change.new_mode == "160000" || change.old_mode == "160000")
      kinds["submodules"].push_back(path);
    if (is_ci(path)) kinds["ci"].push_back(path);
    if (is_hook_configuration(path)) kinds["hooks"].push_back(path);
    if (lfs.contains(change.new_id) || lfs.contains(change.old_id)) kinds["lfs"].push_back(path);
    if (change.new_mode != "120000" || (change.old_mode == "120000" && change.old_id == change.new_id))
      continue;
    HYDRA_TRY(const auto target, git.output({"cat-file", "blob", change.new_id}));
    if (leads_outside(path, target)) kinds["symlinks"].push_back(path);
  }
  std::vector<Consent> needed;
  for (auto& [kind, paths] : kinds) needed.push_back({kind, std::move(paths)});
  return needed;
}

}  // namespace hydra::git
