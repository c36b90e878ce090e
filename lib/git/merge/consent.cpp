#include "git/merge/consent.hpp"

#include "base/strings.hpp"
#include "git/store/objects.hpp"
#include "model/consent.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hydra::git {
namespace {

constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/v1\n";
constexpr std::size_t kMaxPointer = 1024;  // git-lfs: a pointer is shorter

bool below(const std::string& path, std::string_view directory) {
  return path.starts_with(directory) && path.size() > directory.size() && path[directory.size()] == '/';
}

bool is_ci(const std::string& path) {
  constexpr std::array directories{".github/workflows", ".github/actions",  ".circleci",
                                   ".buildkite",        ".gitea/workflows", ".forgejo/workflows",
                                   ".teamcity",         ".woodpecker",      ".gitlab/ci"};
  constexpr std::array files{".gitlab-ci.yml",
                             ".travis.yml",
                             "azure-pipelines.yml",
                             "appveyor.yml",
                             ".appveyor.yml",
                             ".drone.yml",
                             "bitbucket-pipelines.yml",
                             ".woodpecker.yml",
                             ".woodpecker.yaml",
                             ".cirrus.yml",
                             "cloudbuild.yaml",
                             ".sourcehut.yml",
                             ".build.yml",
                             "action.yml",
                             "action.yaml",
                             "bitrise.yml",
                             "buildspec.yml",
                             "buildspec.yaml",
                             ".github/dependabot.yml",
                             ".github/dependabot.yaml"};
  // Jenkins takes a pipeline from any file; conventional names contain "Jenkinsfile".
  if (path.substr(path.rfind('/') + 1).find("Jenkinsfile") != std::string::npos) return true;
  return std::any_of(directories.begin(), directories.end(), [&](auto d) { return below(path, d); }) ||
         std::find(files.begin(), files.end(), path) != files.end();
}

bool is_hook_configuration(const std::string& path) {
  constexpr std::array directories{".husky", ".githooks", ".git-hooks", ".hooks", ".lefthook", "githooks"};
  constexpr std::array names{".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "lefthook.yml",
                             "lefthook.yaml",           ".lefthook.yml",          ".lefthook.yaml",
                             "lefthook-local.yml",      "lefthook-local.yaml",    ".lefthook-local.yml",
                             ".lefthook-local.yaml",    ".overcommit.yml",        ".envrc"};
  const auto name = path.substr(path.rfind('/') + 1);
  // Not git hooks, but executed automatically by lint-staged or by an editor.
  if (name.starts_with(".lintstagedrc") || path == ".vscode/tasks.json" ||
      path.ends_with("/.vscode/tasks.json"))
    return true;
  return std::any_of(directories.begin(), directories.end(), [&](auto d) { return below(path, d); }) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a path steers what the next race, agent, editor container or package manager of this checkout
/// does.
bool runs_later(const std::string& path) {
  constexpr std::array directories{".claude", ".codex",   ".cursor",      ".gemini",   ".opencode",
                                   ".qwen",   ".amp",     ".continue",    ".windsurf", ".roo",
                                   ".kiro",   ".factory", ".devcontainer"};
  constexpr std::array names{"AGENTS.md",
                             "AGENT.md",
                             "CLAUDE.md",
                             "CLAUDE.local.md",
                             "GEMINI.md",
                             "QWEN.md",
                             ".mcp.json",
                             ".cursorrules",
                             ".windsurfrules",
                             ".clinerules",
                             ".aider.conf.yml",
                             "opencode.json",
                             "opencode.jsonc",
                             "hydra.toml",
                             ".npmrc",
                             ".pnpmfile.cjs",
                             ".yarnrc",
                             ".yarnrc.yml",
                             "copilot-instructions.md"};
  const auto name = path.substr(path.rfind('/') + 1);
  const auto inside = [&](std::string_view directory) {
    return below(path, directory) || path.find("/" + std::string(directory) + "/") != std::string::npos;
  };
  return std::any_of(directories.begin(), directories.end(), inside) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

bool is_run(const std::string& path, const std::vector<std::string>& run_from_tree) {
  return std::any_of(run_from_tree.begin(), run_from_tree.end(), [&](const std::string& run) {
    return path == run || (run.ends_with('/') && path.starts_with(run)) ||
           path + "/" == run;  // the directory itself, as a file or a link
  });
}

/// Returns the ids of large-file pointers: two programs for any number of changes.
Result<std::set<std::string>> pointers(const Command& git, const std::vector<RawEntry>& changes) {
  std::set<std::string> ids, found;
  for (const auto& change : changes)
    for (const auto& [mode, id] :
         {std::pair{change.old_mode, change.old_id}, {change.new_mode, change.new_id}})
      if (mode.starts_with("100")) ids.insert(id);
  const std::vector<std::string> asked(ids.begin(), ids.end());
  HYDRA_TRY(const auto small, ask_for_blobs(git, asked, kMaxPointer - 1));
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (small[i] && small[i]->size() > kPointer.size() && small[i]->starts_with(kPointer))
      found.insert(asked[i]);
  return found;
}

}  // namespace

Result<std::vector<Consent>> consent_needed(const Command& git, const std::string& commit,
                                            const std::vector<RawEntry>& changes,
                                            const std::vector<std::string>& run_from_tree) {
  std::map<std::string, std::vector<std::string>> kinds;
  HYDRA_TRY(const auto lfs, pointers(git, changes));
  for (const auto& change : changes) {
    const auto& path = change.path;
    const auto name = path.substr(path.rfind('/') + 1);
    if (name == ".gitattributes") kinds["attributes"].push_back(path);
    if (name == ".gitmodules" || change.new_mode == "160000" || change.old_mode == "160000")
      kinds["submodules"].push_back(path);
    if (is_ci(path)) kinds["ci"].push_back(path);
    if (runs_later(path)) kinds["agents"].push_back(path);
    if (is_hook_configuration(path) || is_run(path, run_from_tree)) kinds["hooks"].push_back(path);
    if (lfs.contains(change.new_id) || lfs.contains(change.old_id) || path == ".lfsconfig")
      kinds["lfs"].push_back(path);
  }
  HYDRA_TRY(auto links, outside_links(git, commit, changes));
  if (!links.empty()) kinds["symlinks"] = std::move(links);
  std::vector<Consent> needed;
  for (auto& [kind, paths] : kinds) needed.push_back({kind, std::move(paths)});
  return needed;
}

Result<void> check_kinds(const std::vector<std::string>& kinds) {
  std::vector<std::string> known;
  for (const auto& kind : model::kConsentKinds) known.emplace_back(kind.name);
  for (const auto& kind : kinds)
    if (std::find(known.begin(), known.end(), kind) == known.end())
      return Error{Errc::usage,
                   "nothing of the kind '" + sanitize(kind) + "' can be allowed",
                   {},
                   "the kinds are " + join(known, ", ")};
  return {};
}

}  // namespace hydra::git
