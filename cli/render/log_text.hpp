// cli: log bytes that arrive in pieces, made fit to show. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hydra::cli {

/// Cuts only where a line ends (or where one is longer than 64 KiB, between two characters), so that no
/// escape sequence or character is torn before it is sanitised.
class LogText {
 public:
  /// What can be shown of all bytes so far; each line with its LF.
  std::string feed(std::string_view bytes);
  /// The rest, with an LF where it had none.
  std::string finish();

 private:
  std::string pending_;
};

}  // namespace hydra::cli
