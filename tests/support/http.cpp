#include "support/http.hpp"

#include "support/contract.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::e2e {
namespace {

std::string lower(std::string text) {
  for (auto& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return text;
}

Answer head_of(const std::string& text) {
  Answer answer;
  if (text.size() > 12) answer.status = std::atoi(text.substr(9, 3).c_str());
  for (std::size_t at = text.find("\r\n"); at != std::string::npos && at + 2 < text.size();) {
    const auto begin = at + 2, end = text.find("\r\n", begin);
    const auto line = text.substr(begin, end - begin);
    if (const auto colon = line.find(": "); colon != std::string::npos)
      answer.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
    at = end;
  }
  return answer;
}

void judge(const std::string& method, const std::string& target, const Answer& answer) {
  const auto path = target.substr(0, target.find('?'));
  for (const auto& line :
       misfits_of_answer(lower(method), path, answer.status, answer.header("content-type"), answer.body))
    ADD_FAILURE() << line << "\n" << answer.body.substr(0, 500);
}

}  // namespace

std::string Answer::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

Line Line::to_port(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return Line(fd);
  ::close(fd);
  return Line(-1);
}

Line::~Line() {
  if (fd_ >= 0) ::close(fd_);
}

bool Line::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    pollfd ready{fd_, POLLOUT, 0};
    if (::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kDeadline).count())) != 1) return false;
    const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void Line::end_sending() const { ::shutdown(fd_, SHUT_WR); }

bool Line::more() {
  pollfd ready{fd_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kDeadline).count())) != 1) return false;
  std::string piece(64 << 10, '\0');
  const auto n = ::recv(fd_, piece.data(), piece.size(), 0);
  if (n <= 0) return false;
  text_.append(piece, 0, static_cast<std::size_t>(n));
  return true;
}

Answer Line::answer(bool to_head) {
  std::size_t end = 0;
  while ((end = text_.find("\r\n\r\n")) == std::string::npos)
    if (!more()) return {};
  auto answer = head_of(text_.substr(0, end + 2));
  text_.erase(0, end + 4);
  if (to_head || answer.status == 304) return answer;
  const auto length = answer.header("content-length");
  if (length.empty()) return answer;
  const auto bytes = static_cast<std::size_t>(std::stoull(length));
  while (text_.size() < bytes && more()) {
  }
  answer.body = text_.substr(0, bytes);
  text_.erase(0, bytes);
  return answer;
}

bool Line::wait_for(std::string_view text) {
  while (text_.find(text) == std::string::npos)
    if (!more()) return false;
  return true;
}

bool Line::closed() {
  pollfd ready{fd_, POLLIN, 0};
  for (;;) {
    if (::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kDeadline).count())) != 1) return false;
    char piece[4096];
    if (::recv(fd_, piece, sizeof piece, 0) <= 0) return true;
  }
}

std::string request_text(const std::string& method, const std::string& target, const Headers& headers,
                         const std::string& body) {
  std::string text = method + " " + target + " HTTP/1.1\r\n";
  for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + body;
}

Answer ask(const World& world, const std::string& method, const std::string& target, const Json& body) {
  auto line = Line::to_socket(world);
  EXPECT_TRUE(line.ok());
  Headers headers{{"Host", "hydra"}};
  if (!body.is_null()) headers.emplace_back("Content-Type", "application/json");
  line.send(request_text(method, target, headers, body.is_null() ? "" : body.dump()));
  auto answer = line.answer();
  judge(method, target, answer);
  return answer;
}

std::pair<int, std::string> open_scoreboard(const World& world, const Json& more) {
  const auto opened = ask(world, "POST", "/v1/ui", more).json();
  const auto url = opened.value("url", "");
  const auto at = url.find("#code=");
  EXPECT_NE(at, std::string::npos) << opened;
  return {opened.value("port", 0), at == std::string::npos ? "" : url.substr(at + 6, 64)};
}

Browser::Browser(const World& world) {
  const auto [port, code] = open_scoreboard(world);
  port_ = port;
  const auto answer = send("POST", "/ui/session",
                           {{"Host", host()}, {"Origin", origin()}, {"Content-Type", "application/json"}},
                           Json{{"code", code}}.dump());
  judge("post", "/ui/session", answer);
  EXPECT_EQ(answer.status, 200) << answer.body;
  cookie_ = answer.header("set-cookie").substr(0, answer.header("set-cookie").find(';'));
  tab_ = answer.json().value("tab", "");
}

Headers Browser::headers() const {
  return {{"Host", host()}, {"Cookie", cookie_}, {"X-Hydra-Tab", tab_}, {"Sec-Fetch-Site", "same-origin"}};
}

Answer Browser::get(const std::string& target) const {
  auto answer = send("GET", target, headers());
  judge("get", target, answer);
  return answer;
}

Answer Browser::post(const std::string& target, const Json& body) const {
  auto all = headers();
  all.emplace_back("Origin", origin());
  all.emplace_back("Content-Type", "application/json");
  auto answer = send("POST", target, all, body.dump());
  judge("post", target, answer);
  return answer;
}

Answer Browser::send(const std::string& method, const std::string& target, const Headers& headers,
                     const std::string& body) const {
  auto line = Line::to_port(port_);
  EXPECT_TRUE(line.ok());
  line.send(request_text(method, target, headers, body));
  return line.answer(method == "HEAD");
}

}  // namespace hydra::e2e
