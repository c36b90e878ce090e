#include "cli/follow.hpp"

#include "cli/ask.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/check_block.hpp"
#include "cli/render/event_line.hpp"
#include "cli/render/failed_log.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"
#include "cli/tui/race_screen.hpp"
#include "model/json.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <chrono>
#include <cstdio>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kBrokenStreams = 6;  // consecutive broken streams without an event between them

constexpr milliseconds kSecondCtrlC{2000};

// Redraws lines in place. The cursor is hidden; the destructor shows it again.
class Screen {
 public:
  Screen() { print("\x1b[?25l"); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen() { print("\x1b[?25h"); }

  void draw(const std::vector<std::string>& table) {
    std::string text = home();
    for (const auto& line : table) text += line + "\x1b[K\n";
    text += "\x1b[J";
    rows_ = table.size();
    print(text);
  }
  void clear() {
    print(home() + "\x1b[J");
    rows_ = 0;
  }

 private:
  [[nodiscard]] std::string home() const {
    return rows_ == 0 ? std::string("\r") : "\r\x1b[" + std::to_string(rows_) + "A";
  }
  std::size_t rows_ = 0;
};

class Follower {
 public:
  Follower(Context& context, std::string race, const FollowOptions& options)
      : context_(context),
        race_(std::move(race)),
        json_(options.json),
        live_(options.redraw && !options.json && can_redraw(1, context.env())),
        screen_kind_(options.screen) {
    if (options.after) last_id_ = std::to_string(*options.after);
  }

  Result<int> run(client::Client client);

 private:
  bool on_event(client::Client& client, const client::StreamEvent& event);
  void draw();
  void begin();
  void give_back();
  int interrupted(client::Client& client);
  int left();
  bool goes_on(client::Client& client);
  Result<bool> once(client::Client& client);

  Context& context_;
  std::string race_;
  bool json_, live_;
  Interrupts interrupts_;
  FollowOptions::Screen screen_kind_;
  std::unique_ptr<Screen> screen_;
  std::unique_ptr<tui::RaceScreen> full_;
  std::string last_id_;
  wire::Status status_;
  bool have_status_ = false, ended_ = false, interrupted_ = false, progress_ = false;
  bool left_ = false;  // whether the user pressed q
  SteadyClock::time_point status_at_{};
};

void Follower::draw() {
  if (!screen_ || !have_status_) return;
  Style style = context_.out();
  style.width = terminal_width(1);  // read for every picture, since the window may be resized
  const auto since = std::chrono::duration_cast<milliseconds>(SteadyClock::now() - status_at_).count();
  const auto height = terminal_height(1);
  screen_->draw(live_table(status_, style, since, height > 2 ? height - 1 : 2));
}

// Opens the live view; the destructor of the view restores the terminal before other output.
void Follower::begin() {
  if (!live_) return;
  if (screen_kind_ != FollowOptions::Screen::none && tui::has_room(context_.env()))
    full_ = tui::RaceScreen::open(context_.out(), race_);
  if (!full_) screen_ = std::make_unique<Screen>();
}

void Follower::give_back() {
  screen_.reset();
  full_.reset();
}

bool Follower::on_event(client::Client& client, const client::StreamEvent& event) {
  progress_ = true;
  if (event.event == "end") {
    ended_ = true;
    return false;
  }
  if (event.event == "live") {
    if (auto status = wire::from_json<wire::Status>(event.data)) {
      if (full_) {
        full_->status(client, std::move(*status));
        return true;
      }
      status_ = std::move(*status);
      have_status_ = true;
      status_at_ = SteadyClock::now();
      draw();
    }
    return true;
  }
  if (!event.id.empty()) last_id_ = event.id;
  if (json_) {
    print_line(with_schema(event_json(event.event, event.id, event.data)));
  } else if (event.event == "waits") {
    if (full_) full_->say(waits_line(event.data, context_.out()));
    if (!live_) print_line(waits_line(event.data, context_.out()));
  } else if (!live_) {
    const auto body = model::event_from_json(event.event, event.data);
    // A newer daemon may send unknown kinds of events.
    const auto text = body ? event_line(*body, context_.out()) : context_.out().safe(words(event.event));
    if (!text.empty()) print_line(text);
  }
  return true;
}

// Reads one stream to its end. True: the race has ended or the user leaves.
Result<bool> Follower::once(client::Client& client) {
  client::StreamOptions options;
  options.last_event_id = last_id_;
  options.cancel_fd = interrupts_.fd();
  if (live_) {
    options.tick = milliseconds(500);
    options.on_tick = [&] {
      full_ ? full_->tick(client) : draw();
      return true;
    };
  }
  if (full_) {
    options.tick = milliseconds(250);
    options.input_fd = 0;
    options.on_input = [&] {
      left_ = !full_->input(client);
      return !left_;
    };
  }
  const auto target = race_path(race_, "events") + (live_ ? "?live=1" : "");
  HYDRA_TRY(const auto end,
            client.stream_events(target, options, [&](const auto& e) { return on_event(client, e); }));
  interrupted_ = end == client::StreamEnd::cancelled;
  return interrupted_ || ended_ || left_;
}

int Follower::interrupted(client::Client& client) {
  const int signal = interrupts_.take(milliseconds(0));
  give_back();
  const auto id = context_.err().safe(race_);
  std::fprintf(stderr, "\nThe race continues. Watch it: `hydra watch %s`. Cancel it: `hydra cancel %s`%s\n",
               id.c_str(), id.c_str(),
               context_.interactive() && signal == SIGINT ? " or Ctrl-C again now." : ".");
  if (signal != SIGINT || !context_.interactive()) return kInterrupted;
  if (interrupts_.take(kSecondCtrlC) != SIGINT) return kInterrupted;
  const auto answer = client.call("POST", race_path(race_, "cancel"), wire::to_json(wire::CancelRequest{""}));
  if (!answer) {
    context_.fail(answer.error());
    return kInterrupted;
  }
  std::fprintf(stderr, "The race is being cancelled. Its agents' work so far is kept: `hydra results %s`\n",
               id.c_str());
  return kInterrupted;
}

int Follower::left() {
  give_back();
  std::fprintf(stderr, "The race continues. Watch it: `hydra watch %s`\n",
               context_.err().safe(race_).c_str());
  return kInterrupted;
}

// Keeps the screen after the end of a race. True: the race was resumed, continue following.
bool Follower::goes_on(client::Client& client) {
  if (!full_ || (screen_kind_ == FollowOptions::Screen::with_race && !full_->touched())) return false;
  if (full_->browse(client, interrupts_) != tui::RaceScreen::Left::resumed) return false;
  last_id_ = std::to_string(full_->take_resumed());
  ended_ = false;
  return true;
}

Result<int> Follower::run(client::Client client) {
  begin();
  int broken = 0;
  for (;;) {
    progress_ = false;
    const auto end = once(client);
    if (interrupted_) return interrupted(client);
    if (left_ && !full_->over()) return left();
    if (ended_ && !left_ && goes_on(client)) continue;
    if (ended_ || left_) break;
    broken = progress_ ? 1 : broken + 1;
    if (full_) full_->say("The daemon has gone; connecting again.");
    const bool lost = end.ok() || client::is_lost(end.error().code);
    if (!lost || broken >= kBrokenStreams) {
      give_back();
      const Error closed{Errc::environment,
                         "the daemon closes the stream of events again and again",
                         {},
                         "`hydra watch " + race_ + "` tries again"};
      return end.ok() ? closed : end.error();
    }
    if (interrupts_.take(milliseconds(100 * broken)) != 0) {
      give_back();
      std::fprintf(stderr, "\nThe race continues. Watch it: `hydra watch %s`\n", race_.c_str());
      return kInterrupted;
    }
    if (auto again = context_.daemon()) {
      client = std::move(*again);
      if (full_) full_->connected_again();
    } else if (broken + 1 >= kBrokenStreams) {
      give_back();
      return again.error();
    }
  }
  if (screen_) screen_->clear();
  give_back();
  if (!live_ && !json_) print("\n");
  return print_results(context_, client, race_, json_);
}

}  // namespace

Result<int> follow_race(Context& context, client::Client client, const std::string& race,
                        const FollowOptions& options) {
  Follower follower(context, race, options);
  return follower.run(std::move(client));
}

Result<int> print_results(Context& context, client::Client& client, const std::string& race, bool json) {
  HYDRA_TRY(const auto body, client.call("GET", race_path(race, "results")));
  HYDRA_TRY(const auto results, wire::from_json<wire::Results>(body));
  if (json)
    print_line(one_line(
        {{"schema", 1}, {"event", "results"}, {"results", OrderedJson::parse(body, nullptr, false)}}));
  else
    print(results.agents.empty()
              ? check_block(results.race, results.baseline, context.out())
              : result_block(results, context.out(), failed_steps_text(client, results, context.out())));
  const bool base_stopped =
      results.state == model::RacePhase::failed && results.baseline.problem != model::BaseProblem::none;
  if (!json && (results.agents.empty() || base_stopped))
    if (const auto attempt = failed_attempt(results.baseline); !attempt.empty())
      print(failed_log_block(read_failed_log(client, attempt), context.out()));
  if (!json && results.agents.empty()) print_line("\n" + base_verdict(results.baseline));
  return results.agents.empty() ? check_exit(results.baseline) : result_exit(results);
}

}  // namespace hydra::cli
