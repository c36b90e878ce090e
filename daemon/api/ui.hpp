// daemon/api: the scoreboard's loopback listener. A request on the unix socket opens it; half an hour without
// a session closes it. See docs/terminal.md.
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
  /// `handler` serves all routes and must outlive this object.
  Ui(boost::asio::io_context& loop, Handler handler);

  /// Opens the listener on 127.0.0.1 if closed, and makes a code. `port` 0: any free or the open one; `race`:
  /// id of the page's first race, or empty. `conflict`: open at another port; `environment`: the port is in
  /// use.
  Result<wire::OpenedUi> open(int port, const std::vector<int>& allowed, Door::Environment environment,
                              const std::string& race);
  /// Closes the listener; false: already closed.
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
