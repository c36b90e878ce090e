// `hydra try`: runs one or two results in the daemon for as long as this command runs, and prints where they
// answer.
#include "base/fd.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_fields.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/failed_log.hpp"
#include "wire/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <netinet/in.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{200};  ///< between two attempts to connect

struct TryArgs {
  std::string agent, other, run;
  int patience = 120;
  bool blind = false, json = false;
};

/// A result that is being tried.
struct Tried {
  std::string agent, label, attempt;
  std::int64_t port = 0;  ///< 0: not started yet
  SteadyClock::time_point until{};
  bool answers = false;

  [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}/", port); }
};

bool answers(std::int64_t port) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{1, 0};  // a full backlog answers nothing
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in own{};
  socklen_t size = sizeof own;
  // A socket can connect to itself, where the kernel gives it the very port and nobody listens.
  return fd && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
         ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
         own.sin_port != address.sin_port;
}

class Trial {
 public:
  Trial(const TryArgs& args, Context& context, client::Client& client, std::string race)
      : args_(args), context_(context), client_(client), race_(std::move(race)) {}

  Result<int> run(std::vector<std::string> agents, const std::string& command);

 private:
  Result<int> listen(const wire::TryRequest& request);
  bool on_frame(const wire::TryFrame& frame);
  bool look();
  void tell_links() const;
  [[nodiscard]] Error failed(Errc code, const Tried& tried, std::string text);
  [[nodiscard]] Result<int> ask();

  const TryArgs& args_;
  Context& context_;
  client::Client& client_;
  const std::string race_;
  std::vector<Tried> tried_;
  std::optional<Error> failed_;
};

// The log's last lines follow the sentence.
Error Trial::failed(Errc code, const Tried& tried, std::string text) {
  if (!tried.attempt.empty())
    for (const auto& line : read_failed_log(client_, tried.attempt).lines) text += "\n  " + line;
  const bool ran = !tried.attempt.empty() && step_of_attempt(tried.attempt).kind == "run";
  return {code, text, {}, ran ? "hydra logs " + race_ + "/" + tried.agent + " --kind run" : "hydra check"};
}

bool Trial::on_frame(const wire::TryFrame& frame) {
  const auto found = std::find_if(tried_.begin(), tried_.end(),
                                  [&](const Tried& each) { return each.agent == frame.agent; });
  if (found == tried_.end()) return true;
  found->attempt = frame.attempt;
  if (frame.ended) {
    failed_ = failed(Errc::refused, *found, found->label + ": " + frame.reason);
    return false;
  }
  found->port = frame.port;
  found->until = SteadyClock::now() + std::chrono::seconds(args_.patience);
  return look();
}

// Tries to connect where nothing has answered yet. False: the patience is over.
bool Trial::look() {
  bool news = false;
  for (auto& each : tried_) {
    if (each.answers || each.port == 0) continue;
    each.answers = answers(each.port);
    news = news || each.answers;
    if (each.answers && !args_.json) print_line(context_.out().safe(each.label) + ": " + each.url());
    if (each.answers || SteadyClock::now() < each.until) continue;
    failed_ = failed(Errc::timeout, each,
                     fmt::format("{} does not answer on port {} after {} s: its command must listen on $PORT",
                                 each.label, each.port, args_.patience));
    return false;
  }
  const bool all = std::all_of(tried_.begin(), tried_.end(), [](const Tried& each) { return each.answers; });
  if (news && all) tell_links();
  return true;
}

void Trial::tell_links() const {
  if (!args_.json) {
    std::fprintf(stderr, "%s ends %s.\n", context_.interactive() ? "Enter or Ctrl-C" : "Ctrl-C",
                 tried_.size() > 1 ? "both" : "it");
    return;
  }
  OrderedJson links = OrderedJson::array();
  for (const auto& each : tried_) links.push_back({{"agent", each.label}, {"url", each.url()}});
  print_line(one_line({{"schema", 1}, {"race", race_}, {"links", links}}));
}

Result<int> Trial::listen(const wire::TryRequest& request) {
  Interrupts interrupts;
  client::StreamOptions options;
  options.post = wire::to_json(request);
  options.cancel_fd = interrupts.fd();
  options.tick = kPause;
  options.on_tick = [this] { return look(); };
  if (context_.interactive()) {
    options.input_fd = 0;
    options.on_input = [] {
      std::array<char, 256> line;
      (void)!::read(0, line.data(), line.size());
      return false;
    };
  }
  HYDRA_TRY(const auto end,
            client_.stream_events(race_path(race_, "try"), options, [this](const client::StreamEvent& event) {
              const auto frame = wire::from_json<wire::TryFrame>(event.data);
              return !frame.ok() || on_frame(*frame);
            }));
  if (failed_) return std::move(*failed_);
  (void)interrupts.take({});  // a Ctrl-C is the end that was announced
  if (end != client::StreamEnd::closed) return kDone;
  return Error{Errc::environment, "the daemon has ended, and with it what it ran", {}, "hydra daemon status"};
}

// A preference says that one is good, and nothing against the other.
Result<int> Trial::ask() {
  constexpr int kBetter = 4, kUndecided = 3;
  print("Which is better? [1/2/tie/skip] ");
  std::string answer;
  std::getline(std::cin, answer);
  const auto word = to_lower(trim(answer));
  const bool tie = word == "tie";
  for (std::size_t i = 0; i < tried_.size() && (tie || word == "1" || word == "2"); ++i) {
    const auto stars = !tie && word == std::to_string(i + 1) ? kBetter : kUndecided;
    const wire::RateRequest rating{tried_[i].agent, stars, "tried beside " + tried_[1 - i].agent, {}};
    HYDRA_TRY(const auto rated, post<wire::Rated>(client_, race_path(race_, "rate"), rating));
    print_line(fmt::format("{}: {} of 5", context_.out().safe(rated.agent), stars));
  }
  if (args_.blind)
    for (const auto& each : tried_) print_line(each.label + " was " + context_.out().safe(each.agent) + ".");
  return kDone;
}

Result<int> Trial::run(std::vector<std::string> agents, const std::string& command) {
  if (args_.blind && std::random_device()() % 2 == 1) std::swap(agents.front(), agents.back());
  constexpr std::array kSides{"left", "right"};
  for (std::size_t i = 0; i < agents.size(); ++i)
    tried_.push_back({agents[i], args_.blind ? kSides[i] : agents[i], {}});
  if (!args_.json)
    std::fprintf(stderr, "Starting %s…\n",
                 context_.err()
                     .safe(tried_.front().label + (agents.size() > 1 ? " and " + tried_[1].label : ""))
                     .c_str());
  HYDRA_CHECK(listen({agents, command, environment()}));
  const bool seen = std::all_of(tried_.begin(), tried_.end(), [](const Tried& each) { return each.answers; });
  if (tried_.size() < 2 || !seen || args_.json || !context_.interactive()) return kDone;
  return ask();
}

// The file of today counts, so that a race from before the key can be tried.
Result<std::string> run_command(const TryArgs& args, Context& context, client::Client& client,
                                const std::string& race) {
  if (!args.run.empty()) return args.run;
  HYDRA_TRY(const auto status, get_status(client, race));
  const auto here = find_repository(working_directory());
  if (!here || *here != status.repository) return std::string();
  HYDRA_TRY(const auto config, load_config(context));
  return config.workspace.run.value_or("");
}

Result<int> try_results(const TryArgs& args, Context& context) {
  if (args.blind && args.other.empty())
    return Error{Errc::usage, "--blind compares two results", "command line", "hydra try A B --blind"};
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto ref, resolve_agent(client, args.agent));
  std::vector<std::string> agents{ref.agent};
  if (!args.other.empty()) {
    const bool plain = args.other.find('/') == std::string::npos;
    HYDRA_TRY(const auto other, resolve_agent(client, plain ? ref.race + "/" + args.other : args.other));
    if (other.race != ref.race)
      return Error{
          Errc::usage, "two results of one race are tried beside each other", {}, "hydra try RACE/A B"};
    agents.push_back(other.agent);
  }
  HYDRA_TRY(const auto command, run_command(args, context, client, ref.race));
  return Trial(args, context, client, ref.race).run(std::move(agents), command);
}

}  // namespace

Verb try_verb() {
  return verb_of<TryArgs>(
      "try", "Run a result, or two beside each other, and open it in your browser",
      {"hydra try codex # [workspace] run, until Ctrl-C", "hydra try codex claude --blind # then: which?",
       "hydra try 01jx4k/codex --run 'python3 -m http.server \"$PORT\"'"},
      [](Options& o, TryArgs& args) {
        o.positional("agent", args.agent, true, "name in the last race, RACE/AGENT or a branch");
        o.positional("other", args.other, false, "another result of the race");
        o.flag("--blind", args.blind, "without their names, in a random order, until you have chosen");
        o.value("--run", args.run, "COMMAND", "instead of [workspace] run; listens on $PORT");
        o.number("--patience", args.patience, 1, 3600, "seconds until the port must answer");
        o.flag("--json", args.json, "the links, as JSON");
      },
      try_results);
}

}  // namespace hydra::cli
