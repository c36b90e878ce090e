// Verbs about installed agents, sign-ins and the machine's capabilities. Each probe has a time limit; all run
// on the pool.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"
#include "exec/file_system.hpp"
#include "exec/machine.hpp"
#include "exec/tool.hpp"
#include "git/repository.hpp"
#include "trees/rungs.hpp"

#include <boost/asio/io_context.hpp>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <unistd.h>

namespace hydra::api {

using wire::DoctorStatus;
using wire::SignedIn;
namespace {

using wire::Environment;

constexpr std::size_t kSignInBytes = 1u << 20;
constexpr double kProbeSeconds = 60;
constexpr std::size_t kProbesAtOnce = 2;

std::string value_of(const Environment& env, const std::string& name) {
  const auto found = env.find(name);
  return found == env.end() ? std::string{} : found->second;
}

struct TemporaryHome {
  TemporaryHome() {
    std::string pattern = (fs::temp_directory_path() / "hydra-probe-XXXXXX").string();
    if (const char* made = ::mkdtemp(pattern.data())) path = made;
  }
  ~TemporaryHome() {
    if (!path.empty()) (void)remove_tree(path);
  }
  TemporaryHome(const TemporaryHome&) = delete;
  TemporaryHome& operator=(const TemporaryHome&) = delete;
  fs::path path;
};

exec::ToolCall tool_call(std::vector<std::string> argv, const Environment& env, const fs::path& home,
                         double seconds) {
  exec::ToolCall call;
  call.argv = std::move(argv);
  call.env = {{"PATH", value_of(env, "PATH")},
              {"HOME", home.string()},
              {"TERM", "dumb"},
              {"NO_COLOR", "1"},
              {"LANG", "C.UTF-8"},
              {"CI", "1"}};
  call.cwd = home.empty() ? fs::path("/") : home;
  call.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  call.max_output = 1u << 20;
  return call;
}

/// Versions found by earlier probes, by the probed file. Only the loop's thread changes the map.
using Versions = std::map<std::string, std::string>;

/// Identifies a program file: a new version has another path or time.
std::string identity(const fs::path& program) {
  std::error_code ec;
  const auto real = fs::canonical(program, ec);
  if (ec) return {};
  const auto time = fs::last_write_time(real, ec).time_since_epoch().count();
  return ec ? std::string() : real.string() + " " + std::to_string(time);
}

/// Returns why the system can't start a script: the interpreter of its first line is missing. Empty: not
/// missing, or not a script.
std::string interpreter_problem(const fs::path& program, const Environment& env) {
  std::ifstream file(program, std::ios::binary);
  std::array<char, 256> head{};  // the kernel reads as many bytes
  file.read(head.data(), head.size());
  std::string_view text(head.data(), static_cast<std::size_t>(file.gcount()));
  if (!text.starts_with("#!")) return {};
  text = text.substr(2, text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') - 2);
  const auto next = [&text] {
    text = trim(text);
    const auto word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return std::string(word);
  };
  auto name = next();
  if (name.empty()) return {};
  std::error_code ec;
  if (fs::exists(name, ec) && fs::path(name).filename() == "env") {
    name = next();
    // Other options and assignments are left to `env` itself.
    if (name == "-S") name = next();
    if (name.empty() || name.front() == '-' || name.find('=') != std::string::npos) return {};
    if (!exec::find_program(name, value_of(env, "PATH")).empty()) return {};
  } else if (fs::exists(name, ec)) {
    return {};
  }
  return "its interpreter is missing: " + exec::why_no_program(name, value_of(env, "PATH"));
}

fs::path find_agent_program(const model::AgentDescriptor& agent, const Environment& env,
                            wire::AgentInfo& row) {
  const auto& argv = agent.command.empty() ? agent.probe_command : agent.command;
  const auto program = argv.empty() ? fs::path{} : exec::find_program(argv.front(), value_of(env, "PATH"));
  row.installed = !program.empty();
  row.path = program.string();
  if (program.empty()) {
    row.problem = argv.empty() ? "no command" : exec::why_no_program(argv.front(), value_of(env, "PATH"));
    row.hint = agent.install_hint;
  } else if (auto problem = interpreter_problem(program, env); !problem.empty()) {
    row.problem = std::move(problem);
  }
  return program;
}

void probe_version(const model::AgentDescriptor& agent, const Environment& env, wire::AgentInfo& row) {
  if (agent.probe_command.empty()) return;
  const TemporaryHome home;
  const auto output =
      exec::run_tool(tool_call(agent.probe_command, env, home.path, agent.probe_timeout_seconds));
  if (!output.ok()) {
    // A slow program is not broken: the earlier findings stay valid.
    if (output.error().code == Errc::timeout)
      row.slow = true;
    else
      row.problem = describe(output.error());
    return;
  }
  std::string version;
  const std::string text = output->out + "\n" + output->err;
  if (!agent.probe_regex.empty() && re2::RE2::PartialMatch(text, agent.probe_regex, &version))
    row.version = version;
  else
    row.problem = "its version can't be read: " + ellipsize(sanitize(trim(text)), 120);
}

void probe_sign_in(const model::AgentDescriptor& agent, const Environment& env, bool run,
                   wire::AgentInfo& row) {
  const std::string home = value_of(env, "HOME");
  const auto variable = [&](const std::string& name) { return value_of(env, name); };
  const auto read = [&](const std::string& file) -> std::optional<std::string> {
    const fs::path path =
        adapters::home_file(home, file, value_of(env, "XDG_CONFIG_HOME"), value_of(env, "XDG_DATA_HOME"));
    std::error_code ec;
    if (!fs::exists(path, ec)) return std::nullopt;
    const auto text = fs::is_regular_file(path, ec) ? read_file(path, kSignInBytes) : Result<std::string>("");
    return text.ok() ? *text : std::string();
  };
  const bool asks = !agent.auth_command.empty() && row.installed;
  std::optional<bool> said;
  if (asks && run && std::all_of(agent.auth_env.begin(), agent.auth_env.end(), [&](const auto& name) {
        return value_of(env, name).empty();
      })) {
    const auto output = exec::run_tool(tool_call(agent.auth_command, env, home, kProbeSeconds));
    if (output.ok()) said = output->ok();
  }
  const auto found = adapters::sign_in_of(agent, variable, read, said, asks && !run);
  using State = adapters::SignIn::State;
  row.signed_in = found.state == State::yes  ? SignedIn::yes
                  : found.state == State::no ? SignedIn::no
                                             : SignedIn::unknown;
  row.sign_in_detail = found.detail;
}

/// `run`: whether the agent's program may be started; otherwise only earlier findings are reported.
wire::AgentInfo probe_one(const model::AgentDescriptor& agent, const Environment& env, bool run,
                          const Versions& known, std::string& file) {
  wire::AgentInfo row;
  row.id = agent.id;
  row.display = agent.display;
  row.builtin = adapters::builtin().contains(agent.id);
  const auto program = find_agent_program(agent, env, row);
  file = program.empty() ? std::string() : agent.id + " " + identity(program);
  if (run && !program.empty() && row.problem.empty()) probe_version(agent, env, row);
  if (const auto found = known.find(file); found != known.end() && row.version.empty())
    row.version = found->second;
  probe_sign_in(agent, env, run, row);
  return row;
}

using Checks = std::vector<wire::DoctorCheck>;

void git_rows(const Environment& env, const std::string& directory, Checks& checks) {
  const TemporaryHome home;
  const auto version = exec::run_tool(tool_call({"git", "--version"}, env, home.path, 10));
  if (!version.ok())
    checks.push_back({"git", DoctorStatus::fail, describe(version.error()), "install git"});
  else
    checks.push_back({"git", DoctorStatus::ok, sanitize(trim(version->out))});
  if (directory.empty()) return;
  const auto facts = git::inspect({directory, "", false, value_of(env, "PATH"), value_of(env, "HOME")});
  if (facts.ok())
    checks.push_back({"repository", DoctorStatus::ok, facts->root + " at " + facts->base.substr(0, 12)});
  else
    checks.push_back({"repository", DoctorStatus::warn, facts.error().message, facts.error().hint});
}

void workspace_row(const exec::MachineFacts& machine, Checks& checks) {
  std::string words;
  auto state = DoctorStatus::ok;
  switch (machine.tree_rung) {
    case trees::TreeRung::overlay_root:
      words = "overlays, mounted as root";
      break;
    case trees::TreeRung::overlay_userns:
      words = "overlays in a user namespace";
      break;
    case trees::TreeRung::btrfs_snapshot:
      words = "btrfs snapshots; no overlays: " + machine.tree_problem;
      break;
    case trees::TreeRung::unshared:
    case trees::TreeRung::copy:
      words = "copies, which cost time and disk; no overlays: " + machine.tree_problem;
      state = DoctorStatus::warn;
  }
  checks.push_back({"workspaces", state, words, machine.tree_remedy});
}

void machine_rows(const exec::MachineFacts& machine, Checks& checks) {
  if (machine.bwrap_works) {
    checks.push_back({"sandbox", DoctorStatus::ok, "bubblewrap " + machine.bwrap_version});
  } else {
    checks.push_back({"sandbox", DoctorStatus::fail, machine.bwrap_problem, machine.bwrap_remedy});
  }
  const bool sweep = machine.kill_rung == "subreaper-sweep";
  checks.push_back({"kill", sweep ? DoctorStatus::warn : DoctorStatus::ok, machine.kill_rung,
                    sweep ? "without a sandbox or a cgroup it cannot be guaranteed that no process survives"
                    : machine.kill_rung != "pid-namespace"
                        ? "without a sandbox a job that leaves its control group on purpose can survive"
                        : ""});
  workspace_row(machine, checks);
  checks.push_back({"limits", DoctorStatus::ok, machine.limit_rung});
  checks.push_back({"cores", DoctorStatus::ok, std::to_string(machine.cores)});
}

/// A browser has the environment of the terminal that opened the scoreboard, which may be empty.
bool lacks_environment(const Call& call, const Environment& environment) {
  if (call.request.door || !environment.empty()) return false;
  call.refuse({Errc::usage, "the body needs an environment", {}, {}});
  return true;
}

/// Loop thread only.
Versions& all_versions() {
  static Versions versions;
  return versions;
}

/// Adds damage found since the start, and databases that were moved aside earlier.
void database_rows(const std::vector<std::string>& findings, const std::string& state_dir, Checks& checks) {
  std::vector<std::string> kept;
  std::error_code ec;
  for (fs::directory_iterator entry(state_dir, ec), end; !ec && entry != end; entry.increment(ec)) {
    const auto name = entry->path().filename().string();
    if (name.starts_with("hydra.db.damaged-") && !name.ends_with("-wal") && !name.ends_with("-shm"))
      kept.push_back(name);
  }
  if (findings.empty() && kept.empty())
    return checks.push_back({"database", DoctorStatus::ok, "no damage found"});
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown(
      findings.begin(), findings.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, findings.size())));
  if (findings.size() > kShown)
    shown.push_back(std::to_string(findings.size() - kShown) + " more in the log");
  if (findings.empty()) shown.push_back("a damaged database was moved aside earlier: " + join(kept, ", "));
  checks.push_back({"database", DoctorStatus::warn, join(shown, "; "),
                    "compare `hydra list` with what you remember" +
                        (kept.empty() ? std::string()
                                      : "; then remove " + (fs::path(state_dir) / kept.front()).string())});
}

/// A request: its agents are probed in a few parallel lanes, since each program loads a whole runtime.
struct Probing {
  Environment env;
  bool run = false;
  Versions known;
  std::vector<model::AgentDescriptor> agents;
  std::vector<wire::AgentInfo> rows;
  std::vector<std::string> files;
  std::size_t next = 0, left = 0;
  std::function<void()> done;
};

void probe_next(race::Service& service, const std::shared_ptr<Probing>& probing) {
  if (probing->next >= probing->agents.size()) return;
  const auto slot = probing->next++;
  service.background(
      [probing, slot] {
        probing->rows[slot] = probe_one(probing->agents[slot], probing->env, probing->run, probing->known,
                                        probing->files[slot]);
      },
      [&service, probing] {
        probe_next(service, probing);
        if (--probing->left == 0) probing->done();
      });
}

void probe_agents(const Call& call, wire::AgentsRequest asked) {
  if (lacks_environment(call, asked.environment)) return;
  auto agents = adapters::builtin();
  if (asked.config)
    for (const auto& [id, descriptor] : asked.config->agents) agents[id] = descriptor;
  if (const auto& only = asked.only; !only.empty())
    std::erase_if(agents, [&](const auto& entry) {
      return std::find(only.begin(), only.end(), entry.first) == only.end();
    });
  if (agents.empty()) return call.refuse({Errc::usage, "none of these agents is known", {}, {}});
  auto& versions = all_versions();
  const auto probing = std::make_shared<Probing>();
  probing->env = std::move(asked.environment);
  probing->run = asked.probe.value_or(true);
  probing->known = versions;
  for (const auto& [id, descriptor] : agents) probing->agents.push_back(descriptor);
  probing->left = probing->agents.size();
  probing->rows.resize(probing->left);
  probing->files.resize(probing->left);
  probing->done = [probing_raw = std::weak_ptr(probing), call, &versions] {
    const auto found = probing_raw.lock();
    for (std::size_t i = 0; found->run && i < found->rows.size(); ++i)
      if (const auto& version = found->rows[i].version; !found->files[i].empty() && !version.empty())
        versions[found->files[i]] = version;
    call.answer(wire::AgentList{std::move(found->rows)});
  };
  for (std::size_t i = 0; i < kProbesAtOnce; ++i) probe_next(call.service(), probing);
}

void doctor(const Call& call, const wire::DoctorRequest& asked) {
  if (lacks_environment(call, asked.environment)) return;
  const auto checks = std::make_shared<Checks>();
  call.service().background(
      [checks, env = asked.environment, directory = asked.directory, state_dir = call.desk.facts.state_dir,
       findings = call.service().storage_findings()] {
        git_rows(env, directory, *checks);
        database_rows(findings, state_dir, *checks);
        std::error_code ec;
        const auto shim = fs::read_symlink("/proc/self/exe", ec).parent_path() / "hydra-shim";
        machine_rows(trees::probe_machine(value_of(env, "PATH"), state_dir, shim), *checks);
        if (const auto fit = exec::check_file_system(state_dir); !fit.ok())
          checks->push_back(
              {"state", DoctorStatus::fail, fit.error().message + ": " + state_dir, fit.error().hint});
        const auto space = fs::space(state_dir, ec);
        const auto free_mib = ec ? 0 : space.available >> 20;
        checks->push_back({"disk", free_mib < 1024 ? DoctorStatus::warn : DoctorStatus::ok,
                           std::to_string(free_mib) + " MiB free at " + state_dir,
                           free_mib < 1024 ? "make room, or set XDG_STATE_HOME to a larger disk" : ""});
      },
      [checks, call] {
        const bool ok = std::none_of(checks->begin(), checks->end(),
                                     [](const auto& row) { return row.status == DoctorStatus::fail; });
        call.answer(wire::Doctor{ok, std::move(*checks)});
      });
}

constexpr Route kMachineRows[]{
    route<probe_agents>("POST", "/v1/agents"),
    route<doctor>("POST", "/v1/doctor"),
};

}  // namespace

std::map<std::string, std::string> known_versions(const race::CreateRequest& create) {
  std::map<std::string, std::string> found;
  for (const auto& entry : create.agents) {
    const auto agent = create.config.agents.find(entry.id);
    if (agent == create.config.agents.end() || agent->second.command.empty()) continue;
    const auto program =
        exec::find_program(agent->second.command.front(), value_of(create.environment, "PATH"));
    if (program.empty()) continue;
    const auto known = all_versions().find(entry.id + " " + identity(program));
    if (known != all_versions().end()) found[entry.id] = known->second;
  }
  return found;
}

std::span<const Route> machine_routes() { return kMachineRows; }

}  // namespace hydra::api
