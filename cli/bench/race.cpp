#include "cli/bench/race.hpp"

#include "cli/context.hpp"
#include "cli/project.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <algorithm>

namespace hydra::cli {
namespace {

// Mounts the image's directories: the tree at its workdir, tests for checks only, logs.
void set_places(const suite::Task& task, model::Config& config) {
  config.workspace.mounts = {task.image.workdir + "=.", std::string("/tests=") + kSuiteFolder + "/tests",
                             "/logs={reports}"};
  config.scoring.test_command = std::string("sh ") + kSuiteFolder + "/run.sh";
  config.scoring.build_command.reset();
  // The tree is the task's, not a project's: protected-path conventions do not apply.
  config.evaluation.unprotected_paths = {"**"};
  config.evaluation.findings_count = false;
  if (!in_images(config) || !task.builds) return;
  config.sandbox.image = (task.environment / "Dockerfile").string();
}

model::AgentDescriptor script(const char* id, const char* display, std::vector<std::string> command) {
  model::AgentDescriptor descriptor;
  descriptor.id = id;
  descriptor.display = display;
  descriptor.command = std::move(command);
  return descriptor;
}

}  // namespace

model::Config race_config(const model::Config& mine, const suite::Suite& suite, const suite::Task& task,
                          const TaskFiles& files, bool timed) {
  auto config = mine;
  auto& scoring = config.scoring;
  scoring.build_command = task.build.empty() ? std::nullopt : std::optional(task.build);
  scoring.test_command = task.test;
  scoring.lint_command.reset();
  scoring.test_reports.clear();
  scoring.allow_trivial = true;
  if (task.test_seconds > 0) scoring.timeout_per_check_seconds = task.test_seconds;
  if (task.agent_seconds > 0 && !timed) config.limits.agent_timeout_seconds = task.agent_seconds;
  model::WorkspaceConfig workspace;
  workspace.caches = mine.workspace.caches;
  if (!task.setup.empty()) workspace.setup = task.setup;
  workspace.setup_network = task.setup_network;
  config.workspace = std::move(workspace);
  config.evaluation.hidden = files.hidden.string();
  // A suite is decided by a single run of the tests.
  config.evaluation.verify = model::Verify::fast;
  config.selection.testers.clear();
  config.preflight = model::Preflight::never;
  config.merge.automatic = false;
  config.notify = {};
  config.sandbox.mode = model::SandboxMode::required;
  config.sandbox.hide = files.hide;
  if (suite.format == suite::Format::harbor) set_places(task, config);
  return config;
}

void add_validators(model::Config& config) {
  config.agents[kReference] =
      script(kReference, "Reference solution", {"sh", std::string("/solution/") + kReferenceScript});
  config.agents[kNothing] = script(kNothing, "Nobody", {"true"});
}

std::vector<model::AgentEntry> runners(const std::vector<model::AgentEntry>& entries, int attempts,
                                       const std::vector<std::pair<std::string, int>>& keys) {
  std::vector<model::AgentEntry> all;
  for (const auto& runner : with_attempts(entries, attempts)) {
    const std::pair key(runner.entry_name(), runner.attempt);
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) all.push_back(runner);
  }
  return all;
}

std::string race_request(const BenchRun& run, const suite::Task& task, const TaskFiles& files,
                         const std::string& id, const model::Config& config,
                         const std::vector<model::AgentEntry>& agents) {
  const auto suite = run.validation ? run.suite + ":validate" : run.suite;
  auto request = request_for(config, agents);
  request.id = id;
  request.directory = files.repository.string();
  request.task = task.text;
  request.labels = run.labels;
  request.labels.insert({{"suite", suite}, {"suite-run", run.id}, {"suite-task", task.name}});
  if (const auto digest = run.digests.find(task.name); digest != run.digests.end())
    request.labels["suite-digest"] = digest->second;
  return wire::to_json(request);
}

}  // namespace hydra::cli
