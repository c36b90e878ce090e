#include "client/sse.hpp"

namespace hydra::client {

bool SseParser::feed(std::string_view bytes, const std::function<void(const StreamEvent&)>& sink) {
  while (!bytes.empty()) {
    // CR LF may be split between two pieces: the LF then ends no second line.
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
    const auto end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      if (buffer_.size() + bytes.size() > max_line_) return false;
      buffer_ += bytes;
      return true;
    }
    if (buffer_.size() + end > max_line_) return false;
    after_cr_ = bytes[end] == '\r';
    if (buffer_.empty()) {
      line(bytes.substr(0, end), sink);
    } else {
      buffer_ += bytes.substr(0, end);
      const std::string whole = std::move(buffer_);
      buffer_.clear();
      line(whole, sink);
    }
    bytes.remove_prefix(end + 1);
    if (frame_.data.size() > max_line_) return false;
  }
  return true;
}

void SseParser::line(std::string_view text, const std::function<void(const StreamEvent&)>& sink) {
  if (first_line_ && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  first_line_ = false;
  if (text.empty()) {
    if (has_data_) {
      if (frame_.event.empty()) frame_.event = "message";
      sink(frame_);
    }
    frame_ = {};
    has_data_ = false;
    return;
  }
  if (text.front() == ':') return;
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    if (has_data_) frame_.data += '\n';
    frame_.data += value;
    has_data_ = true;
  } else if (name == "event") {
    frame_.event = value;
  } else if (name == "id" && value.find('\0') == std::string_view::npos) {
    frame_.id = value;
  }
}

}  // namespace hydra::client
