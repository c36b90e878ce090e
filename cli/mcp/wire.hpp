// cli: JSON-RPC 2.0 on two descriptors, one message per line, as in the stdio transport of the Model Context
// Protocol.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace hydra::cli {

using Json = nlohmann::json;

/// Error codes of JSON-RPC 2.0 and of protocol revision 2026-07-28.
enum McpCode {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kBusy = -32000,
  kUnsupportedVersion = -32022,
};

/// Reads lines from one descriptor. Not thread-safe.
class McpReader {
 public:
  enum class Got { line, too_long, end };
  static constexpr std::size_t kMostBytes = 8u << 20;

  explicit McpReader(int fd, std::size_t most = kMostBytes) : fd_(fd), most_(most) {}
  /// Reads the next line without its end. `too_long`: a line above `most` bytes was dropped.
  Got next(std::string& line);

 private:
  int fd_;
  std::size_t most_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool skipping_ = false, ended_ = false;
};

/// Writes whole messages to one descriptor. Thread-safe.
class McpWriter {
 public:
  explicit McpWriter(int fd) : fd_(fd) {}
  void send(const Json& message);

 private:
  int fd_;
  std::mutex mutex_;
};

/// Whether JSON has more than `most` levels. Copying values recurses per level, so depth must be bounded.
bool nested_deeper(std::string_view json, int most);

Json mcp_error(const Json& id, int code, std::string_view message, const Json& data = nullptr);
Json mcp_result(const Json& id, Json result);

}  // namespace hydra::cli
