// daemon/api: rules, single-use codes and sessions of the scoreboard's loopback listener
// (docs/terminal.md). A session has a cookie, which browsers send to every port of this host, and a word
// only for the page's origin.
#pragma once

#include "daemon/api/http.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace hydra::api {

class Door {
 public:
  using Steady = std::chrono::steady_clock;
  using Environment = std::map<std::string, std::string>;
  static constexpr std::chrono::seconds kCodeLife{60};
  static constexpr std::chrono::hours kSessionLife{12};  ///< since the last request

  explicit Door(int port);
  /// Accepts requests that name another local port, as with `ssh -L`.
  void allow_port(int port);

  /// Returns a code of 256 bits, good for one session within kCodeLife. Merges and retries of that session
  /// get `environment`.
  std::string mint(Environment environment);

  /// ServerOptions::gate: refuses requests, signs in and out, serves the page; nullopt: a route must answer.
  std::optional<Response> gate(Request& request);

  [[nodiscard]] const Environment& environment(const std::string& session) const;
  /// Returns the ids of sessions, which are not secret.
  [[nodiscard]] std::vector<std::string> sessions() const;
  [[nodiscard]] std::size_t codes() const { return codes_.size(); }
  bool end_session(const std::string& id);
  /// Drops expired codes and sessions. Returns true if neither is left.
  bool tidy(Steady::time_point now);
  /// Marks the session as used now: a stream is open.
  void touch(const std::string& id);

  /// Headers of every answer of the listener.
  static std::vector<std::pair<std::string, std::string>> headers();

 private:
  struct Code {
    Steady::time_point until;
    Environment environment;
  };
  struct Session {
    std::string cookie, tab;
    Steady::time_point used;
    Environment environment;
  };
  [[nodiscard]] std::optional<Response> rules(const Request& request) const;
  [[nodiscard]] std::string session_of(const Request& request) const;
  Response sign_in(const Request& request);
  Response sign_out(const std::string& id);

  int port_;
  std::set<std::string> hosts_;
  std::map<std::string, Code> codes_;        ///< by the code's SHA-256
  std::map<std::string, Session> sessions_;  ///< by session id
};

/// Serves files of the page (web/), with gzip if the peer accepts it; 404 for any other name.
Response page(const Request& request);
/// Returns whether this program was built with the page.
bool has_page();

}  // namespace hydra::api
