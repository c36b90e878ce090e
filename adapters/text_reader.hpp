// adapters, inside the room: reads plain text line by line, by a descriptor's patterns.
#pragma once

#include "adapters/tally.hpp"

#include <map>
#include <memory>
#include <string_view>

namespace hydra::adapters {

class TextReader {
 public:
  explicit TextReader(const model::TextRules& rules);

  /// `begin`: first bytes of the line; `end`: last bytes. Both are equal for a short line.
  void line(std::string_view begin, std::string_view end, Tally& tally);
  [[nodiscard]] const model::Usage& usage() const { return usage_; }

 private:
  bool count(std::string_view line);

  std::unique_ptr<RE2> usage_re_, error_re_, progress_re_, session_re_, tool_re_;
  bool sum_tokens_ = true, input_includes_cache_ = false;
  std::map<std::string, int> groups_;
  model::Usage usage_;
};

}  // namespace hydra::adapters
