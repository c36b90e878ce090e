// GET /v1/races/{id}/events. Each connection keeps the id that it was told last; live frames have none. A
// peer that is slow gets the next events from the store when it has taken those before: nobody queues them
// for it.
#include "base/strings.hpp"
#include "daemon/api/routes.hpp"
#include "model/json.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json.hpp>

#include <chrono>

namespace hydra::api {
namespace {

constexpr auto kLiveEvery = std::chrono::milliseconds(500);
constexpr auto kKeepAlive = std::chrono::seconds(15);
constexpr std::size_t kAhead = 256u << 10;  // bytes that may wait for the peer before it counts as slow

std::string frame(const model::Event& event) {
  auto body = nlohmann::json::parse(model::to_json(event.body));
  body["race"] = event.race;
  body["at_ms"] = event.at_ms;
  // The stored specification is large and of no use to a watcher.
  if (body.contains("spec")) {
    const auto& spec = body["spec"];
    body["spec"] = {{"id", spec["id"]}, {"task", spec["task"]}, {"agents", spec["agents"]}};
  }
  return "id: " + std::to_string(event.id) + "\nevent: " + std::string(model::kind(event.body)) +
         "\ndata: " + body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n\n";
}

class Watcher : public std::enable_shared_from_this<Watcher> {
 public:
  Watcher(boost::asio::io_context& loop, race::Service& service, std::string race, bool live)
      : service_(service), race_(std::move(race)), live_(live), timer_(loop) {}

  Result<void> start(std::int64_t after, const std::function<std::shared_ptr<EventStream>()>& open) {
    // Looked up before the stream is opened, so that an unknown race is a plain 404.
    HYDRA_TRY(const auto known, service_.status_json(race_));
    (void)known;
    stream_ = open();
    stream_->on_closed([self = shared_from_this()] { self->stop(); });
    stream_->on_drained([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->catch_up();
    });
    told_ = after;
    HYDRA_CHECK(subscribe());
    tick();
    return {};
  }

 private:
  Result<void> subscribe() {
    subscribed_ = false;
    HYDRA_TRY(subscription_,
              service_.subscribe(race_, told_, [weak = weak_from_this()](const model::Event& event) {
                if (const auto self = weak.lock()) self->on_event(event);
              }));
    subscribed_ = true;
    if (!stream_) stop();  // the peer went away while it was told of the past
    return {};
  }

  void catch_up() {
    if (!stream_ || !behind_) return;
    behind_ = false;
    service_.unsubscribe(subscription_);
    subscription_ = 0;
    if (const auto again = subscribe(); !again.ok()) return stream_->close();  // it comes back by itself
    if (!behind_ && service_.over(race_)) finish();
  }

  void on_event(const model::Event& event) {
    if (!stream_ || behind_) return;
    behind_ = stream_->backlog() > kAhead;
    if (behind_) return;
    told_ = event.id;
    stream_->send(frame(event));
    // The last of a race: what an automatic merge did came before it. Not where the race lives again, by a
    // retry or because parts of its results were combined. One that is read from the past may have been
    // followed by either: tick() tells.
    if (subscribed_ && std::holds_alternative<model::RaceEnded>(event.body) && service_.over(race_)) finish();
  }

  void tick() {
    if (!stream_) return;
    if (service_.over(race_) && !behind_) return finish();
    if (stream_->backlog() > kAhead) {
      // It is alive, or the socket says so; a picture of now is of no use to it later.
    } else if (live_) {
      auto status = service_.status_json(race_);
      if (status.ok() && *status != last_status_) {
        stream_->send("event: live\ndata: " + *status + "\n\n");
        last_status_ = std::move(*status);
      }
    } else {
      stream_->send(": alive\n\n");
    }
    if (!stream_) return;
    timer_.expires_after(live_ ? std::chrono::milliseconds(kLiveEvery)
                               : std::chrono::milliseconds(kKeepAlive));
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& ec) {
      if (!ec) self->tick();
    });
  }

  void finish() {
    if (!stream_) return;
    const auto stream = stream_;
    stream->send("event: end\ndata: {}\n\n");
    stream->close();
  }

  void stop() {
    if (subscription_ != 0) service_.unsubscribe(subscription_);
    subscription_ = 0;
    timer_.cancel();
    stream_.reset();
  }

  race::Service& service_;
  std::string race_;
  bool live_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<EventStream> stream_;
  std::uint64_t subscription_ = 0;
  bool subscribed_ = false;  ///< past events have been sent
  bool behind_ = false;      ///< the peer is slow: events after `told_` are read again from the store
  std::int64_t told_ = 0;    ///< id of the last event that was sent
  std::string last_status_;
};

}  // namespace

void stream_events(boost::asio::io_context& loop, race::Service& service, const std::string& race,
                   const Request& request, const Reply& reply) {
  auto after = parse_int(request.last_event_id).value_or(0);
  if (const auto asked = parse_int(request.param("after"))) after = *asked;
  const auto watcher = std::make_shared<Watcher>(loop, service, race, request.param("live") == "1");
  const auto started = watcher->start(after, reply.stream);
  if (!started.ok()) reply.respond(error_response(started.error()));
}

}  // namespace hydra::api
