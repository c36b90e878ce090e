// base: a private temporary directory, removed with its contents by the destructor.
#pragma once

#include "base/files.hpp"

#include <cerrno>
#include <cstdlib>

namespace hydra {

class ScratchDirectory {
 public:
  /// `pattern`: path that ends in XXXXXX, as for mkdtemp.
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
  [[nodiscard]] const fs::path& path() const { return path_; }  ///< path; empty: mkdtemp failed
  [[nodiscard]] int error() const { return error_; }            ///< errno of mkdtemp; 0: success

 private:
  fs::path path_;
  int error_ = 0;
};

}  // namespace hydra
