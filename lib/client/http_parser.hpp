// client: parses an HTTP answer. Only http_parser.cpp includes Beast.
#pragma once

#include "base/result.hpp"
#include "client/client.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace hydra::client {

Error answer_too_long();

class HttpParser {
 public:
  /// `limited`: a body above 256 MiB is answer_too_long().
  explicit HttpParser(bool limited = true);
  ~HttpParser();
  HttpParser(const HttpParser&) = delete;
  HttpParser& operator=(const HttpParser&) = delete;

  Result<void> feed(std::string_view bytes);
  /// The peer closed: completes an answer without a length; otherwise Error `protocol`.
  Result<void> finish();

  [[nodiscard]] bool header_done() const;
  [[nodiscard]] bool done() const;
  /// Status and headers; only after header_done().
  [[nodiscard]] Response head() const;
  /// Returns the body bytes received since the last call.
  std::string take_body();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hydra::client
