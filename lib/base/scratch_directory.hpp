// base: a directory of our own, which goes away with what is in it.
#pragma once

#include "base/files.hpp"

#include <cerrno>
#include <cstdlib>

namespace hydra {

class ScratchDirectory {
 public:
  /// `pattern`: its path, with XXXXXX at the end for what makes the name its own.
  explicit ScratchDirectory(const fs::path& pattern) {
    std::string name = pattern.string();
    if (::mkdtemp(name.data()) != nullptr)
      path_ = name;
    else
      error_ = errno;
  }
  ~ScratchDirectory() {
    if (!path_.empty()) (void)remove_tree(path_);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }  ///< empty: it could not be made
  [[nodiscard]] int error() const { return error_; }            ///< errno of that

 private:
  fs::path path_;
  int error_ = 0;
};

}  // namespace hydra
