// hydra-shim: the job's tree on the node's own disk. It comes as an archive in the attempt's directory and
// stands in a directory of the attempt's own; what the job changed of it goes back as another archive. Both
// are made by tar(1).
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
  /// `dir`: the attempt's. Does nothing for a spec without a place.
  Scratch(std::string dir, const Spec& spec);
  ~Scratch() { clear(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Makes the directory and unpacks the tree; first what supervisors left there that were killed is removed.
  /// False with a sentence in `problem`. A cancel in between ends it.
  bool fill(std::string& problem);
  /// Writes what the tree came to, for as long as a full disk is waited for. False with a sentence in
  /// `problem`: the work is lost.
  bool give_back(std::string& problem);
  /// Takes the directory away.
  void clear();

 private:
  /// Which file stands at a path, and its change time, which no payload can set.
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
  hydra::UniqueFd lock_;  ///< on the directory: who can take it finds nobody at work there
  Stamps before_;
};

/// Somebody wants the attempt to end: the engine by a signal, which is blocked, or the daemon by a file.
bool asked_to_end(const std::string& dir);

}  // namespace shim
