// POST of a notification: http by Beast, https by curl.
#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "race/notify.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>

namespace hydra::race {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

struct Url {
  bool secure = false;
  std::string authority;  ///< as it stands in the URL, for the header Host
  std::string host, port, target;
};

Result<Url> parse_url(const std::string& text) {
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.secure = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    return Error{Errc::usage, "a webhook needs an http or https address", {}, {}};
  }
  rest = rest.substr(0, rest.find('#'));
  const auto slash = rest.find_first_of("/?");
  std::string_view authority = rest.substr(0, slash);
  url.target = slash == std::string_view::npos ? "/" : std::string(rest.substr(slash));
  if (url.target.front() == '?') url.target.insert(0, "/");
  // Credentials before the host would be sent in the clear, or named in messages.
  if (authority.find('@') != std::string_view::npos)
    return Error{Errc::usage, "a webhook's address may not hold a user or a password", {}, {}};
  url.authority = std::string(authority);
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos)
      return Error{Errc::usage, "the webhook's host is not closed", {}, {}};
    url.host = std::string(authority.substr(1, close - 1));
    if (close + 1 < authority.size() && authority[close + 1] == ':') port = authority.substr(close + 2);
  } else {
    const auto colon = authority.rfind(':');
    url.host = std::string(authority.substr(0, colon));
    if (colon != std::string_view::npos) port = authority.substr(colon + 1);
  }
  url.port = port.empty() ? (url.secure ? "443" : "80") : std::string(port);
  const auto number = parse_int(url.port);
  if (url.host.empty() || !number || *number < 1 || *number > 65535)
    return Error{Errc::usage, "the webhook's address has no host, or a bad port", {}, {}};
  return url;
}

Error failed(const Url& url, const std::string& why) {
  return {Errc::environment, sanitize(url.host) + ": " + sanitize(why), {}, {}};
}

struct Places {
  asio::ip::tcp::resolver::results_type found;
  beast::error_code ec;
};

// Resolving has no deadline of its own and can't be stopped: a thread that nobody waits for does it, with
// nothing but its own.
std::optional<Places> resolve(const Url& url, std::chrono::milliseconds limit, const std::stop_token& stop) {
  auto promise = std::make_shared<std::promise<Places>>();
  auto places = promise->get_future();
  try {
    std::thread([promise, host = url.host, port = url.port] {
      asio::io_context own;
      Places answer;
      answer.found = asio::ip::tcp::resolver(own).resolve(host, port, answer.ec);
      promise->set_value(std::move(answer));
    }).detach();
  } catch (const std::system_error& e) {
    return Places{{}, e.code()};
  }
  constexpr std::chrono::milliseconds kLook{50};
  for (auto waited = kLook; !stop.stop_requested() && waited <= limit; waited += kLook)
    if (places.wait_for(kLook) == std::future_status::ready) return places.get();
  return std::nullopt;
}

Result<void> post_plain(const Url& url, const std::string& body, const PostHeaders& headers,
                        const NotifyContext& context) {
  constexpr std::uint64_t kMostAnswer = 64u << 10;
  const auto limit = context.limit;
  asio::io_context loop;
  beast::error_code ec;
  const auto resolved = resolve(url, limit, context.stop);
  if (!resolved) return failed(url, "no answer in time");
  if (resolved->ec) return failed(url, resolved->ec.message());
  const auto& places = resolved->found;

  beast::tcp_stream stream(loop);
  http::request<http::string_body> request{http::verb::post, url.target, 11};
  request.set(http::field::host, url.authority);
  request.set(http::field::user_agent, "hydra");
  request.set(http::field::content_type, "application/json");
  request.set(http::field::connection, "close");
  for (const auto& [name, value] : headers) request.set(name, value);
  request.body() = body;
  request.prepare_payload();
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> answer;
  answer.body_limit(kMostAnswer);

  // One deadline for all of it: a server that trickles does not get a new one with each byte.
  stream.expires_after(limit);
  stream.async_connect(places, [&](beast::error_code connect_error, const asio::ip::tcp::endpoint&) {
    ec = connect_error;
    if (ec) return;
    http::async_write(stream, request, [&](beast::error_code write_error, std::size_t) {
      ec = write_error;
      if (ec) return;
      http::async_read_header(stream, buffer, answer,
                              [&](beast::error_code read_error, std::size_t) { ec = read_error; });
    });
  });
  const std::stop_callback let_go(context.stop, [&loop] { loop.stop(); });
  loop.run();
  if (context.stop.stop_requested()) return failed(url, "no answer when the daemon stopped");
  if (ec == beast::error::timeout) return failed(url, "no answer in time");
  if (ec) return failed(url, ec.message());
  const auto status = answer.get().result_int();
  if (status < 200 || status > 299) return failed(url, fmt::format("status {}", status));
  return {};
}

// A quoted value of a curl configuration file.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  }
  return out + "\"";
}

Result<void> post_secure(const Url& url, const std::string& text, const std::string& body,
                         const PostHeaders& headers, const NotifyContext& context) {
  exec::ToolCall call;
  // The address is a secret as often as not: it comes with the body, on standard input.
  call.argv = {"curl", "--disable", "--config", "-"};
  call.env = context.env;
  call.deadline = context.limit + std::chrono::seconds(1);
  call.max_output = 1u << 20;
  call.stop = context.stop;
  call.input = fmt::format(
      "silent\nfail\ngloboff\nproto = \"=https\"\nmax-time = {}\noutput = \"/dev/null\"\n"
      "header = \"Content-Type: application/json\"\nuser-agent = \"hydra\"\nurl = {}\ndata-raw = {}\n",
      std::max<std::int64_t>(1, context.limit.count() / 1000), quoted(text), quoted(body));
  for (const auto& [name, value] : headers) call.input += "header = " + quoted(name + ": " + value) + "\n";
  auto output = exec::run_tool(call);
  if (!output.ok()) {
    if (output.error().code == Errc::not_found)
      return failed(url, "https needs curl, which is not installed");
    return failed(url, output.error().message);
  }
  // Its words may repeat the address.
  if (!output->ok()) return failed(url, fmt::format("curl ended with exit code {}", output->exit_code));
  return {};
}

}  // namespace

Result<void> post_json(const std::string& url, const std::string& body, const NotifyContext& context) {
  return post_json(url, body, {}, context);
}

Result<void> post_json(const std::string& url, const std::string& body, const PostHeaders& headers,
                       const NotifyContext& context) {
  HYDRA_TRY(const auto parsed, parse_url(url));
  return parsed.secure ? post_secure(parsed, url, body, headers, context)
                       : post_plain(parsed, body, headers, context);
}

}  // namespace hydra::race
