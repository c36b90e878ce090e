// config: what is asked about build tools: files that mark them, files that mean "set up again", warm
// directories, caches below the home directory, offline variables. The answers are data
// (config/toolchains.hpp).
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
  read_only,  ///< shown as it is; nobody writes
  overlay,    ///< the tool writes into it: under an overlay that is thrown away, else a copy or read-only
};

/// One named cache of [workspace] caches.
struct NamedCache {
  std::string_view name;
  std::string_view directory;           ///< below the home directory, no leading "~/"
  CacheMode mode = CacheMode::overlay;  ///< how it is best shown
  Texts hidden;                         ///< patterns below `directory` that no check may ever see
  std::string_view variable;            ///< environment variable that moves it; may be empty
};

std::span<const NamedCache> named_caches();
const NamedCache* find_cache(std::string_view name);
/// Every name, with ", " between.
std::string cache_names();

/// Complaint about one entry of [workspace] caches: a known name, or a path "~/…" that holds no known place
/// of keys and tokens. Nothing: fine.
std::optional<std::string> check_cache(std::string_view entry);

/// A directory below the home directory that checks may see.
struct CachePlace {
  std::string directory;  ///< relative to the home directory
  CacheMode mode = CacheMode::overlay;
  std::vector<std::string> hidden;  ///< patterns below `directory`
  std::string variable;
};

/// The entries of [workspace] caches as places; entries that check_cache() complains about are left out.
std::vector<CachePlace> cache_places(const std::vector<std::string>& entries);

/// A directory that a tool fills and git does not hold.
struct WarmDirectory {
  std::string_view path;   ///< as [workspace] share or outputs has it
  bool dependency = true;  ///< else a build output
};

struct Variable {
  std::string_view name, value;
  bool append = false;  ///< goes behind the user's own value, with a blank between
};

using Patterns = std::span<const std::string_view>;

/// One build tool. Patterns without a slash are file names at any depth; with one they are paths, which may
/// stand below any directory (base/glob.hpp).
struct Ecosystem {
  std::string_view name;
  Texts markers;        ///< a directory with one of these is a project of this tool
  Texts manifests;      ///< manifests and lock files: a change means "set up again"
  Texts configuration;  ///< of compiler, build and test runner: a change means "cold build"
  Texts sources;        ///< what it compiles or runs
  std::vector<WarmDirectory> directories;
  std::vector<Variable> always;   ///< what checks need for a right verdict
  std::vector<Variable> offline;  ///< without network: what needs it fails in a second, not in ninety
  Texts caches;                   ///< names of named_caches()
  Texts dropped;                  ///< kinds that are dropped when new in a diff and the base has none
  Texts weak_markers;             ///< of `markers`: alone they don't count where one of `yields_to` is found
  Texts yields_to;                ///< names of ecosystems
  bool setup_configures = false;  ///< set-up writes into the outputs: without them it must run again
  bool lists_sources = false;     ///< its build files list sources, those of tests too
  bool setup_lists_sources = false;  ///< set-up enumerates sources: a new one means "set up again"
};

std::span<const Ecosystem> ecosystems();
const Ecosystem* find_ecosystem(std::string_view name);
/// What belongs to no tool and always counts: files that choose tool versions, submodules, byte code.
const Ecosystem& common_ecosystem();

using EcosystemSet = std::vector<const Ecosystem*>;

/// The tools whose markers are among these repository-relative paths, in the order of their files. Marker
/// files in directories of test data or of dependencies don't count.
EcosystemSet detect_ecosystems(std::span<const std::string> paths);

/// Does a path match one of such patterns?
bool names_one_of(Patterns patterns, std::string_view path);
/// Many such patterns, each with a number: which of them match is found without trying all.
class PatternIndex {
 public:
  void add(std::string_view pattern, std::size_t number);
  void add(Patterns patterns, std::size_t number = 0) {
    for (const auto pattern : patterns) add(pattern, number);
  }
  /// Numbers of the patterns that match, in no order; one may come twice.
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

/// Lies it in a directory of test data ("fixtures", "testdata", …)? Manifests there install nothing.
bool is_test_data(std::string_view path);

using Environment = std::vector<std::pair<std::string, std::string>>;

/// `user` with the variables of these tools set or appended; `network` leaves the offline ones out. CI is
/// never set: it changes verdicts.
Environment check_environment(const EcosystemSet& set, Environment user, bool network);

}  // namespace hydra::config
