// daemon/api: who may come in through the scoreboard's loopback listener. Rules before any route, codes that
// are used once, and sessions of two halves: a cookie, which browsers send to every port of this host, and a
// word that only the page's own origin can read. docs/scoreboard.md.
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
  static constexpr std::chrono::hours kSessionLife{12};  ///< from its last request

  explicit Door(int port);
  /// The listener under another local port, as `ssh -L` gives it.
  void allow_port(int port);

  /// A code of 256 bits, good for one session within kCodeLife. Merges and retries of that session get
  /// `environment`.
  std::string mint(Environment environment);

  /// ServerOptions::gate: refuses, signs in and out, gives the page; nothing for what a route shall answer.
  std::optional<Response> gate(Request& request);

  [[nodiscard]] const Environment& environment(const std::string& session) const;
  /// Ids, which are no secrets.
  [[nodiscard]] std::vector<std::string> sessions() const;
  [[nodiscard]] std::size_t codes() const { return codes_.size(); }
  bool end_session(const std::string& id);
  /// Drops what is too old. True: nobody is signed in, and no code is open.
  bool tidy(Steady::time_point now);
  /// Something uses this session now: a stream is open.
  void touch(const std::string& id);

  /// On every answer of the listener.
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
  std::map<std::string, Code> codes_;        ///< by their SHA-256
  std::map<std::string, Session> sessions_;  ///< by id
};

/// Files of the page (web/); 404, 406 where the peer takes no gzip.
Response page(const Request& request);
/// Whether this program was built with it.
bool has_page();

}  // namespace hydra::api
