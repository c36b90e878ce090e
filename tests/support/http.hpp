// support: HTTP by hand, so that a test can send what no client would: to the daemon's socket and to the
// scoreboard's port.
#pragma once

#include "support/world.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::e2e {

struct Answer {
  int status = 0;                              ///< 0: the connection was closed without one
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
  [[nodiscard]] std::string header(const std::string& name) const;
  [[nodiscard]] Json json() const { return Json::parse(body, nullptr, false); }
};

/// A connection; closed with the object.
class Line {
 public:
  explicit Line(int fd) : fd_(fd) {}
  /// To 127.0.0.1; ok() is false where nobody listens.
  static Line to_port(int port);
  static Line to_socket(const World& world) { return Line(world.connect()); }
  Line(Line&& other) noexcept : fd_(std::exchange(other.fd_, -1)), text_(std::move(other.text_)) {}
  Line& operator=(Line&&) = delete;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line();

  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  /// False: the peer takes no more.
  bool send(std::string_view bytes) const;
  void end_sending() const;  ///< half of it: answers still come
  /// The next answer, read to its end; status 0 where the peer closed before one began.
  Answer answer(bool to_head = false);
  /// Reads on until the text contains it. False: closed, or the deadline passed.
  bool wait_for(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Whether the peer has closed, within the deadline.
  bool closed();

 private:
  bool more();
  int fd_ = -1;
  std::string text_;  ///< received, and not given yet
};

using Headers = std::vector<std::pair<std::string, std::string>>;

std::string request_text(const std::string& method, const std::string& target, const Headers& headers,
                         const std::string& body = {});

/// On the unix socket.
Answer ask(const World& world, const std::string& method, const std::string& target,
           const Json& body = nullptr);

/// A user who is signed in at the scoreboard. Each answer is held against docs/openapi.json.
class Browser {
 public:
  /// Opens the scoreboard and signs in with its code.
  explicit Browser(const World& world);
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] const std::string& cookie() const { return cookie_; }  ///< "hydra-PORT=…"
  [[nodiscard]] const std::string& tab() const { return tab_; }
  /// Headers of its requests.
  [[nodiscard]] Headers headers() const;
  Answer get(const std::string& target) const;
  Answer post(const std::string& target, const Json& body) const;
  /// As written: nothing is added.
  Answer send(const std::string& method, const std::string& target, const Headers& headers,
              const std::string& body = {}) const;

 private:
  int port_ = 0;
  std::string cookie_, tab_;
};

/// A new link of the scoreboard: port and code.
std::pair<int, std::string> open_scoreboard(const World& world, const Json& more = Json::object());

}  // namespace hydra::e2e
