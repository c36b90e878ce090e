#include "cli/render/cluster_rows.hpp"

#include "exec/container.hpp"
#include "exec/slurm_calls.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

exec::ClusterRequest request_of(const model::ExecutionConfig& execution) {
  exec::ClusterRequest request;
  request.partition = execution.partition.value_or("");
  request.account = execution.account.value_or("");
  request.gres = execution.gres.value_or("");
  request.time_minutes = execution.time_minutes;
  request.memory_mib = execution.memory_mib;
  request.cpus = execution.cpus;
  return request;
}

void add_slurm(const model::ExecutionConfig& execution, std::vector<wire::DoctorCheck>& rows) {
  const auto facts = exec::probe_cluster(request_of(execution), {});
  if (facts.problem.empty())
    rows.push_back({"slurm", "ok", fmt::format("{}, {} CPUs take jobs", facts.version, facts.cpus), {}});
  else
    rows.push_back({"slurm", "fail", facts.problem, facts.remedy});
  for (const auto& node : facts.nodes) {
    const auto name = fmt::format("node {} ({})", node.name, node.partition);
    const auto reason = node.reason.empty() ? std::string() : ": " + node.reason;
    if (node.usable())
      rows.push_back({name, "ok", fmt::format("{}, {} CPUs", node.state, node.cpus), {}});
    else
      rows.push_back(
          {name, "warn", "takes no jobs, it is " + node.state + reason,
           fmt::format("once that is repaired: scontrol update nodename={} state=resume", node.name)});
  }
}

void add_container(const model::SandboxConfig& sandbox, std::vector<wire::DoctorCheck>& rows) {
  const bool docker = sandbox.isolation == model::SandboxEngine::docker;
  const std::string engine = docker ? "docker" : "podman";
  const auto client = exec::check_engine(docker ? exec::Isolation::docker : exec::Isolation::podman);
  if (!client.ok())
    rows.push_back({engine, "fail", client.error().message, client.error().hint});
  else if (!sandbox.image && !sandbox.containerfile)
    rows.push_back({engine, "fail", "no image is named", "set [sandbox] image or containerfile"});
  else
    rows.push_back({engine, "ok", *client + "; a race looks for its image before it starts", {}});
}

}  // namespace

std::vector<wire::DoctorCheck> cluster_rows(const model::Config& config) {
  std::vector<wire::DoctorCheck> rows;
  if (config.sandbox.isolation != model::SandboxEngine::bwrap) add_container(config.sandbox, rows);
  if (config.execution.placement == model::Placement::slurm) add_slurm(config.execution, rows);
  return rows;
}

}  // namespace hydra::cli
