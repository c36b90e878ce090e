// trees: checkouts of bases, below the layers of agents' worktrees. The first agent makes the checkout of a
// base, which is never written again and stays as long as a race uses it.
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

/// Name of a race's shared base, derived from everything that its checkout depends on.
std::string shared_base_name(const model::RaceSpec& spec);

class SharedBases {
 public:
  /// `trash`: directory for unused bases, on the file system of `directory`.
  SharedBases(fs::path directory, fs::path trash)
      : directory_(std::move(directory)), trash_(std::move(trash)) {}

  /// Path of the tree of that name, whether it exists or not.
  [[nodiscard]] fs::path tree(const std::string& name) const { return directory_ / name / "tree"; }
  /// Writes `name` into the file `mark`, then makes the tree if it is missing. Blocking; concurrent calls for
  /// one name wait.
  Result<void> make(const std::string& name, const git::Store& store, const fs::path& mark) const;
  /// Removes trees that no mark names. `used` reads the marks while no mark is being written; does nothing if
  /// a caller is writing one.
  void drop_unused(const std::function<std::set<std::string>()>& used) const;

 private:
  fs::path directory_, trash_;
};

/// Applies a layer to `tree`, a copy of its lower tree, so that it equals the overlay of both: entries with
/// modes and times, without FIFOs, sockets and devices. The caller must have exclusive access to both.
Result<void> merge_layer(const fs::path& upper, const fs::path& tree);

}  // namespace hydra::trees
