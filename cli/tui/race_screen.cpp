#include "cli/tui/race_screen.hpp"

#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/tui/view.hpp"
#include "wire/answers.hpp"
#include "wire/history.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <poll.h>
#include <tuple>
#include <unistd.h>

namespace hydra::cli::tui {
namespace {

constexpr std::size_t kNarrowest = 40;
constexpr int kTickMs = 250;
constexpr std::int64_t kLogPiece = 1 << 20;              // bytes that the daemon returns at once
constexpr std::int64_t kRecentMs = 60LL * 86400 * 1000;  // age of races that count for the usual time
constexpr std::chrono::minutes kMergeTime{10};           // the merge runs the user's hooks

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t wall_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

wire::MergeRequest merge_request(const Model& model, const Request& request) {
  wire::MergeRequest body;
  body.target = model.race + "/" + request.agent;
  body.directory = working_directory().string();
  body.dry_run = request.want == Want::merge_preview;
  body.environment = environment();
  if (request.want == Want::merge) {
    body.preview = request.other;
    body.expected_ref = request.message;
    body.allow = request.allow;
  }
  return body;
}

}  // namespace

bool has_room(const EnvLookup& env) {
  return ::isatty(0) != 0 && can_redraw(1, env) && terminal_width(1) >= kNarrowest &&
         env("HYDRA_PLAIN").value_or("").empty();
}

std::unique_ptr<RaceScreen> RaceScreen::open(const Style& style, const std::string& race) {
  auto terminal = Terminal::open(style.colour);
  if (terminal == nullptr) return nullptr;
  return std::unique_ptr<RaceScreen>(new RaceScreen(std::move(terminal), style, race));
}

RaceScreen::RaceScreen(std::unique_ptr<Terminal> terminal, const Style& style, const std::string& race)
    : terminal_(std::move(terminal)) {
  model_.race = race;
  model_.style = style;
  model_.style.utf8 = style.utf8 && terminal_->utf8();
  draw();
}

void RaceScreen::draw() {
  resize(model_, terminal_->size());
  terminal_->paint(view(model_, steady_ms()));
}

void RaceScreen::status(client::Client& client, wire::Status status) {
  take_status(model_, std::move(status), steady_ms());
  model_.ended = false;
  ask_usual_time(client);
  draw();
}

void RaceScreen::say(std::string note) {
  model_.note = std::move(note);
  draw();
}

void RaceScreen::connected_again() {
  terminal_->spoilt();
  say("Reconnected to the daemon.");
}

void RaceScreen::tick(client::Client& client) {
  carry_out(client, wanted_now(model_));
  draw();
}

bool RaceScreen::input(client::Client& client) {
  const auto keys = terminal_->keys();
  pollfd gone{0, POLLIN, 0};
  if (keys.empty() && ::poll(&gone, 1, 0) == 1 && (gone.revents & POLLHUP) != 0) return false;
  for (const auto& key : keys) {
    const bool mouse = model_.mouse;
    carry_out(client, press(model_, key));
    if (model_.mouse != mouse) terminal_->mouse(model_.mouse);
    if (model_.quit) return false;
  }
  draw();
  return true;
}

RaceScreen::Left RaceScreen::browse(client::Client& client, Interrupts& interrupts) {
  model_.ended = !resumed_after_.has_value();
  draw();
  while (model_.ended) {
    std::array<pollfd, 2> fds{pollfd{0, POLLIN, 0}, pollfd{interrupts.fd(), POLLIN, 0}};
    const auto ready = ::poll(fds.data(), fds.size(), kTickMs);
    if (ready > 0 && fds[1].revents != 0) return Left::interrupted;
    if (ready > 0 && fds[0].revents != 0) {
      if (!input(client)) return Left::quit;
    } else {
      tick(client);
    }
  }
  return Left::resumed;
}

void RaceScreen::carry_out(client::Client& client, const Requests& requests) {
  for (const auto& request : requests) {
    const bool slow = request.want == Want::merge || request.want == Want::merge_preview;
    if (slow)
      say(request.want == Want::merge ? "Merging; hooks of the repository run, too." : "Trying the merge.");
    const auto answer = ask_daemon(client, request);
    if (slow) model_.note.clear();
    take_answer(model_, request, answer);
  }
}

Result<Answer> RaceScreen::read_log(client::Client& client, const Request& request) const {
  const auto where =
      request.offset < 0 ? fmt::format("tail={}", kLogPiece) : fmt::format("offset={}", request.offset);
  const auto target = race_path(model_.race, "logs", request.agent) +
                      "?kind=" + client::url_encode(request.other) + "&" + where;
  HYDRA_TRY(auto response, client.request("GET", target));
  if (response.status != 200) return client::error_of(response);
  Answer answer{std::move(response.body), request.offset, response.headers["x-hydra-ended"] == "1"};
  if (const auto next = parse_int(response.headers["x-hydra-next-offset"])) answer.next_offset = *next;
  return answer;
}

Result<Answer> RaceScreen::ask_daemon(client::Client& client, const Request& request) {
  if (request.want == Want::log) return read_log(client, request);
  const auto path = [&](std::string_view what, std::string_view whose = {}) {
    return race_path(model_.race, what, whose);
  };
  std::string method = "GET", target, body;
  switch (request.want) {
    case Want::log:
      break;
    case Want::diff:
      target = path("diff", request.agent);
      break;
    case Want::compare:  // from the first to the second, as in git
      target = path("diff", request.other) + "?against=" + client::url_encode(request.agent);
      break;
    case Want::tests:
      target = path("tests") + "?show=" + client::url_encode(request.other);
      break;
    case Want::explain:
      target = path("explain", request.agent);
      break;
    case Want::results:
      target = path("results");
      break;
    case Want::cancel:
      method = "POST", target = path("cancel"), body = wire::to_json(wire::CancelRequest{request.agent});
      break;
    case Want::retry:
      method = "POST", target = path("retry");
      body = wire::to_json(wire::RetryRequest{.agents = {request.agent},
                                              .message = request.message,
                                              .review = request.review,
                                              .environment = environment()});
      break;
    case Want::merge:
    case Want::merge_preview:
      method = "POST", target = "/v1/merge", body = wire::to_json(merge_request(model_, request));
      client.set_timeout(kMergeTime);
      break;
  }
  HYDRA_TRY(auto text, client.call(method, target, body));
  if (request.want == Want::retry) {
    HYDRA_TRY(const auto begun, with_race<wire::Retried>(text));
    resumed_after_ = begun.after;
  }
  return Answer{.body = std::move(text)};
}

// Runs once, after the first status, which names the repository.
void RaceScreen::ask_usual_time(client::Client& client) {
  if (asked_usual_) return;
  asked_usual_ = true;
  const auto body =
      client.call("GET", fmt::format("/v1/history?limit=500&since_ms={}&repository={}", wall_ms() - kRecentMs,
                                     client::url_encode(model_.status.repository)));
  if (body) std::tie(model_.usual_ms, model_.usual_of) = usual_time(*body);
}

std::pair<std::int64_t, std::size_t> usual_time(std::string_view history, std::size_t most) {
  const auto page = wire::from_json<wire::History>(history).value_or({});
  std::vector<std::int64_t> times;
  for (const auto& race : page.races)
    if (race.state == "done" && race.created_ms > 0 && race.ended_ms > race.created_ms)
      times.push_back(race.ended_ms - race.created_ms);
  if (times.size() > most) times.erase(times.begin(), times.end() - static_cast<std::ptrdiff_t>(most));
  if (times.empty()) return {0, 0};
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return {*middle, times.size()};
}

}  // namespace hydra::cli::tui
