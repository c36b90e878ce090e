// base: makes absolute workspace paths in logs and reports relative to the repository, so that users do not
// mistake their own file for the candidate's. Pure; text may come in chunks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// Removes prefixes (absolute paths; "/" is ignored) at path boundaries: "/home/u/app/src/a.c" -> "src/a.c",
/// also in JSON-escaped paths and file:// URIs, which are percent-decoded. Line numbers stay valid.
class PathStripper {
 public:
  explicit PathStripper(const std::vector<std::string>& prefixes);
  /// Returns the output that later bytes cannot change: whole lines, and the part of an unfinished line that
  /// cannot begin a prefix.
  std::string feed(std::string_view bytes);
  /// Returns the remaining output.
  std::string finish();

 private:
  std::string run(std::size_t end);
  std::vector<std::string> prefixes_;  // sorted, longest first
  std::size_t window_ = 0;             // bytes of look-ahead that a decision may need
  std::string pending_;
  char before_ = '\n';
  bool in_uri_ = false;
};

std::string strip_paths(std::string_view text, const std::vector<std::string>& prefixes);

}  // namespace hydra
