// hydra-shim: the job's tree on the node's own disk. The tree arrives as an archive in the attempt's
// directory and is unpacked in a directory of this attempt; the job's changes return as another archive.
// tar(1) makes and unpacks both.
#pragma once

#include "base/fd.hpp"
#include "spec.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace shim {

class Scratch {
 public:
  /// `dir`: the attempt's directory. Does nothing for a spec without a scratch place.
  Scratch(std::string dir, const Spec& spec);
  ~Scratch() { clear(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Makes the directory and unpacks the tree, after removing leftovers of killed supervisors. False with a
  /// sentence in `problem`. A cancel interrupts it.
  bool fill(std::string& problem);
  /// Archives the job's changes of the tree, retrying on a full disk for a limited time. False with a
  /// sentence in `problem`: the work is lost.
  bool give_back(std::string& problem);
  /// Removes the directory.
  void clear();

 private:
  /// Identity of the file at a path, and its ctime, which no payload can set.
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t changed = 0;
    std::uint32_t type = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::map<std::string, Stamp>;

  [[nodiscard]] Stamps look() const;
  [[nodiscard]] std::string in_words(const std::string& what) const;
  bool write_back();
  void sweep() const;

  std::string dir_;
  const Spec& spec_;
  std::string node_;
  hydra::UniqueFd lock_;  ///< lock on the directory: only a dead supervisor's can be taken
  Stamps before_;
};

/// Returns whether the attempt is asked to end: by the engine with a signal, which is blocked, or by the
/// daemon with a file.
bool asked_to_end(const std::string& dir);

}  // namespace shim
