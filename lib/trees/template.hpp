// trees: templates. A race's base, set up and built once and never written again: the start of every check
// workspace (docs/workspaces.md). Templates outlive their race, up to a size limit.
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"
#include "git/repository.hpp"
#include "model/event.hpp"
#include "model/race_spec.hpp"
#include "trees/identity.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hydra::trees {

namespace fs = std::filesystem;

/// All inputs of a template. Two races with equal texts share it.
struct TemplateKey {
  std::string
      text;  ///< base tree, set-up, build, warm, environment, identity of the copied files and of the tools
  std::string digest;   ///< name of its directory
  std::string project;  ///< digest of all inputs but the base: equal for templates of one project's commits
};
TemplateKey template_key(const model::RaceSpec& spec, const Inputs& inputs);

/// Returns whether results of the base's build are kept for candidates: a build or `warm` command is
/// configured, and `outputs` names the results to remove when a candidate deletes a source.
bool keeps_outputs(const model::Config& config);
/// Returns whether the template runs build and `warm`: files that `warm` leaves in the home (a compiler's
/// cache) are kept even without `outputs`.
bool warms_up(const model::Config& config);

/// Copies a whole tree of a template: a snapshot for a btrfs subvolume, otherwise file by file. `to` must not
/// exist.
Result<void> whole_copy(const fs::path& from, const fs::path& to);

/// A template's directory.
struct TemplatePaths {
  fs::path root;
  [[nodiscard]] fs::path cold() const { return root / "cold"; }  ///< after checkout, copies and set-up
  [[nodiscard]] fs::path warm() const {
    return root / "warm";
  }  ///< overlay: the layer above cold; otherwise a whole tree
  [[nodiscard]] fs::path work() const { return root / "work"; }
  [[nodiscard]] fs::path mount() const { return root / "mount"; }
  [[nodiscard]] fs::path home() const { return root / "home"; }  ///< $HOME after set-up and build
  /// the named caches after set-up and build
  [[nodiscard]] fs::path caches() const { return root / "caches"; }
  /// one directory a kind of check, once made
  [[nodiscard]] fs::path byte_code() const { return root / "bytecode"; }
};

struct TemplateMeta {
  std::string key;
  std::string project, base;     ///< TemplateKey::project; commit
  bool warm = false;             ///< warm() holds the base's build results
  std::int64_t finished_ns = 0;  ///< Unix time of the last write
  /// a command renames directories of the template, which fails on overlays (EXDEV)
  bool copies_only = false;
  std::uint64_t bytes = 0;
  std::int64_t used_ms = 0;
  std::vector<std::string> notes;
};

struct TemplateInfo {
  std::string digest;
  TemplateMeta meta;
};

/// The directory of templates. Blocking; several threads may read, and one thread at a time may make a given
/// template.
class Templates {
 public:
  Templates(fs::path directory, fs::path trash)
      : directory_(std::move(directory)), trash_(std::move(trash)) {}

  [[nodiscard]] TemplatePaths at(const std::string& digest) const { return {directory_ / digest}; }
  [[nodiscard]] TemplatePaths unfinished(const std::string& digest) const {
    return {directory_ / (digest + ".new")};
  }

  /// Returns the finished template of this key, if any; counts as a use.
  [[nodiscard]] std::optional<TemplateMeta> find(const TemplateKey& key, std::int64_t now_ms) const;

  /// Returns the finished template of a digest, whatever its key.
  [[nodiscard]] std::optional<TemplateMeta> open(const std::string& digest) const {
    return read_meta(digest);
  }

  /// Makes the tree up to the set-up: checkout of the base, copies of the user's files, and mtimes of sources
  /// whose bytes equal those in the user's checkout. Finished work of an earlier try of this race is reused;
  /// another race's is discarded. Results of an earlier base's set-up are taken over (trees/earlier.hpp)
  /// unless `from_nothing`. Returns the duration of each step of this call.
  Result<std::vector<model::TemplateStep>> begin(const TemplateKey& key, const git::Store& store,
                                                 const model::RaceSpec& spec, std::vector<std::string>& notes,
                                                 bool from_nothing) const;
  /// Makes the layer for build results over the set-up tree, with those of the earlier base; call after the
  /// set-up.
  Result<void> begin_warm(const TemplateKey& key, const git::Store& store, const model::RaceSpec& spec) const;
  /// Returns the earlier base's template that the unfinished one began with; empty: none.
  [[nodiscard]] std::string earlier_of(const TemplateKey& key) const;
  /// Removes byte code, test runners' caches and reports that the commands left, and publishes the template.
  Result<TemplateMeta> finish(const TemplateKey& key, const git::Store& store, const model::RaceSpec& spec,
                              bool warm, std::vector<std::string> notes, std::int64_t now_ms) const;
  /// Gives an unfinished template up.
  void abandon(const TemplateKey& key) const;
  /// Marks the template: it is copied instead of overlaid from now on.
  void remember_copies_only(const std::string& digest) const;

  [[nodiscard]] std::vector<TemplateInfo> list() const;
  /// Removes the least recently used templates until the rest fits into `cap_bytes`; never one of `in_use`.
  /// Returns the removed digests.
  std::vector<std::string> evict(std::uint64_t cap_bytes, const std::set<std::string>& in_use) const;
  /// Removes, after a restart, unfinished templates that no open race owns.
  void drop_unfinished(const std::set<std::string>& open_races) const;

 private:
  [[nodiscard]] std::optional<TemplateMeta> read_meta(const std::string& digest) const;
  Result<void> write_meta(const fs::path& root, const TemplateMeta& meta) const;
  /// Takes over the set-up of the last template of another base of this project. Returns false without one.
  [[nodiscard]] Result<bool> take_set_up(const TemplateKey& key, const git::Store& store,
                                         const model::RaceSpec& spec) const;
  fs::path directory_, trash_;
};

}  // namespace hydra::trees
