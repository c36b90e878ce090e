// trees: checkouts of bases that agents' worktrees are layers over. Made once for a base, by whichever agent
// is first, never written again, and kept as long as a race stands on them.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <functional>
#include <set>
#include <string>

namespace hydra::trees {

namespace fs = std::filesystem;

/// The name of a race's base among them: what a checkout of it depends on.
std::string shared_base_name(const model::RaceSpec& spec);

class SharedBases {
 public:
  /// `trash`: where what nobody needs goes, on the file system of `directory`.
  SharedBases(fs::path directory, fs::path trash)
      : directory_(std::move(directory)), trash_(std::move(trash)) {}

  /// The tree of that name, whether it is there or not.
  [[nodiscard]] fs::path tree(const std::string& name) const { return directory_ / name / "tree"; }
  /// Writes `name` into the file `mark`, then makes the tree where it is not there. Blocking; others who want
  /// the same one wait.
  Result<void> make(const std::string& name, const git::Store& store, const fs::path& mark) const;
  /// Removes those that no mark names. `used` reads the marks while nobody writes one; nothing is done where
  /// somebody does.
  void drop_unused(const std::function<std::set<std::string>()>& used) const;

 private:
  fs::path directory_, trash_;
};

/// Brings `tree`, a copy of what the layer is over, to what an overlay of both shows: the layer's entries
/// with their modes and times, without FIFOs, sockets and devices. Nobody else may be at work in either.
Result<void> merge_layer(const fs::path& upper, const fs::path& tree);

}  // namespace hydra::trees
