#include "daemon/api/ui.hpp"

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/log.hpp"

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

namespace hydra::api {
namespace {

constexpr std::chrono::minutes kUnused{30}, kLookForUseEvery{1};

}  // namespace

Ui::Ui(boost::asio::io_context& loop, Handler handler)
    : loop_(loop), handler_(std::move(handler)), timer_(loop) {}

Result<void> Ui::listen(int port) {
  HYDRA_TRY(auto fd, bind_loopback(port, "another program has it; without --port a free one is taken"));
  port_ = port;
  door_ = std::make_shared<Door>(port);
  ServerOptions options;
  options.body_bytes = 1u << 20;
  options.patience = std::chrono::seconds(10);
  options.connections = 64;
  options.same_user = false;
  options.headers = Door::headers();
  options.gate = [door = door_](Request& request) { return door->gate(request); };
  server_ = serve(loop_, fd.release(), handler_, std::move(options));
  log::info("the scoreboard listens on 127.0.0.1:{}", port_);
  unused_since_ = Door::Steady::now();
  look_later();
  return {};
}

Result<wire::OpenedUi> Ui::open(int port, const std::vector<int>& allowed, Door::Environment environment,
                                const std::string& race) {
  if (server_ && port != 0 && port != port_)
    return Error{Errc::conflict,
                 fmt::format("the scoreboard is open at port {} already", port_),
                 {},
                 "`hydra ui --stop` closes it"};
  if (!server_) HYDRA_CHECK(listen(port));
  for (const int other : allowed) door_->allow_port(other);
  const auto code = door_->mint(std::move(environment));
  const auto route = race.empty() ? std::string() : "&to=/race/" + race;
  return wire::OpenedUi{fmt::format("http://127.0.0.1:{}/#code={}{}", port_, code, route), port_,
                        SystemClock().now() + std::chrono::milliseconds(Door::kCodeLife).count()};
}

bool Ui::close() {
  if (!server_) return false;
  timer_.cancel();
  server_->close();
  server_.reset();
  door_.reset();
  log::info("the scoreboard is closed");
  return true;
}

bool Ui::end_session(const std::string& id) { return door_ && door_->end_session(id); }

std::vector<std::string> Ui::sessions() const {
  return door_ ? door_->sessions() : std::vector<std::string>{};
}

std::size_t Ui::codes() const { return door_ ? door_->codes() : 0; }

Door::Environment Ui::environment(const std::string& session) const {
  return door_ ? door_->environment(session) : Door::Environment{};
}

void Ui::look_later() {
  timer_.expires_after(kLookForUseEvery);
  timer_.async_wait([this](const boost::system::error_code& ec) {
    if (ec || !server_) return;
    const auto now = Door::Steady::now();
    if (!door_->tidy(now)) unused_since_ = now;
    if (now - unused_since_ >= kUnused) {
      close();
      return;
    }
    look_later();
  });
}

}  // namespace hydra::api
