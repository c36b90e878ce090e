#include "adapters/adapters.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/project.hpp"
#include "cli/render/agent_notes.hpp"
#include "cli/render/views.hpp"
#include "exec/container.hpp"
#include "exec/slurm_calls.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace hydra::cli {

using wire::DoctorStatus;
namespace {

std::string mark(DoctorStatus status, const Style& style) {
  if (status == DoctorStatus::ok) return style.paint(Paint::green, pad(std::string(style.tick()), 4));
  return style.paint(status == DoctorStatus::warn ? Paint::yellow : Paint::red, model::name(status));
}

void add_slurm(const model::ExecutionConfig& execution, std::vector<wire::DoctorCheck>& rows) {
  const auto facts = exec::probe_cluster({execution.sbatch}, {});
  if (facts.problem.empty())
    rows.push_back(
        {"slurm", DoctorStatus::ok, fmt::format("{}, {} CPUs take jobs", facts.version, facts.cpus), {}});
  else
    rows.push_back({"slurm", DoctorStatus::fail, facts.problem, facts.remedy});
  for (const auto& node : facts.nodes) {
    const auto name = fmt::format("node {} ({})", node.name, node.partition);
    const auto reason = node.reason.empty() ? std::string() : ": " + node.reason;
    if (node.usable())
      rows.push_back({name, DoctorStatus::ok, fmt::format("{}, {} CPUs", node.state, node.cpus), {}});
    else
      rows.push_back(
          {name, DoctorStatus::warn, "takes no jobs, it is " + node.state + reason,
           fmt::format("once that is repaired: scontrol update nodename={} state=resume", node.name)});
  }
}

void add_container(const model::SandboxConfig& sandbox, std::vector<wire::DoctorCheck>& rows) {
  const bool docker = sandbox.isolation == model::SandboxEngine::docker;
  const std::string engine = docker ? "docker" : "podman";
  const auto client = exec::check_engine(docker ? exec::Isolation::docker : exec::Isolation::podman);
  if (!client.ok())
    rows.push_back({engine, DoctorStatus::fail, client.error().message, client.error().hint});
  else if (!sandbox.image)
    rows.push_back({engine, DoctorStatus::fail, "no image is named", "set [sandbox] image"});
  else
    rows.push_back({engine, DoctorStatus::ok, *client + "; a race looks for its image before it starts", {}});
}

// Adds rows about configured containers and clusters; asking an engine may take seconds. A node that takes no
// jobs is a warning; a failure means that no race can run.
std::vector<wire::DoctorCheck> cluster_rows(const model::Config& config) {
  std::vector<wire::DoctorCheck> rows;
  if (config.sandbox.isolation != model::SandboxEngine::bwrap) add_container(config.sandbox, rows);
  if (config.execution.placement == model::Placement::slurm) add_slurm(config.execution, rows);
  return rows;
}

/// The agents' rows: installed ones, and those that a race without --agents starts. A failed row if no race
/// could start.
struct AgentRows {
  std::vector<wire::DoctorCheck> checks;
  std::vector<wire::DoctorCheck> missing;  ///< rows of other, uninstalled agents, which are no fault
  std::vector<std::string> missing_ids;
};

AgentRows agent_rows(Context& context, client::Client& client) {
  AgentRows rows;
  const auto config = load_config(context);
  if (!config) {
    context.fail(config.error());
    rows.checks.push_back({"configuration", DoctorStatus::fail,
                           "the configuration has mistakes, so no race starts",
                           "`hydra config check` names each of them"});
    return rows;
  }
  rows.checks.push_back({"configuration", DoctorStatus::ok, "no mistakes", {}});
  for (auto& row : cluster_rows(*config)) rows.checks.push_back(std::move(row));
  client.set_timeout(kProbingTime);
  const auto list =
      post<wire::AgentList>(client, "/v1/agents", wire::AgentsRequest{*config, {}, {}, environment()});
  if (!list) {
    rows.checks.push_back({"agents", DoctorStatus::fail, list.error().message, list.error().hint});
    return rows;
  }
  const auto wanted = "," + join(config->default_agents, ",") + ",";
  bool one_is_ready = false;
  for (const auto& agent : list->agents) {
    const auto* descriptor = adapters::find_agent(config->agents, agent.id);
    one_is_ready = one_is_ready || can_race(agent, descriptor);
    auto row = agent_check(agent, descriptor);
    if (!merely_absent(agent) || wanted.find("," + agent.id + ",") != std::string::npos) {
      rows.checks.push_back(std::move(row));
    } else {
      rows.missing.push_back(std::move(row));
      rows.missing_ids.push_back(agent.id);
    }
  }
  if (!one_is_ready)
    rows.checks.push_back({"agents", DoctorStatus::fail, "no agent is installed and signed in",
                           "install one and sign in with it: `hydra agents` says how"});
  return rows;
}

struct DoctorArgs {
  bool json = false, repair = false;
};

/// Rebuilds the history from the races' events.
Result<wire::DoctorCheck> rebuild_history(client::Client& client) {
  client.set_timeout(std::chrono::minutes(60));
  HYDRA_TRY(const auto body, client.call("POST", "/v1/history/rebuild", "{}"));
  HYDRA_TRY(const auto rebuilt, wire::from_json<wire::Rebuilt>(body));
  return wire::DoctorCheck{
      "history", DoctorStatus::ok, "rebuilt from the events of " + counted(rebuilt.races, "race"), {}};
}

Result<int> doctor(const DoctorArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  std::optional<wire::DoctorCheck> repaired;
  if (args.repair) {
    HYDRA_TRY(repaired, rebuild_history(client));
  }
  HYDRA_TRY(auto view, post<wire::Doctor>(client, "/v1/doctor",
                                          wire::DoctorRequest{working_directory().string(), environment()}));
  const auto agents = agent_rows(context, client);
  const bool ok = view.ok && std::none_of(agents.checks.begin(), agents.checks.end(), [](const auto& check) {
                    return check.status == DoctorStatus::fail;
                  });
  auto& checks = view.checks;
  if (repaired) checks.push_back(*repaired);
  checks.insert(checks.end(), agents.checks.begin(), agents.checks.end());
  if (args.json) {
    view.ok = ok;
    checks.insert(checks.end(), agents.missing.begin(), agents.missing.end());
    print_line(with_schema(wire::to_json(view)));
    return ok ? kDone : kFailed;
  }
  const auto& style = context.out();
  for (const auto& check : checks) {
    print_line(fmt::format("{}  {}: {}", mark(check.status, style), style.safe(check.name),
                           style.safe(check.detail)));
    if (check.status != DoctorStatus::ok && !check.remedy.empty())
      print_line("      " + style.safe(check.remedy));
  }
  if (!agents.missing_ids.empty())
    print_line(style.paint(Paint::dim, style.safe("not installed: " + join(agents.missing_ids, ", ") +
                                                  "; `hydra agents` says how to get them")));
  print_line(ok ? "This machine can race." : "Something is missing: see the lines marked fail.");
  return ok ? kDone : kFailed;
}

}  // namespace

Verb doctor_verb() {
  return verb_of<DoctorArgs>(
      "doctor", "Check what this machine can run, and say how to get what is missing",
      {"hydra doctor", "hydra doctor --repair", "hydra doctor --json"},
      [](Options& o, DoctorArgs& args) {
        o.flag("--repair", args.repair, "rebuild the history from the events of all races first");
        o.flag("--json", args.json, "the checks as JSON (docs/api.md)");
      },
      doctor);
}

}  // namespace hydra::cli
