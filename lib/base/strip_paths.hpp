// base: absolute paths of a workspace in logs and reports become names relative to the repository, so that
// nobody takes the user's file for the candidate's. Pure; text may come in pieces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// Takes prefixes (absolute paths, "/" alone is ignored) off at path boundaries only: "/home/u/app/src/a.c"
/// becomes "src/a.c", the directory itself ".", "/home/u/app2" stays. Also with slashes escaped as in JSON
/// ("\/home\/u"), and as file:// URIs, whose percent encoding is decoded but for control characters. Line
/// ends are never touched, so line numbers stay.
class PathStripper {
 public:
  explicit PathStripper(const std::vector<std::string>& prefixes);
  /// What is certain of all bytes so far: whole lines, and of an unfinished one what can't be a prefix's
  /// begin.
  std::string feed(std::string_view bytes);
  /// The rest.
  std::string finish();

 private:
  std::string run(std::size_t end);
  std::vector<std::string> prefixes_;  // longest first
  std::size_t window_ = 0;             // bytes that a decision may need
  std::string pending_;
  char before_ = '\n';
  bool in_uri_ = false;
};

std::string strip_paths(std::string_view text, const std::vector<std::string>& prefixes);

}  // namespace hydra
