// integrity: paths that a candidate must not change for its own judgement (tests, their configuration, runner
// hooks, check scripts, CI, lint configuration), and the treatment of such changes in the gating run. Pure:
// names and texts in, a plan out. docs/integrity.md.
#pragma once

#include "base/result.hpp"
#include "config/toolchains.hpp"
#include "integrity/names/names.hpp"
#include "trees/rebuild.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hydra::integrity {

using config::ProtectedKind;
using config::RestoreAction;
/// "test file", "runner hook", for people; for JSON the caller replaces blanks by '_'.
std::string_view name(ProtectedKind kind);

/// Calls `each` for every directory above a path, outermost first, without the root.
template <class Each>
void each_directory(std::string_view path, Each each) {
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    each(path.substr(0, slash));
}

/// Returns whether a file of this name is written in a programming language; true for build files, false for
/// settings and data.
bool is_source(std::string_view path);

/// Commands of the frozen configuration; empty: not configured.
struct CheckCommands {
  std::string build, test, lint, setup;
};

struct Protection {
  ProtectedKind kind = ProtectedKind::test_file;
  RestoreAction on_change = RestoreAction::base;  ///< base or remove (one rule), keys, flag
  std::string reason;                             ///< one clause: "pytest reads it before any test"
  bool by_name = false;                           ///< a runner finds the test by its name, wherever it is
};

struct ProtectionContext {
  const trees::BaseTree* base = nullptr;  ///< never null; must outlive the ProtectedPaths
  CheckCommands commands;
  /// [evaluation] protected and its exceptions: patterns of base/glob.hpp; a match of a directory covers its
  /// whole content. `unprotect` lifts built-in protection; a path that both match is protected.
  std::vector<std::string> protect, unprotect;
  /// Bytes of a file of the base; absent or without a value: scripts behind `npm test`, `make test` and `sh
  /// test.sh` are not read. Called for package.json, Makefile and shell scripts only.
  std::function<std::optional<std::string>(std::string_view)> base_text;
  ReadTexts base_texts = {};  ///< of the base; absent: none
  /// the user's checkout, searched for installed packages; empty: not searched
  std::filesystem::path checkout = {};
  std::string path = "/usr/bin:/bin";  ///< PATH of the checks
};

/// The rules of one race. Construction is linear in the number of the base's paths; a look-up is cheap.
class ProtectedPaths {
 public:
  explicit ProtectedPaths(ProtectionContext context);
  ProtectedPaths(const ProtectedPaths&) = delete;
  ProtectedPaths& operator=(const ProtectedPaths&) = delete;
  /// Protection of a path of the base, or of a path that a candidate adds; nothing: not protected.
  [[nodiscard]] std::optional<Protection> of(std::string_view path) const;
  [[nodiscard]] const trees::BaseTree& base() const { return *context_.base; }
  [[nodiscard]] const CheckCommands& commands() const { return context_.commands; }
  /// Returns whether tests would be at this path (ProtectedKind::test_file before [evaluation] applies).
  [[nodiscard]] bool is_test(std::string_view path) const;
  /// Returns those of these paths without protection that only the base's tests reach (names.hpp).
  [[nodiscard]] std::set<std::string> only_tests_reach(const std::vector<std::string>& paths) const;
  /// Programs that the commands name, without directories: "pytest", "npm".
  [[nodiscard]] const std::unordered_set<std::string>& programs() const { return programs_; }
  [[nodiscard]] Names& names() const { return *names_; }

 private:
  [[nodiscard]] std::optional<Protection> built_in(std::string_view path) const;
  [[nodiscard]] std::optional<Protection> shadows(std::string_view path) const;
  [[nodiscard]] bool runs_python() const;
  [[nodiscard]] bool replaces_module(std::string_view path) const;
  [[nodiscard]] bool in_test_directory(std::string_view path) const;
  void read_command(std::string_view command, RestoreAction scripts, int depth);
  void read_package_scripts(std::string_view command, RestoreAction scripts, int depth);

  ProtectionContext context_;
  std::unordered_set<std::string> test_directories_, other_directories_;
  std::unordered_set<std::string> programs_, searched_;  ///< searched_: programs searched in PATH
  std::unordered_map<std::string, Protection> scripts_;
  std::unique_ptr<Names> names_;
  std::string interpreter_;  ///< Python interpreter that a command names first
  bool lists_sources_ = false, has_python_tests_ = false;
  bool in_script_ = false;  ///< set while commands of a script, not of the configuration, are read
};

struct RestoreStep {
  std::string path;
  RestoreAction action = RestoreAction::base;
  ProtectedKind kind = ProtectedKind::test_file;
  std::string reason;
  bool is_data = false;  ///< data that nothing but the base's tests names
};

struct RestorePlan {
  /// A step per path, in the order of execution: `remove` first (a file may replace a directory of the base),
  /// then `base`, `keys`, `flag`; sorted by path within each.
  std::vector<RestoreStep> steps;
  /// true: the candidate added or changed tests, or changed a script of the base that runs them; a second run
  /// with its own tree can have new names
  bool own_tests = false;
};

/// Plans the gating run's tree: the candidate's tree with these steps carried out. A moved test (a rename, or
/// a deletion and an addition) is at its old path again and nowhere else.
RestorePlan plan_restore(std::span<const trees::Change> changes, const ProtectedPaths& rules);
/// Adds a `remove` for each added path that a checkout which ignores letter case would take for a protected
/// one: a path of the base, or one that a tool opens by name ("Node_Modules/x", "Conftest.py").
void protect_other_cases(RestorePlan& plan, std::span<const trees::Change> changes,
                         const ProtectedPaths& rules);

/// Result of restoring by key.
struct RestoredKeys {
  std::string text;  ///< text of the file in the gating run
  std::vector<std::string>
      keys;  ///< keys whose value was restored: "scripts.test"; empty: text is the candidate's
};

/// Returns whether restore_keys() knows the file (package.json, pyproject.toml, setup.cfg, Cargo.toml,
/// deno.json, composer.json, Makefile, …).
bool has_restorable_keys(std::string_view path);

/// Returns the candidate's file with the base's value of every key that selects, configures or replaces
/// checks, at its former place; all other keys are the candidate's. `base` is empty if the base lacks the
/// file. JSON keeps its order; TOML is serialised from its values, without comments: fit for a run, never for
/// a commit. Error (`protocol`): the candidate's text does not parse or exceeds 8 MiB; the caller takes the
/// base's bytes.
Result<RestoredKeys> restore_keys(std::string_view path, std::string_view base, std::string_view candidate,
                                  const CheckCommands& commands);

}  // namespace hydra::integrity
