// Streams of events of one race or many. A stream keeps the id of its last event, one sequence for all races;
// live frames have no id. A slow peer gets later events from the store, so that no queue grows.
#include "base/strings.hpp"
#include "daemon/api/routes.hpp"
#include "model/json.hpp"
#include "model/json_value.hpp"
#include "wire/json.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace hydra::api {

using nlohmann::json;
using Steady = std::chrono::steady_clock;

/// Current status texts of races, shared by all watchers within a moment.
class Pictures {
 public:
  explicit Pictures(race::Service& service) : service_(service) {}

  /// Returns the status text; null if the race can't be read.
  std::shared_ptr<const std::string> of(const std::string& race, bool fresh) {
    constexpr auto kMoment = std::chrono::milliseconds(400);
    const auto now = Steady::now();
    auto& kept = kept_[race];
    if (kept.text && !fresh && now - kept.at < kMoment) return kept.text;
    auto status = service_.status(race);
    if (!status.ok()) return nullptr;
    const auto text = wire::to_json(*status);
    // A change of the time alone is not worth a frame, since clients have clocks.
    status->server_ms = 0;
    if (auto plain = wire::to_json(*status); !kept.text || plain != kept.plain) {
      kept.plain = std::move(plain);
      kept.text = std::make_shared<const std::string>(text);
    }
    kept.at = now;
    std::erase_if(kept_, [&](const auto& entry) { return now - entry.second.at > std::chrono::minutes(1); });
    return kept_[race].text;
  }

 private:
  struct Kept {
    Steady::time_point at;
    std::string plain;
    std::shared_ptr<const std::string> text;
  };

  race::Service& service_;
  std::map<std::string, Kept> kept_;
};

std::shared_ptr<Pictures> make_pictures(race::Service& service) {
  return std::make_shared<Pictures>(service);
}

namespace {

constexpr auto kLiveEvery = std::chrono::milliseconds(500);
constexpr auto kLookEvery = std::chrono::milliseconds(1000);  // interval for WaitsFrame
constexpr auto kKeepAlive = std::chrono::seconds(15);
constexpr std::size_t kAhead = 256u << 10;  // bytes of backlog above which a peer counts as slow

void drop_lists(json& value) {
  if (!value.is_object()) return;
  for (auto at = value.begin(); at != value.end();) {
    drop_lists(*at);
    at = at->is_array() ? value.erase(at) : std::next(at);
  }
}

std::string frame(const model::Event& event, bool brief) {
  // A suite may have 100,000 names; the route `tests` has them in pages.
  auto without = event.body;
  auto* tests = model::tests_in(without);
  if (tests) tests->clear();
  auto body = model::event_value(without);
  if (tests) body["evidence"]["tests"].erase("tests");
  if (brief) drop_lists(body);
  body["race"] = event.race;
  body["at_ms"] = event.at_ms;
  // The stored specification is large and of no use to a watcher.
  if (body.contains("spec")) {
    const auto& spec = body["spec"];
    json shown{{"id", spec["id"]}, {"task", spec["task"]}};
    if (spec.contains("agents") && spec["agents"].is_array()) shown["agents"] = spec["agents"];
    body["spec"] = std::move(shown);
  }
  return "id: " + std::to_string(event.id) + "\nevent: " + std::string(model::kind(event.body)) +
         "\ndata: " + body.dump(-1, ' ', false, json::error_handler_t::replace) + "\n\n";
}

struct Wish {
  std::set<std::string> races;
  bool open = false;    ///< all running races, and those that begin later
  bool all = false;     ///< reports which races begin and end
  bool single = false;  ///< the stream ends with its only race
  bool live = false, brief = false;
  std::int64_t after = 0;
};

class Watcher : public std::enable_shared_from_this<Watcher> {
 public:
  Watcher(boost::asio::io_context& loop, race::Service& service, std::shared_ptr<Pictures> pictures,
          Wish wish)
      : service_(service),
        pictures_(std::move(pictures)),
        wish_(std::move(wish)),
        timer_(loop),
        told_(wish_.after) {}

  Result<void> start(const std::function<std::shared_ptr<EventStream>()>& open) {
    // Check the races before opening the stream, so that an unknown race is a plain 404.
    for (const auto& race : wish_.races) HYDRA_CHECK(service_.status(race));
    stream_ = open();
    stream_->on_closed([self = shared_from_this()] { self->stop(); });
    stream_->on_drained([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->catch_up();
    });
    if (wish_.open)
      for (auto& race : service_.open_races()) wish_.races.insert(std::move(race));
    if (wish_.all) HYDRA_CHECK(watch_list());
    heard_ = Steady::now();
    subscribe();
    return {};
  }

 private:
  Result<void> watch_list() {
    HYDRA_TRY(list_, service_.subscribe({}, told_, [weak = weak_from_this()](const model::Event& event) {
      if (const auto self = weak.lock()) self->on_any(event);
    }));
    return {};
  }

  void on_any(const model::Event& event) {
    const bool created = std::holds_alternative<model::RaceCreated>(event.body);
    if (!stream_ || (!created && !std::holds_alternative<model::RaceEnded>(event.body))) return;
    wire::RacesFrame frame;
    (created ? frame.created : frame.ended).push_back(event.race);
    send("event: races\ndata: " + wire::to_json(frame) + "\n\n");
    if (!created || !wish_.open || !wish_.races.insert(event.race).second) return;
    if (const auto number = follow(event.race, event.id - 1); !number.ok()) wish_.races.erase(event.race);
  }

  Result<void> follow(const std::string& race, std::int64_t after) {
    HYDRA_TRY(const auto number,
              service_.subscribe(race, after, [weak = weak_from_this()](const model::Event& event) {
                if (const auto self = weak.lock()) self->on_event(event);
              }));
    subscriptions_.push_back(number);
    return {};
  }

  // Sends past events of all races in order; a reconnecting client names the last id that it saw.
  void subscribe() {
    gathering_ = true;
    reading_ = wish_.races.size();
    if (reading_ == 0) return replay();
    for (const auto& race : wish_.races)
      service_.past(race, told_,
                    [self = shared_from_this(), race](const Result<std::vector<model::Event>>& events) {
                      self->take_past(race, events);
                    });
  }

  void take_past(const std::string& race, const Result<std::vector<model::Event>>& events) {
    if (!stream_) return;
    auto after = told_;
    if (events.ok() && !events->empty()) {
      past_.insert(past_.end(), events->begin(), events->end());
      after = events->back().id;
    }
    if (const auto followed = follow(race, after);
        !followed.ok() && (wish_.single || followed.error().code != Errc::not_found))
      return stream_->close();  // the client reconnects
    if (--reading_ == 0) replay();
  }

  void replay() {
    gathering_ = false;
    auto past = std::move(past_);
    past_.clear();
    std::sort(past.begin(), past.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    replaying_ = true;
    for (const auto& event : past) on_event(event);
    replaying_ = false;
    if (!stream_) return stop();  // the peer went away during the replay
    tick();
  }

  void unsubscribe() {
    for (const auto number : subscriptions_) service_.unsubscribe(number);
    subscriptions_.clear();
  }

  void catch_up() {
    if (!stream_ || !behind_) return;
    behind_ = false;
    unsubscribe();
    subscribe();
  }

  void on_event(const model::Event& event) {
    if (gathering_) {
      past_.push_back(event);
      return;
    }
    if (!stream_ || behind_) return;
    behind_ = stream_->backlog() > kAhead;
    if (behind_) return;
    if (!waits_.empty()) send_waits();  // first report that the race is no longer waiting
    told_ = event.id;
    send(frame(event, wish_.brief));
    // RaceEnded is a race's last event, after an automatic merge, unless a retry or a combination resumes the
    // race. During a replay a resumption may follow, so tick() decides.
    if (!replaying_ && std::holds_alternative<model::RaceEnded>(event.body)) end_if_over();
  }

  void tick() {
    if (!stream_ || gathering_) return;
    if (!behind_ && end_if_over()) return;
    // A slow peer needs no keep-alive, since the socket reports its end, and a live frame would be stale
    // later.
    if (stream_->backlog() <= kAhead) {
      if (wish_.live)
        for (const auto& race : wish_.races)
          if (!service_.over(race)) send_picture(race, false);
      if (wish_.single) send_waits();
      if (stream_ && Steady::now() - heard_ >= kKeepAlive) send(": alive\n\n");
    }
    if (!stream_) return;
    timer_.expires_after(wish_.live     ? kLiveEvery
                         : wish_.single ? kLookEvery
                                        : std::chrono::milliseconds(kKeepAlive));
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& ec) {
      if (!ec) self->tick();
    });
  }

  void send_picture(const std::string& race, bool fresh) {
    const auto picture = pictures_->of(race, fresh);
    if (!stream_ || !picture || shown_[race] == picture) return;
    shown_[race] = picture;
    send("event: live\ndata: " + *picture + "\n\n");
  }

  // While nothing can be stored, no event can tell why the race is stuck.
  void send_waits() {
    auto waits = service_.waits(*wish_.races.begin());
    if (!stream_ || waits == waits_) return;
    waits_ = std::move(waits);
    send("event: waits\ndata: " + wire::to_json(wire::WaitsFrame{waits_}) + "\n\n");
  }

  void send(std::string text) {
    if (!stream_) return;
    heard_ = Steady::now();
    stream_->send(std::move(text));
  }

  // For a stream of one race: sends its last live frame and the end. For other streams: the last live frame
  // of each ended race.
  bool end_if_over() {
    if (!stream_) return true;
    for (const auto& race : wish_.races)
      if (wish_.live && service_.over(race) && finished_.insert(race).second) send_picture(race, true);
    for (const auto& race : wish_.races)
      if (!service_.over(race)) finished_.erase(race);
    if (!wish_.single || !service_.over(*wish_.races.begin()) || !stream_) return false;
    const auto stream = stream_;
    stream->send("event: end\ndata: {}\n\n");
    stream->close();
    return true;
  }

  void stop() {
    unsubscribe();
    if (list_ != 0) service_.unsubscribe(list_);
    list_ = 0;
    timer_.cancel();
    stream_.reset();
  }

  race::Service& service_;
  std::shared_ptr<Pictures> pictures_;
  Wish wish_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<EventStream> stream_;
  std::vector<std::uint64_t> subscriptions_;
  std::uint64_t list_ = 0;
  bool gathering_ = false, replaying_ = false;
  std::size_t reading_ = 0;  ///< races whose past is being read
  bool behind_ = false;      ///< the peer is slow: events after `told_` are read from the store again
  std::int64_t told_ = 0;    ///< id of the last sent event
  std::vector<model::Event> past_;
  std::set<std::string> finished_;  ///< races whose last live frame was sent
  std::map<std::string, std::shared_ptr<const std::string>> shown_;
  std::string waits_;         ///< last sent WaitsFrame text
  Steady::time_point heard_;  ///< time of the last sent frame
};

Result<Wish> wish_of(race::Service& service, const std::string& race, const Request& request) {
  Wish wish;
  wish.live = request.param("live") == "1";
  wish.brief = request.param("brief") == "1";
  wish.after = parse_int(request.header("last-event-id")).value_or(0);
  const auto after = request.param("after");
  if (const auto asked = parse_int(after); asked && request.header("last-event-id").empty())
    wish.after = *asked;
  if (after == "now" && wish.after == 0) {
    HYDRA_TRY(wish.after, service.last_event());
  }
  if (!race.empty()) {
    wish.single = true;
    wish.races.insert(race);
    return wish;
  }
  wish.all = true;
  constexpr std::size_t kMostRaces = 100;
  for (const auto each : split(request.param("races"), ',')) {
    const auto name = trim(each);
    if (name == "open") {
      wish.open = true;
    } else if (!name.empty()) {
      HYDRA_TRY(auto id, service.resolve(std::string(name), {}));
      wish.races.insert(std::move(id));
    }
  }
  if (wish.races.size() > kMostRaces) return Error{Errc::usage, "too many races for one stream", {}, {}};
  return wish;
}

}  // namespace

void stream_events(boost::asio::io_context& loop, race::Service& service,
                   const std::shared_ptr<Pictures>& pictures, const std::string& race, const Request& request,
                   const Reply& reply) {
  auto wish = wish_of(service, race, request);
  if (!wish.ok()) return reply.respond(error_response(wish.error()));
  const auto watcher = std::make_shared<Watcher>(loop, service, pictures, std::move(*wish));
  const auto started = watcher->start(reply.stream);
  if (!started.ok()) reply.respond(error_response(started.error()));
}

}  // namespace hydra::api
