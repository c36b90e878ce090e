// config: questions about build tools: markers, files that require a new set-up, warm directories, caches
// below the home directory, offline variables. The answers are data (config/toolchains.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hydra::config {

using Texts = std::vector<std::string_view>;

enum class CacheMode {
  read_only,  ///< the cache is mounted read-only
  overlay,    ///< the tool writes into the cache: throw-away overlay, else a copy or read-only
};

/// A named cache of [workspace] caches.
struct NamedCache {
  std::string_view name;
  std::string_view directory;           ///< path below the home directory, without "~/"
  CacheMode mode = CacheMode::overlay;  ///< preferred way to show the cache
  Texts hidden;                         ///< patterns below `directory` that checks must never see
  std::string_view variable;            ///< environment variable that moves the cache; may be empty
};

std::span<const NamedCache> named_caches();
const NamedCache* find_cache(std::string_view name);
/// Returns every name, separated by ", ".
std::string cache_names();

/// Returns the complaint about an entry of [workspace] caches; nullopt: valid. Valid are a known name and a
/// path "~/…" that contains no known place of keys and tokens.
std::optional<std::string> check_cache(std::string_view entry);

/// A directory below the home directory that checks may see.
struct CachePlace {
  std::string directory;  ///< path relative to the home directory
  CacheMode mode = CacheMode::overlay;
  std::vector<std::string> hidden;  ///< patterns below `directory` that are hidden
  std::string variable;
};

/// Returns the entries of [workspace] caches as places, without entries that check_cache() complains about.
std::vector<CachePlace> cache_places(const std::vector<std::string>& entries);

/// A directory that a tool fills and that git does not track.
struct WarmDirectory {
  std::string_view path;   ///< path as in [workspace] share or outputs
  bool dependency = true;  ///< dependencies; false: a build output
};

struct Variable {
  std::string_view name, value;
  bool append = false;  ///< whether the value is appended to the user's own, after a blank
};

using Patterns = std::span<const std::string_view>;

/// A build tool. Patterns without a slash are file names at any depth; patterns with a slash are paths
/// below any directory (base/glob.hpp).
struct Ecosystem {
  std::string_view name;
  Texts markers;        ///< files that make a directory a project of this tool
  Texts manifests;      ///< manifests and lock files: a change requires a new set-up
  Texts configuration;  ///< settings of compiler, build and test runner: a change requires a cold build
  Texts sources;        ///< files that the tool compiles or runs
  std::vector<WarmDirectory> directories;
  std::vector<Variable> always;   ///< variables that checks need for a right verdict
  std::vector<Variable> offline;  ///< variables for runs without network: downloads fail at once
  Texts caches;                   ///< names of named_caches()
  Texts dropped;                  ///< kinds of files dropped when new in a diff and absent from the base
  Texts weak_markers;  ///< subset of `markers` that does not count alone if a tool of `yields_to` is found
  Texts yields_to;     ///< names of ecosystems
  bool setup_configures = false;     ///< whether set-up writes outputs: without outputs it must run again
  bool lists_sources = false;        ///< whether build files list sources, also of tests
  bool setup_lists_sources = false;  ///< whether set-up lists sources: new ones require a set-up
};

std::span<const Ecosystem> ecosystems();
const Ecosystem* find_ecosystem(std::string_view name);
/// Returns the entry that belongs to no tool and always counts: version files, submodules, byte code.
const Ecosystem& common_ecosystem();

using EcosystemSet = std::vector<const Ecosystem*>;

/// Returns the tools whose markers are among these repository-relative paths, in the order of the tool files.
/// Markers in directories of test data or dependencies are ignored.
EcosystemSet detect_ecosystems(std::span<const std::string> paths);

/// Returns the kinds of files that checks drop where the base has none, of all tools.
Texts dropped_kinds();
/// Returns the kinds of files that a merge leaves out where the base has none: dropped_kinds(), vendored
/// directories, and files that projects ignore by convention.
Texts unmerged_kinds();

/// Whether a path matches one of the patterns.
bool names_one_of(Patterns patterns, std::string_view path);
/// Finds the patterns that match a path without trying all of them; each pattern has a number.
class PatternIndex {
 public:
  void add(std::string_view pattern, std::size_t number);
  void add(Patterns patterns, std::size_t number = 0) {
    for (const auto pattern : patterns) add(pattern, number);
  }
  /// Returns the numbers of the matching patterns, unordered; a number may occur twice.
  [[nodiscard]] std::vector<std::size_t> of(std::string_view path) const;
  [[nodiscard]] bool names(std::string_view path) const { return !of(path).empty(); }

 private:
  struct Entry {
    std::string_view pattern;
    std::size_t number;
  };
  using Entries = std::unordered_map<std::string_view, std::vector<Entry>>;
  Entries names_;        ///< whole names
  Entries endings_;      ///< "*_test.go" by ".go"
  Entries directories_;  ///< with a slash, by their first component
  std::vector<Entry> others_;
};

/// Whether the path lies in a directory of test data ("fixtures", "testdata", …). Manifests there install
/// nothing.
bool is_test_data(std::string_view path);
/// Whether the path lies in test data or in foreign code (`node_modules`, `vendor`).
bool is_no_project(std::string_view path);

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Returns `user` with the variables of these tools set or appended; `network` omits the offline variables.
/// CI is never set, since it changes verdicts.
Environment check_environment(const EcosystemSet& set, Environment user, bool network);

}  // namespace hydra::config
