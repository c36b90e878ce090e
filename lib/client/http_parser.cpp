#include "client/http_parser.hpp"

#include "base/strings.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace hydra::client {

namespace http = boost::beast::http;

struct HttpParser::State {
  http::response_parser<http::string_body> parser;
  std::string pending;  ///< bytes that the parser needs again together with the next ones
};

Error answer_too_long() { return {Errc::protocol, "the daemon's answer is too long", {}, {}}; }

HttpParser::HttpParser(bool limited) : state_(std::make_unique<State>()) {
  constexpr std::uint64_t kMost = 256u << 20;
  state_->parser.eager(true);
  state_->parser.body_limit(limited ? boost::optional<std::uint64_t>(kMost) : boost::none);
  state_->parser.header_limit(64u << 10);
}
HttpParser::~HttpParser() = default;

Result<void> HttpParser::feed(std::string_view bytes) {
  auto& [parser, pending] = *state_;
  pending += bytes;
  std::size_t used = 0;
  while (used < pending.size() && !parser.is_done()) {
    boost::beast::error_code ec;
    const auto n = parser.put(boost::asio::buffer(pending.data() + used, pending.size() - used), ec);
    used += n;
    if (ec == http::error::need_more) break;
    if (ec == http::error::body_limit) return answer_too_long();
    if (ec) return Error{Errc::protocol, "the daemon's answer is not HTTP: " + ec.message(), {}, {}};
    if (n == 0) break;
  }
  pending.erase(0, used);
  return {};
}

Result<void> HttpParser::finish() {
  boost::beast::error_code ec;
  // put_eof() asserts that some bytes arrived.
  if (state_->parser.got_some() && !state_->parser.is_done()) state_->parser.put_eof(ec);
  if (ec || !state_->parser.is_done())
    return Error{Errc::protocol,
                 "the daemon ended before it had answered",
                 {},
                 "nothing is lost: run the same command again"};
  return {};
}

bool HttpParser::header_done() const { return state_->parser.is_header_done(); }
bool HttpParser::done() const { return state_->parser.is_done(); }

Response HttpParser::head() const {
  Response response;
  const auto& message = state_->parser.get();
  response.status = static_cast<int>(message.result_int());
  for (const auto& field : message)
    response.headers[to_lower({field.name_string().data(), field.name_string().size()})] =
        std::string(field.value().data(), field.value().size());
  return response;
}

std::string HttpParser::take_body() {
  // string_body's reader appends to this string and keeps no position, so the string may be emptied.
  std::string out;
  out.swap(state_->parser.get().body());
  return out;
}

}  // namespace hydra::client
