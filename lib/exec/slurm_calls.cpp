#include "exec/slurm_calls.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/slurm.hpp"
#include "exec/tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace hydra::exec {
namespace {

Result<ToolOutput> call_slurm(std::vector<std::string> argv, const SlurmCalls& calls,
                              std::string input = {}) {
  ToolCall call;
  call.argv = std::move(argv);
  // None of the payload's variables: Slurm keeps the environment in its own files.
  for (const char* name : {"PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF", "LANG", "TZ"})
    if (const char* value = std::getenv(name); value != nullptr) call.env.emplace_back(name, value);
  call.input = std::move(input);
  call.deadline = calls.deadline;
  call.stop = calls.stop;
  return run_tool(call);
}

std::string last_line(const std::string& text) {
  const auto all = lines(trim(text));
  return all.empty() ? std::string() : std::string(trim(all.back()));
}

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::vector<std::string> what_is_asked(const ClusterRequest& request) {
  std::vector<std::string> flags{"--nodes=1", "--ntasks=1"};
  if (option_of(request, "--cpus-per-task=").empty()) flags.emplace_back("--cpus-per-task=1");
  flags.insert(flags.end(), request.options.begin(), request.options.end());
  return flags;
}

/// Time limit in minutes, one more than the supervisor needs, whose own limit must come first.
int minutes_of(const JobSpec& spec) {
  if (spec.limits.wall.count() <= 0) return 0;
  auto whole = spec.limits.wall;
  for (const auto& rung : spec.limits.ladder) whole += rung.wait;
  return static_cast<int>((whole.count() + 59999) / 60000 + 1);
}

struct Sign {
  const char* text;
  const char* means;
  const char* remedy;
  bool temporary;  ///< may vanish by itself
};

/// Messages of Slurm, with meaning and remedy; the first match counts.
constexpr Sign kSigns[] = {
    {"unable to connect to munge", "munge, which Slurm signs with, does not run", "systemctl start munge",
     true},
    {"munge encode failed: failed to access", "munge, which Slurm signs with, does not run",
     "systemctl start munge", true},
    {"zero bytes were transmitted", "the controller does not take what this machine signs with munge",
     "the key of munge and the clocks of all machines must agree", true},
    {"munge", "munge, which Slurm signs with, refuses",
     "systemctl status munge; the clocks of the nodes must agree", true},
    {"invalid partition", "the partition does not exist",
     "`sinfo` names those there are; set --partition in [execution] sbatch", false},
    {"invalid account", "the account is not known", "set --account in [execution] sbatch", false},
    {"invalid generic resource", "the generic resource is not known", "set --gres in [execution] sbatch",
     false},
    {"node configuration is not available", "no node of the partition has so much",
     "ask for less in [execution] sbatch", false},
    {"time limit", "the partition does not allow so long a time", "set --time in [execution] sbatch", false},
    {"configuration source", "there is no slurm.conf", "set SLURM_CONF, or ask who runs the cluster", false},
    {"unable to contact", "the controller (slurmctld) does not answer",
     "scontrol ping; systemctl start slurmctld", true},
    {"socket timed out", "the controller (slurmctld) does not answer in time", "scontrol ping", true},
    {"temporarily", "the controller is busy", "wait", true},
    {"connection refused", "the controller (slurmctld) does not run",
     "scontrol ping; systemctl start slurmctld", true},
};

Error slurm_error(const std::string& what, const std::string& said, bool& temporary) {
  const auto low = to_lower(said);
  for (const auto& sign : kSigns)
    if (low.find(sign.text) != std::string::npos) {
      temporary = sign.temporary;
      return Error{Errc::environment, what + ": " + sign.means, "slurm", sign.remedy};
    }
  temporary = false;
  return Error{Errc::environment, what + ": " + last_line(said), "slurm", "hydra doctor"};
}

/// The Error of a command that timed out or is not installed.
Error call_error(const Error& error, bool& temporary) {
  temporary = error.code == Errc::timeout;
  if (error.code == Errc::timeout)
    return Error{Errc::timeout, "Slurm does not answer in time", "slurm", "scontrol ping"};
  if (error.code == Errc::not_found)
    return Error{Errc::environment, "Slurm's commands are not installed", "slurm",
                 "apt install slurm-client"};
  return error;
}

constexpr const char* kQueued = "queued";

/// The script names attempts by files: no payload text passes through a shell.
std::string script_of(const std::vector<const JobSpec*>& jobs, const fs::path& shim) {
  std::string text = "#!/bin/sh\ncase ${SLURM_ARRAY_TASK_ID:-0} in\n";
  for (std::size_t i = 0; i < jobs.size(); ++i)
    text += fmt::format("{}) attempt={} token={} ;;\n", i, quoted(jobs[i]->attempt_dir.string()),
                        quoted(jobs[i]->token));
  return text + "esac\nexec >>\"$attempt/slurm.log\" 2>&1\nexport HYDRA_ATTEMPT=\"$token\"\nexec " +
         quoted(shim.string()) + " --attempt \"$attempt\" --placed\n";
}

void read_nodes(const std::string& text, ClusterFacts& facts) {
  for (const auto line : lines(text)) {
    const auto words = split(line, '|');
    if (words.size() < 5) continue;
    SlurmNode node{std::string(words[0]), std::string(words[1]), std::string(words[2]), std::string(words[4]),
                   static_cast<int>(parse_int(words[3]).value_or(0))};
    if (node.partition.ends_with('*')) {
      node.partition.pop_back();
      facts.default_partition = node.partition;
    }
    if (node.reason == "none") node.reason.clear();
    facts.nodes.push_back(std::move(node));
  }
}

void judge_nodes(const ClusterRequest& request, ClusterFacts& facts) {
  auto partition = option_of(request, "--partition=");
  if (partition.empty()) partition = facts.default_partition;
  int all = 0, usable = 0;
  std::string why;
  for (const auto& node : facts.nodes) {
    if (node.partition != partition) continue;
    ++all;
    if (node.usable()) {
      ++usable;
      facts.cpus += node.cpus;
    } else if (why.empty()) {
      why = fmt::format("{} is {}{}", node.name, node.state,
                        node.reason.empty() ? "" : " (" + node.reason + ")");
    }
  }
  if (all == 0) {
    facts.problem = partition.empty() ? "the cluster has no default partition"
                                      : "the partition " + partition + " does not exist";
    facts.remedy = "`sinfo` names those there are; set --partition in [execution] sbatch";
  } else if (usable == 0) {
    facts.problem = fmt::format("no node of the partition {} takes jobs: {}", partition, why);
    facts.remedy = "scontrol update nodename=NODE state=resume";
  }
}

}  // namespace

std::string option_of(const ClusterRequest& request, std::string_view option) {
  for (const auto& each : request.options)
    if (each.starts_with(option)) return each.substr(option.size());
  return {};
}

std::string slurm_name(const std::string& key) { return "hydra:" + key; }

void record_place(const JobSpec& spec, const SlurmPlace& place) {
  (void)write_file(spec.attempt_dir / kQueued, fmt::format("{} {} {}\n", place.id, place.name, place.index),
                   0600);
}

SlurmPlace recorded_place(const JobSpec& spec) {
  std::ifstream queued(spec.attempt_dir / kQueued);
  SlurmPlace place;
  if (queued >> place.id >> place.name >> place.index) return place;
  return {slurm_name(spec.key)};
}

bool handed_in(const fs::path& attempt_dir) {
  for (const char* name : {"started.json", "result.json", kQueued}) {
    std::error_code ignored;
    if (fs::exists(attempt_dir / name, ignored)) return true;
  }
  return false;
}

std::vector<std::string> slurm_request(const JobSpec& spec) {
  auto flags = what_is_asked(*spec.cluster);
  if (const int minutes = minutes_of(spec); minutes > 0 && option_of(*spec.cluster, "--time=").empty())
    flags.push_back(fmt::format("--time={}", minutes));
  if (spec.limits.memory_bytes > 0 && option_of(*spec.cluster, "--mem=").empty())
    flags.push_back(fmt::format("--mem={}M", (spec.limits.memory_bytes >> 20) + 64));
  return flags;
}

Result<std::string> sbatch(const std::vector<const JobSpec*>& jobs, const std::string& name,
                           const fs::path& shim, const SlurmCalls& calls, bool& temporary) {
  std::vector<std::string> argv{"sbatch",    "--parsable",         "--no-requeue",      "--export=NIL",
                                "--chdir=/", "--job-name=" + name, "--output=/dev/null"};
  for (auto& flag : slurm_request(*jobs.front())) argv.push_back(std::move(flag));
  if (jobs.size() > 1) argv.push_back(fmt::format("--array=0-{}", jobs.size() - 1));
  const auto output = call_slurm(std::move(argv), calls, script_of(jobs, shim));
  if (!output.ok()) return call_error(output.error(), temporary);
  if (output->ok()) return std::string(trim(output->out));
  if (jobs.size() > 1 && to_lower(output->err).find("array") != std::string::npos)
    return Error{Errc::unsupported, "Slurm does not take the array: " + last_line(output->err), "slurm", ""};
  return slurm_error("Slurm does not take the job", output->err, temporary);
}

bool SlurmJob::held() const {
  const auto low = to_lower(reason);
  return state == "PENDING" && (low.find("held") != std::string::npos || low == "badconstraints" ||
                                low == "partitiondown" || low == "accountnotallowed");
}

Result<SlurmQueue> squeue(const SlurmCalls& calls) {
  bool temporary = false;
  const auto user = fmt::format("--user={}", ::geteuid());
  // --array prints one line an element; Slurm truncates long index lists.
  const auto output = call_slurm({"squeue", "--noheader", "--array", user, "--format=%T|%F|%K|%r|%j"}, calls);
  if (!output.ok()) return call_error(output.error(), temporary);
  if (!output->ok()) return slurm_error("Slurm's queue can't be read", output->err, temporary);
  SlurmQueue jobs;
  for (const auto line : lines(output->out)) {
    const auto words = split(line, '|');
    if (words.size() != 5) continue;
    const int index = static_cast<int>(parse_int(words[2]).value_or(-1));
    jobs[{std::string(words[4]), index}] = {std::string(words[0]), std::string(words[3]),
                                            std::string(words[1])};
  }
  return jobs;
}

void scancel(const SlurmPlace& place, const SlurmCalls& calls) {
  if (place.index < 0) {
    const auto name = "--name=" + place.name;
    const auto user = fmt::format("--user={}", ::geteuid());
    (void)call_slurm({"scancel", "--quiet", user, name, "--state=PENDING"}, calls);
    (void)call_slurm({"scancel", "--quiet", user, name, "--batch", "--signal=TERM"}, calls);
    return;
  }
  // A filter would cancel all waiting elements of the array, which are one record in Slurm.
  const auto queue = squeue(calls);
  if (!queue.ok()) return;  // the fence file in its attempt directory ends it
  const auto found = queue->find({place.name, place.index});
  if (found == queue->end()) return;
  const auto one = fmt::format("{}_{}", found->second.id, place.index);
  if (found->second.state == "PENDING")
    (void)call_slurm({"scancel", "--quiet", one}, calls);
  else
    (void)call_slurm({"scancel", "--quiet", "--batch", "--signal=TERM", one}, calls);
}

bool SlurmNode::usable() const {
  constexpr std::array kNot{"down", "drain", "fail", "unk", "power", "maint", "reboot", "*"};
  const auto low = to_lower(state);
  return std::none_of(kNot.begin(), kNot.end(),
                      [&](const char* word) { return low.find(word) != std::string::npos; });
}

ClusterFacts probe_cluster(const ClusterRequest& request, const SlurmCalls& calls) {
  ClusterFacts facts;
  bool temporary = false;
  const auto fail = [&](const Error& error) {
    facts.problem = error.message;
    facts.remedy = error.hint;
    return facts;
  };
  const auto version = call_slurm({"sbatch", "--version"}, calls);
  if (!version.ok()) return fail(call_error(version.error(), temporary));
  facts.version = std::string(trim(version->out));
  const auto nodes = call_slurm({"sinfo", "--noheader", "--Node", "--format=%N|%P|%T|%c|%E"}, calls);
  if (!nodes.ok()) return fail(call_error(nodes.error(), temporary));
  if (!nodes->ok()) return fail(slurm_error("Slurm can't be asked", nodes->err, temporary));
  read_nodes(nodes->out, facts);
  judge_nodes(request, facts);
  if (!facts.problem.empty()) return facts;
  std::vector<std::string> argv{"sbatch", "--test-only", "--export=NIL", "--chdir=/", "--output=/dev/null"};
  for (auto& flag : what_is_asked(request)) argv.push_back(std::move(flag));
  const auto trial = call_slurm(std::move(argv), calls, "#!/bin/sh\n");
  if (!trial.ok()) return fail(call_error(trial.error(), temporary));
  if (!trial->ok()) return fail(slurm_error("Slurm would not take such jobs", trial->err, temporary));
  return facts;
}

}  // namespace hydra::exec
