// cli: makes log bytes that arrive in chunks safe to show. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hydra::cli {

/// Cuts only at line ends (or, in a line above 64 KiB, between two characters), so that no escape sequence or
/// character is split before sanitising.
class LogText {
 public:
  /// Returns the text that can be shown so far; each line with LF.
  std::string feed(std::string_view bytes);
  /// Returns the rest, with LF at its end.
  std::string finish();

 private:
  std::string pending_;
};

}  // namespace hydra::cli
