// trees: consequences of a candidate's diff for a warm workspace: which paths are applied, whether the set-up
// runs again, and whether the build starts without its old outputs. Pure (docs/workspaces.md, "When a diff
// asks for more than an incremental build").
#pragma once

#include "config/ecosystem.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hydra::trees {

enum class ChangeKind { added, modified, deleted, renamed, type_changed };

/// A path of `diff base..candidate`, relative to the repository, "/" between components.
struct Change {
  std::string path;
  ChangeKind kind = ChangeKind::modified;
  std::string from{};                ///< renames only
  std::uint32_t mode = 0100644;      ///< git's mode in the candidate; 0 for deleted
  std::uint32_t old_mode = 0100644;  ///< git's mode in the base; 0 for added
};

/// Paths that the base tracks, made once a race from the names of `git ls-tree -r` (a submodule is one path).
class BaseTree {
 public:
  explicit BaseTree(std::vector<std::string> paths);
  [[nodiscard]] bool tracks(std::string_view path) const;
  /// Returns whether a path below this directory is tracked.
  [[nodiscard]] bool tracks_below(std::string_view directory) const;
  /// Returns whether a file of this name is tracked anywhere.
  [[nodiscard]] bool tracks_name(std::string_view name) const;
  [[nodiscard]] std::span<const std::string> paths() const { return paths_; }
  /// Tools that the base's files indicate.
  [[nodiscard]] const config::EcosystemSet& ecosystems() const { return ecosystems_; }
  /// Patterns of dropped kinds of which the base tracks no file.
  [[nodiscard]] const std::vector<std::string_view>& foreign_kinds() const { return foreign_kinds_; }

 private:
  std::vector<std::string> paths_;  // sorted
  std::unordered_set<std::string> names_;
  config::EcosystemSet ecosystems_;
  std::vector<std::string_view> foreign_kinds_;
};

/// Returns the patterns of `kinds` (config/ecosystem.hpp) that no file of `paths` fits, each once.
std::vector<std::string_view> absent_kinds(const std::vector<std::string>& paths,
                                           std::span<const std::string_view> kinds);

struct RebuildContext {
  const BaseTree* base = nullptr;  ///< never null
  /// Returns whether the base's rules ignore the path, tracked or not. Absent: nothing is ignored.
  std::function<bool(std::string_view)> ignored;
  /// Patterns of base/glob.hpp, and the paths that they matched in the template, in any order.
  std::vector<std::string> share, outputs, copy;
  std::string setup;                  ///< command; empty: none
  std::vector<std::string> commands;  ///< build, test, warm: files that they name are build configuration
};

struct LeftOutPath {
  std::string path;
  std::string reason;      ///< one clause: "byte code, of which the base has none"
  bool unwatched = false;  ///< ignored or shared in the user's checkout, where nobody looks
};

struct RebuildPlan {
  bool setup_again = false;
  /// Remove the outputs (never tracked paths of the base, never dependencies) before the build: a cold build.
  bool drop_outputs = false;
  std::vector<std::string> reasons;      ///< "package.json: manifest"; at most kMostReasons
  std::vector<std::string> deletions;    ///< paths to remove, in order, before anything is written
  std::vector<std::string> writes;       ///< paths to write with the candidate's content and the present time
  std::vector<LeftOutPath> dropped;      ///< kinds that nobody writes by hand; a tamper report names them
  std::vector<LeftOutPath> not_applied;  ///< the template's directories win; a tamper report names them
};

inline constexpr std::size_t kMostReasons = 20;

/// Every change is in exactly one of: deletions or writes (a rename in both), dropped, not_applied. A rename
/// whose new path is left out still deletes the old path. Paths that no tree can have ("..", ".git",
/// absolute) are not applied.
RebuildPlan plan_rebuild(std::span<const Change> changes, const RebuildContext& context);

}  // namespace hydra::trees
