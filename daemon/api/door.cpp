#include "daemon/api/door.hpp"

#include "base/clock.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"
#include "wire/request.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <sys/random.h>

namespace hydra::api {
namespace {

constexpr std::size_t kMostSessions = 64, kMostCodes = 64;

std::string secret() {
  std::array<char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the machine has no random numbers");
  return hex({bytes.data(), bytes.size()});
}

/// Compares in a time that depends on the lengths only.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
  return difference == 0;
}

std::string cookie_of(const Request& request, const std::string& name) {
  for (const auto part : split(request.header("cookie"), ';')) {
    const auto pair = trim(part);
    if (pair.starts_with(name + "=")) return std::string(pair.substr(name.size() + 1));
  }
  return {};
}

bool is_api(const Request& request) {
  return !request.segments.empty() && (request.segments[0] == "v1" || request.segments[0] == "ui");
}

}  // namespace

Door::Door(int port) : port_(port) { allow_port(port); }

void Door::allow_port(int port) {
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) {
    hosts_.insert(fmt::format("{}:{}", name, port));
    if (port == 80) hosts_.insert(name);
  }
}

std::string Door::mint(Environment environment) {
  tidy(Steady::now());
  if (codes_.size() >= kMostCodes) codes_.erase(codes_.begin());
  auto code = secret();
  codes_[sha256_hex(code)] = {Steady::now() + kCodeLife, std::move(environment)};
  return code;
}

// The order matters: a foreign page must not learn from the answer which later check would have passed.
std::optional<Response> Door::rules(const Request& q) const {
  const auto host = q.header("host");
  if (q.count("host") != 1 || !hosts_.contains(host))
    return refusal(421, "refused", "this is no name of the scoreboard",
                   "open the address that `hydra ui` prints");
  const auto origin = q.header("origin");
  if (q.count("origin") > 1 || (q.count("origin") == 1 && origin != "http://" + host))
    return refusal(403, "refused", "another page asks");
  const bool navigation = q.method == "GET" && q.header("sec-fetch-mode") == "navigate" &&
                          q.header("sec-fetch-dest") == "document" && !is_api(q);
  const auto site = q.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && !navigation)
    return refusal(403, "refused", "another page asks");
  if (q.method != "GET" && q.method != "POST") {
    auto refused = refusal(405, "usage", "only GET, HEAD and POST");
    refused.headers.emplace_back("Allow", "GET, HEAD, POST");
    return refused;
  }
  const auto type = to_lower(q.header("content-type"));
  if (q.method == "POST" && trim(split(type, ';')[0]) != "application/json")
    return refusal(415, "usage", "only application/json");
  return std::nullopt;
}

std::string Door::session_of(const Request& q) const {
  auto cookie = cookie_of(q, fmt::format("hydra-{}", port_));
  auto tab = q.header("x-hydra-tab");
  // Programs send both halves, joined by a dot.
  if (const auto word = q.header("authorization"); word.starts_with("Bearer ")) {
    const auto dot = word.find('.');
    if (dot != std::string::npos) {
      cookie = word.substr(7, dot - 7);
      tab = word.substr(dot + 1);
    }
  }
  std::string found;
  for (const auto& [id, session] : sessions_)
    if (static_cast<int>(same(session.cookie, cookie)) + static_cast<int>(same(session.tab, tab)) == 2)
      found = id;
  return found;
}

std::optional<Response> Door::gate(Request& request) {
  request.door = true;
  if (auto refused = rules(request)) return refused;
  if (!is_api(request)) return page(request);
  if (request.method == "POST" && request.path == "/ui/session") return sign_in(request);
  tidy(Steady::now());
  request.session = session_of(request);
  if (request.session.empty()) return refusal(401, "refused", "nobody is signed in here", "run `hydra ui`");
  touch(request.session);
  if (request.method == "POST" && request.path == "/ui/sign-out") return sign_out(request.session);
  return std::nullopt;
}

Response Door::sign_in(const Request& request) {
  const auto asked = wire::request_from<wire::SessionRequest>(request.body, wire::Asker::browser);
  if (!asked.ok()) return error_response(asked.error());
  tidy(Steady::now());
  const auto known = codes_.find(sha256_hex(asked->code));
  if (known == codes_.end())
    return refusal(401, "refused", "this link was used before, or is too old", "run `hydra ui` again");
  Session session{secret(), secret(), Steady::now(), std::move(known->second.environment)};
  codes_.erase(known);
  if (sessions_.size() >= kMostSessions)
    sessions_.erase(std::min_element(sessions_.begin(), sessions_.end(), [](const auto& a, const auto& b) {
      return a.second.used < b.second.used;
    }));
  auto response = json_response(wire::to_json(
      wire::Session{session.tab, SystemClock().now() + std::chrono::milliseconds(kSessionLife).count()}));
  response.headers.emplace_back(
      "Set-Cookie", fmt::format("hydra-{}={}; HttpOnly; SameSite=Strict; Path=/", port_, session.cookie));
  sessions_[secret().substr(0, 12)] = std::move(session);
  return response;
}

Response Door::sign_out(const std::string& id) {
  sessions_.erase(id);
  auto response = json_response("{}");
  response.headers.emplace_back(
      "Set-Cookie", fmt::format("hydra-{}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0", port_));
  return response;
}

const Door::Environment& Door::environment(const std::string& session) const {
  static const Environment none;
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? none : found->second.environment;
}

std::vector<std::string> Door::sessions() const {
  std::vector<std::string> ids;
  for (const auto& [id, session] : sessions_) ids.push_back(id);
  return ids;
}

bool Door::end_session(const std::string& id) { return sessions_.erase(id) > 0; }

bool Door::tidy(Steady::time_point now) {
  std::erase_if(codes_, [&](const auto& entry) { return entry.second.until <= now; });
  std::erase_if(sessions_, [&](const auto& entry) { return entry.second.used + kSessionLife <= now; });
  return codes_.empty() && sessions_.empty();
}

void Door::touch(const std::string& id) {
  if (const auto found = sessions_.find(id); found != sessions_.end()) found->second.used = Steady::now();
}

std::vector<std::pair<std::string, std::string>> Door::headers() {
  return {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
       "trusted-types 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Embedder-Policy", "require-corp"},
      {"X-Frame-Options", "DENY"},
      {"Permissions-Policy", "camera=(), microphone=(), geolocation=(), usb=(), payment=()"}};
}

}  // namespace hydra::api
