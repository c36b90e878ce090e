// client: reader of a server-sent event stream. Input may be split anywhere.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hydra::client {

struct StreamEvent {
  std::string id;     ///< empty: the frame has none
  std::string event;  ///< "message" when the frame has none
  std::string data;   ///< lines joined by LF
};

class SseParser {
 public:
  /// Calls `sink` for every frame that `bytes` completes. False: a line or a frame exceeds `max_line`; the
  /// stream is unusable, and no further bytes may be fed.
  bool feed(std::string_view bytes, const std::function<void(const StreamEvent&)>& sink);
  explicit SseParser(std::size_t max_line = 64u << 20) : max_line_(max_line) {}

 private:
  void line(std::string_view text, const std::function<void(const StreamEvent&)>& sink);

  std::size_t max_line_;
  std::string buffer_;
  StreamEvent frame_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool first_line_ = true;
};

}  // namespace hydra::client
