// cli: JSON-RPC 2.0 on two descriptors, a message a line, as the Model Context Protocol's stdio transport has
// it.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace hydra::cli {

using Json = nlohmann::json;

/// Codes of JSON-RPC 2.0 and of the protocol's revision 2026-07-28.
enum McpCode {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kBusy = -32000,
  kUnsupportedVersion = -32022,
};

/// Lines from one descriptor. Not for two threads.
class McpReader {
 public:
  enum class Got { line, too_long, end };
  static constexpr std::size_t kMostBytes = 8u << 20;

  explicit McpReader(int fd, std::size_t most = kMostBytes) : fd_(fd), most_(most) {}
  /// The next line without its end. `too_long`: it was longer than `most` bytes and was thrown away as a
  /// whole.
  Got next(std::string& line);

 private:
  int fd_;
  std::size_t most_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool skipping_ = false, ended_ = false;
};

/// Whole messages to one descriptor, from any thread.
class McpWriter {
 public:
  explicit McpWriter(int fd) : fd_(fd) {}
  void send(const Json& message);

 private:
  int fd_;
  std::mutex mutex_;
};

/// Whether JSON has more than `most` levels: values are copied level by level, on a stack that has an end.
bool nested_deeper(std::string_view json, int most);

Json mcp_error(const Json& id, int code, std::string_view message, const Json& data = nullptr);
Json mcp_result(const Json& id, Json result);

}  // namespace hydra::cli
