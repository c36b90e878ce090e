#include "cli/mcp/wire.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace hydra::cli {

McpReader::Got McpReader::next(std::string& line) {
  std::array<char, 65536> bytes;
  for (;;) {
    const auto end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      const bool skipped = std::exchange(skipping_, false) || line.size() > most_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return skipped ? Got::too_long : Got::line;
    }
    if (ended_) return Got::end;  // an incomplete line is no message
    searched_ = buffer_.size();
    if (buffer_.size() > most_) {
      skipping_ = true;
      buffer_.clear();
      searched_ = 0;
    }
    const auto n = ::read(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      ended_ = true;
    else
      buffer_.append(bytes.data(), static_cast<std::size_t>(n));
  }
}

void McpWriter::send(const Json& message) {
  const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::lock_guard lock(mutex_);
  for (std::size_t at = 0; at < text.size();) {
    const auto n = ::write(fd_, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // a peer that stopped reading closes our input too
    at += static_cast<std::size_t>(n);
  }
}

bool nested_deeper(std::string_view json, int most) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > most) return true;
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

Json mcp_error(const Json& id, int code, std::string_view message, const Json& data) {
  Json error{{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = data;
  Json out{{"jsonrpc", "2.0"}, {"error", std::move(error)}};
  out["id"] = id;  // null if the request's id is unknown
  return out;
}

Json mcp_result(const Json& id, Json result) {
  return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

}  // namespace hydra::cli
