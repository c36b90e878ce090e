#include "client/daemon.hpp"

#include "base/fd.hpp"
#include "base/state_lock.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

constexpr std::chrono::seconds kStopWait{15}, kSocketWait{5};

// Replaces this process by the daemon, for service managers.
Result<int> run_foreground(Context&) {
  HYDRA_TRY(const auto program, client::find_daemon());
  std::string name = program.string(), option = "--foreground";
  std::array<char*, 3> argv{name.data(), option.data(), nullptr};
  ::execv(name.c_str(), argv.data());
  return system_error("cannot start " + name, errno);
}

Result<wire::Health> health(client::Client& client) { return get<wire::Health>(client, "/v1/health"); }

Error silent(const Paths& paths, const LockHolder& holder) {
  const auto who = holder.text();
  return {Errc::environment, "hydrad" + (who.empty() ? "" : " " + who) + " runs, but does not answer",
          paths.state.string(),
          holder.pid > 0
              ? fmt::format("try again in a moment; `kill {}` ends it, agents that run go on", holder.pid)
              : "try again in a moment"};
}

// Waits for the socket: a daemon that holds the lock recreates a removed socket within seconds.
Result<client::Client> connect_patiently(const Paths& paths) {
  const auto end = std::chrono::steady_clock::now() + kSocketWait;
  auto client = client::Client::connect(paths);
  while (!client && StateLock::holder(paths) && std::chrono::steady_clock::now() < end) {
    ::poll(nullptr, 0, 100);
    client = client::Client::connect(paths);
  }
  return client;
}

Result<int> start(Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto view, health(client));
  return say(fmt::format("hydrad {} runs (pid {}).", context.out().safe(view.version), view.pid));
}

Result<int> stop(Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  auto client = connect_patiently(paths);
  if (!client) {
    if (const auto holder = StateLock::holder(paths)) return silent(paths, *holder);
    return say("The daemon does not run.");
  }
  const auto view = health(*client);
  const UniqueFd process(view ? static_cast<int>(::syscall(SYS_pidfd_open, view->pid, 0)) : -1);
  HYDRA_CHECK(client->call("POST", "/v1/shutdown", wire::to_json(wire::ShutdownRequest{true})));
  // The stop is complete when the socket and the process are gone, so that the next command starts a new
  // daemon.
  const Error runs{Errc::timeout, "the daemon still runs", paths.log().string(), "look at its log"};
  const auto end = std::chrono::steady_clock::now() + kStopWait;
  while (client::Client::connect(paths).ok()) {
    if (std::chrono::steady_clock::now() > end) return runs;
    ::poll(nullptr, 0, 20);
  }
  pollfd gone{process.get(), POLLIN, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  if (process && ::poll(&gone, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) == 0)
    return runs;
  return say("Stopped. Agents that run go on; the next `hydra` command takes them over.");
}

Result<int> status(const JsonArgs& args, Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  auto client = client::Client::connect(paths);
  if (!client) {
    if (const auto holder = StateLock::holder(paths)) {
      if (!args.json) return silent(paths, *holder);
      return say(one_line({{"schema", 1}, {"running", true}, {"answers", false}, {"pid", holder->pid}}));
    }
    return say(args.json ? one_line({{"schema", 1}, {"running", false}})
                         : "The daemon does not run; the next command that needs it starts it.");
  }
  HYDRA_TRY(const auto body, client->call("GET", "/v1/health"));
  HYDRA_TRY(const auto view, wire::from_json<wire::Health>(body));
  if (args.json)
    return say(
        one_line({{"schema", 1}, {"running", true}, {"health", OrderedJson::parse(body, nullptr, false)}}));
  const auto& style = context.out();
  print_line(fmt::format("hydrad {} runs (pid {}), {} running.", style.safe(view.version), view.pid,
                         counted(view.races_running, "race")));
  print_line("state: " + style.safe(view.state_dir));
  print_line("log:   " + style.safe(paths.log().string()));
  return kDone;
}

}  // namespace

Verb daemon_verb() {
  return {
      "daemon",
      "Run, start, stop or look at the daemon",
      {"hydra daemon status", "hydra daemon stop"},
      {},
      {},
      {{"run", "Run it in the foreground, for a service manager", {"hydra daemon run"}, {}, run_foreground},
       {"start", "Start it in the background, if it doesn't run", {"hydra daemon start"}, {}, start},
       {"stop", "Stop it; agents that run go on", {"hydra daemon stop"}, {}, stop},
       verb_of<JsonArgs>(
           "status", "Whether it runs, and where its files are", {"hydra daemon status --json"},
           [](Options& o, JsonArgs& args) { o.flag("--json", args.json, "as JSON"); }, status)}};
}

}  // namespace hydra::cli
