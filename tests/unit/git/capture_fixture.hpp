// An agent's directory, captured again and again.
#pragma once

#include "fixture.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::git::test {

/// The paths of start().
inline constexpr const char* kBase = ".gitignore\na.txt\ndir/b.txt\ndir/c.txt\nlink\nrun.sh";

class CaptureTest : public GitTest {
 protected:
  void start() {
    sample();
    store_ = store();
    work_ = workspace(*store_);
  }
  /// In the place of the agent's directory another one, as new.
  void start_again() { work_ = workspace(*store_); }
  model::Capture take(const std::vector<std::string>& litter = {}) {
    return capture(*store_, "codex", litter);
  }
  std::string names_of(const model::Capture& c) const { return names(*store_, c.commit); }
  std::string content_of(const model::Capture& c, const std::string& path) const {
    return content(*store_, c.commit, path);
  }
  static const model::LeftOut* row(const model::Capture& c, const std::string& path) {
    for (const auto& r : c.left_out)
      if (r.path == path) return &r;
    return nullptr;
  }
  std::optional<Store> store_;
  fs::path work_;
};

}  // namespace hydra::git::test
