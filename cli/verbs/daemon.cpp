#include "client/daemon.hpp"

#include "base/state_lock.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/views.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <unistd.h>

namespace hydra::cli {
namespace {

// Replaces this process by the daemon, for service managers.
Result<int> run_foreground(Context&) {
  HYDRA_TRY(const auto program, client::find_daemon());
  std::string name = program.string(), option = "--foreground";
  std::array<char*, 3> argv{name.data(), option.data(), nullptr};
  ::execv(name.c_str(), argv.data());
  return system_error("cannot start " + name, errno);
}

Result<wire::Health> health(client::Client& client) { return get<wire::Health>(client, "/v1/health"); }

Result<int> start(Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto view, health(client));
  return say(fmt::format("hydrad {} runs (pid {}).", context.out().safe(view.version), view.pid));
}

Result<int> stop(Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  HYDRA_TRY(const auto how, client::stop_daemon(paths));
  if (how == client::Stop::not_running) return say("The daemon does not run.");
  return say(std::string(how == client::Stop::killed ? "Killed, as it did not stop." : "Stopped.") +
             " Agents that run go on; the next `hydra` command takes them over.");
}

Result<int> status(const JsonArgs& args, Context& context) {
  HYDRA_TRY(const auto paths, context.paths());
  auto client = client::Client::connect(paths);
  if (client) client->set_timeout(client::kFirstContact);
  const auto answer = client ? client->call("GET", "/v1/health") : Result<std::string>(client.error());
  if (!answer) {
    if (const auto holder = StateLock::holder(paths)) {
      if (!args.json) return client::silent_daemon(paths);
      return say(one_line({{"schema", 1}, {"running", true}, {"answers", false}, {"pid", holder->pid}}));
    }
    return say(args.json ? one_line({{"schema", 1}, {"running", false}})
                         : "The daemon does not run; the next command that needs it starts it.");
  }
  const auto& body = *answer;
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
