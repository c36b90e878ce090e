// trees: templates. The base of a race, set up and built once and then never written again: what every check
// workspace starts from (toolchains reference, section 1). They outlive their race, under a cap.
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"
#include "git/repository.hpp"
#include "model/event.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hydra::trees {

namespace fs = std::filesystem;

/// Everything that a template depends on. Two races with the same text share it.
struct TemplateKey {
  std::string
      text;  ///< base tree, set-up, build, warm, environment, identity of what is copied and of the tools
  std::string digest;  ///< name of its directory
};
/// Reads the identity of the user's files (inode, size, mtime), not their content.
TemplateKey template_key(const model::RaceSpec& spec);

/// Whether results of the base's build are kept for candidates: there is a build or `warm` command, and
/// `outputs` says which of them have to go when a candidate deletes a source.
bool keeps_outputs(const model::Config& config);
/// Whether the template runs them at all: what `warm` leaves in the home (a compiler's cache) is kept without
/// `outputs`, too.
bool warms_up(const model::Config& config);

/// Copies a whole tree of a template: a snapshot where it is a subvolume of btrfs, else file by file. `to`
/// must not exist.
Result<void> whole_copy(const fs::path& from, const fs::path& to);

/// One template's directory.
struct TemplatePaths {
  fs::path root;
  [[nodiscard]] fs::path cold() const { return root / "cold"; }  ///< after checkout, copies and set-up
  [[nodiscard]] fs::path warm() const {
    return root / "warm";
  }  ///< overlay: the layer above cold; else a whole tree
  [[nodiscard]] fs::path work() const { return root / "work"; }
  [[nodiscard]] fs::path mount() const { return root / "mount"; }
  [[nodiscard]] fs::path home() const { return root / "home"; }      ///< what set-up and build left in $HOME
  [[nodiscard]] fs::path caches() const { return root / "caches"; }  ///< the same of each named cache
  [[nodiscard]] fs::path byte_code() const { return root / "bytecode"; }  ///< by kind of check, once made
};

struct TemplateMeta {
  std::string key;
  bool warm = false;             ///< warm() holds the base's build results
  std::int64_t finished_ns = 0;  ///< Unix time of its last write
  bool copies_only = false;      ///< something renames directories of the template: overlays don't do (EXDEV)
  std::uint64_t bytes = 0;
  std::int64_t used_ms = 0;
  std::vector<std::string> notes;
};

struct TemplateInfo {
  std::string digest;
  TemplateMeta meta;
};

/// The directory of templates. Blocking; several threads may read, one thread at a time makes a certain one.
class Templates {
 public:
  Templates(fs::path directory, fs::path trash)
      : directory_(std::move(directory)), trash_(std::move(trash)) {}

  [[nodiscard]] TemplatePaths at(const std::string& digest) const { return {directory_ / digest}; }
  [[nodiscard]] TemplatePaths unfinished(const std::string& digest) const {
    return {directory_ / (digest + ".new")};
  }

  /// The finished template of this key, if there is one; counts as a use.
  [[nodiscard]] std::optional<TemplateMeta> find(const TemplateKey& key, std::int64_t now_ms) const;

  /// The finished template of a digest, whatever its key.
  [[nodiscard]] std::optional<TemplateMeta> open(const std::string& digest) const {
    return read_meta(digest);
  }

  /// Makes the tree up to where the set-up runs: checkout of the base, copies of the user's files, mtimes of
  /// sources whose bytes the user's checkout has too. What an earlier try of the same race has finished is
  /// taken over; one of another race is thrown away. Returns what took how long, for this call.
  Result<std::vector<model::TemplateStep>> begin(const TemplateKey& key, const git::Store& store,
                                                 const model::RaceSpec& spec,
                                                 std::vector<std::string>& notes) const;
  /// A place for build results over the set-up tree; to be called after the set-up.
  Result<void> begin_warm(const TemplateKey& key, const model::RaceSpec& spec) const;
  /// Removes byte code, caches of test runners and reports that the commands left, and makes it findable.
  Result<TemplateMeta> finish(const TemplateKey& key, const git::Store& store, const model::RaceSpec& spec,
                              bool warm, std::vector<std::string> notes, std::int64_t now_ms) const;
  /// Gives an unfinished one up.
  void abandon(const TemplateKey& key) const;
  /// From now on this template is copied instead of overlaid.
  void remember_copies_only(const std::string& digest) const;

  [[nodiscard]] std::vector<TemplateInfo> list() const;
  /// Removes the least recently used ones until all together are within `cap_bytes`; never one of `in_use`.
  /// Returns the digests that went.
  std::vector<std::string> evict(std::uint64_t cap_bytes, const std::set<std::string>& in_use) const;
  /// Unfinished ones that no open race owns, after a restart.
  void drop_unfinished(const std::set<std::string>& open_races) const;

 private:
  [[nodiscard]] std::optional<TemplateMeta> read_meta(const std::string& digest) const;
  Result<void> write_meta(const fs::path& root, const TemplateMeta& meta) const;
  fs::path directory_, trash_;
};

}  // namespace hydra::trees
