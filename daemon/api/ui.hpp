// daemon/api: the scoreboard's loopback listener: closed until somebody asks for it on the unix socket,
// closed again when nobody has been signed in for half an hour. docs/scoreboard.md.
#pragma once

#include "daemon/api/door.hpp"
#include "daemon/api/http.hpp"
#include "wire/machine.hpp"

#include <boost/asio/steady_timer.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hydra::api {

class Ui {
 public:
  /// `handler`: of all routes; lives longer than this.
  Ui(boost::asio::io_context& loop, Handler handler);

  /// Opens the listener on 127.0.0.1 where it is closed, and makes a code. `port` 0: any free one, or the one
  /// that is open. `conflict` where it is open at another port, `environment` where the port is taken.
  /// `race`: id of the one that the page begins with; may be empty.
  Result<wire::OpenedUi> open(int port, const std::vector<int>& allowed, Door::Environment environment,
                              const std::string& race);
  /// False: it was closed.
  bool close();
  bool end_session(const std::string& id);

  [[nodiscard]] int port() const { return server_ ? port_ : 0; }  ///< 0: closed
  [[nodiscard]] std::vector<std::string> sessions() const;
  [[nodiscard]] std::size_t codes() const;
  [[nodiscard]] Door::Environment environment(const std::string& session) const;

 private:
  Result<void> listen(int port);
  void look_later();

  boost::asio::io_context& loop_;
  Handler handler_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<Door> door_;
  std::unique_ptr<HttpServer> server_;
  int port_ = 0;
  Door::Steady::time_point unused_since_;
};

}  // namespace hydra::api
