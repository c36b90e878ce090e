// integrity: which paths a candidate must not judge itself by (tests, their configuration, runner hooks,
// check scripts, CI, lint configuration), and what becomes of its changes to them in the gating run. Pure:
// names and texts in, a plan out. docs/integrity.md.
#pragma once

#include "base/result.hpp"
#include "config/toolchains.hpp"
#include "integrity/protect/resolution.hpp"
#include "trees/rebuild.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hydra::integrity {

using config::ProtectedKind;
using config::RestoreAction;
/// "test file", "runner hook": for people and for JSON (with '_' for the blank there: the caller's choice).
std::string_view name(ProtectedKind kind);

std::string_view name(RestoreAction action);

/// Whether a file of this name is written in a programming language; build files are, settings and data are
/// not.
bool is_source(std::string_view path);

/// Commands of the frozen configuration; empty ones are not configured.
struct CheckCommands {
  std::string build, test, lint, setup;
};

struct Protection {
  ProtectedKind kind = ProtectedKind::test_file;
  RestoreAction on_change = RestoreAction::base;  ///< base or remove (the same rule), keys, flag
  std::string reason;                             ///< one clause: "pytest reads it before any test"
};

struct ProtectedPath {
  std::string path;
  Protection protection;
};

struct ProtectionContext {
  const trees::BaseTree* base = nullptr;  ///< never null; must outlive the ProtectedPaths
  CheckCommands commands;
  /// [evaluation] protected and unprotected: patterns of base/glob.hpp; one that matches a directory covers
  /// all of it. `unprotect` takes built-in protection away; where both match, a path is protected.
  std::vector<std::string> protect, unprotect;
  /// Bytes of a file of the base; absent or without a value: scripts behind `npm test`, `make test` and
  /// `sh test.sh` are not looked into. Called for package.json, Makefile and shell scripts only.
  std::function<std::optional<std::string>(std::string_view)> base_text;
  /// Texts of these files of the base, one after the other, as far as they are readable; absent: none.
  std::function<std::string(const std::vector<std::string>&)> base_texts = {};
  std::filesystem::path checkout = {};  ///< the user's, for what is installed in it; empty: not looked into
  std::string path = "/usr/bin:/bin";   ///< PATH of the checks
};

/// The rules of one race. Linear in the number of the base's paths to make; a question is cheap.
class ProtectedPaths {
 public:
  explicit ProtectedPaths(ProtectionContext context);
  ProtectedPaths(const ProtectedPaths&) = delete;
  ProtectedPaths& operator=(const ProtectedPaths&) = delete;
  /// Why this path is protected, whether the base has it or a candidate brings it along; nothing: it is not.
  [[nodiscard]] std::optional<Protection> of(std::string_view path) const;
  /// Every protected path of the base, sorted.
  [[nodiscard]] std::vector<ProtectedPath> all() const;
  [[nodiscard]] const trees::BaseTree& base() const { return *context_.base; }
  [[nodiscard]] const CheckCommands& commands() const { return context_.commands; }
  /// Would tests live here? (ProtectedKind::test_file before [evaluation] has its say.)
  [[nodiscard]] bool is_test(std::string_view path) const;
  /// Programs that the commands name, without directories: "pytest", "npm".
  [[nodiscard]] const std::unordered_set<std::string>& programs() const { return programs_; }
  /// What a file that the base has not would take the place of, for the tests (resolution.hpp); empty:
  /// nothing.
  [[nodiscard]] std::string_view takes_place_of(std::string_view path) const;

 private:
  [[nodiscard]] std::optional<Protection> built_in(std::string_view path) const;
  [[nodiscard]] std::optional<Protection> shadows(std::string_view path) const;
  [[nodiscard]] bool runs_python() const;
  void make_resolution();
  [[nodiscard]] bool is_only_for_tests(std::string_view path) const;
  [[nodiscard]] std::string texts(bool of_tests) const;
  [[nodiscard]] std::string search_settings() const;
  [[nodiscard]] bool replaces_module(std::string_view path) const;
  [[nodiscard]] bool in_test_directory(std::string_view path) const;
  void read_command(std::string_view command, RestoreAction scripts, int depth);
  void read_package_scripts(std::string_view command, RestoreAction scripts, int depth);

  ProtectionContext context_;
  std::unordered_set<std::string> test_directories_, other_directories_;
  std::unordered_set<std::string> programs_, searched_;  ///< searched_: those looked for on the path
  std::unordered_map<std::string, Protection> scripts_;
  std::shared_ptr<Resolution> resolution_;
  struct Vendored;
  std::shared_ptr<Vendored> vendored_;
  std::string interpreter_;  ///< of Python, as a command names it first
  bool lists_sources_ = false, has_python_tests_ = false;
  bool in_script_ = false;  ///< while commands are read: those of a script, not of the configuration
};

struct RestoreStep {
  std::string path;
  RestoreAction action = RestoreAction::base;
  ProtectedKind kind = ProtectedKind::test_file;
  std::string reason;
  bool in_base = false;
};

struct RestorePlan {
  /// One a path, in the order in which they have to be carried out: `remove` first (a file may stand where a
  /// directory of the base was), then `base`, `keys`, `flag`; sorted by path within each.
  std::vector<RestoreStep> steps;
  /// The candidate added or changed tests: a second run with its own tree can know new names.
  bool own_tests = false;
};

/// The gating run's tree is the candidate's with these steps carried out. A moved test (a rename, or a
/// deletion and an addition) stands at its old place again and nowhere else.
RestorePlan plan_restore(std::span<const trees::Change> changes, const ProtectedPaths& rules);

/// Result of restoring by key.
struct RestoredKeys {
  std::string text;  ///< what the gating run's file has
  std::vector<std::string>
      keys;  ///< those whose value was put back: "scripts.test"; empty: text is the candidate's
};

/// Is this a file that restore_keys() knows (package.json, pyproject.toml, setup.cfg, Cargo.toml, deno.json,
/// composer.json, Makefile, …)?
bool has_restorable_keys(std::string_view path);

/// The candidate's file with the base's value of every key that selects, configures or replaces checks, at
/// the place where it stood; all other keys are the candidate's. `base` is empty where the base has no such
/// file. JSON keeps its order; TOML is written anew from its values, without comments: fit for a run, never
/// for a commit. Error (`protocol`): the candidate's text is not of its format, then take the base's bytes;
/// texts above 8 MiB are refused likewise.
Result<RestoredKeys> restore_keys(std::string_view path, std::string_view base, std::string_view candidate,
                                  const CheckCommands& commands);

}  // namespace hydra::integrity
