// Reads Harbor's task directories (task.toml, schema 1.0 to 1.4).
#include "base/files.hpp"
#include "base/strings.hpp"
#include "suite/impl.hpp"
#include "suite/toml.hpp"

#include <algorithm>

namespace hydra::suite::detail {
namespace {

bool has_file(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

bool has_directory(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(path, ec);
}

/// Whether a directory without task.toml has other parts of a task, so that it is unfinished.
bool half_written(const fs::path& directory) {
  return has_file(directory / "instruction.md") || has_directory(directory / "tests") ||
         has_directory(directory / "environment") || has_directory(directory / "solution");
}

/// Returns a feature that only a container has; empty: none.
std::string image_need(const Table& table, const Task& task) {
  if (table.count_of("steps") > 0) return "it has several steps";
  const auto environment = table.table("environment");
  if (has_file(task.environment / "docker-compose.yaml") || has_file(task.environment / "docker-compose.yml"))
    return "docker-compose.yaml";
  if (!has_file(task.environment / "Dockerfile")) {
    const auto image = environment.text("docker_image");
    return image.empty() ? "it has no Dockerfile" : "docker_image = " + image;
  }
  if (environment.number("gpus").value_or(0) > 0) return "gpus";
  if (environment.count_of("mcp_servers") > 0) return "mcp_servers";
  if (!environment.table("healthcheck").empty()) return "a health check";
  if (const auto system = environment.text("os"); !system.empty() && system != "linux")
    return "os = " + system;
  if (!environment.table("env").empty()) return "[environment.env]";
  for (const auto* variables : {&task.test_env, &task.solution_env})
    for (const auto& [name, value] : *variables)
      if (value.find("${") != std::string::npos) return name + " out of your environment";
  if (const auto verifier = table.table("verifier");
      !verifier.table("environment").empty() || verifier.text("environment_mode") == "separate")
    return "a verifier with a separate environment";
  return task.image.needs;
}

Result<double> seconds_of(const Table& table, const std::string& section) {
  return seconds_in(table.table(section).number("timeout_sec"), "[" + section + "] timeout_sec");
}

Result<Task> read_harbor_task(const fs::path& directory) {
  Task task;
  task.name = directory.filename().string();
  HYDRA_TRY(const auto table, read_toml(directory / "task.toml"));
  if (!has_file(directory / "instruction.md")) {
    if (table.count_of("steps") == 0) return Error{Errc::config, "it has no instruction.md", {}, {}};
    task.needs_image = "it has several steps";
    return task;
  }
  HYDRA_TRY(task.text, read_file(directory / "instruction.md", kTextBytes));
  if (const auto wrong = check_text(task.text))
    return Error{Errc::config, "instruction.md: " + *wrong, {}, {}};
  task.tests = directory / "tests";
  if (!has_file(task.tests / "test.sh"))
    return Error{Errc::config, "it has no tests/test.sh: nothing says when it is solved", {}, {}};
  if (has_file(directory / "solution/solve.sh")) task.solution = directory / "solution";
  HYDRA_TRY(task.agent_seconds, seconds_of(table, "agent"));
  HYDRA_TRY(task.test_seconds, seconds_of(table, "verifier"));
  if (task.test_seconds == 0) task.test_seconds = 600;  // Harbor's default
  task.test_env = table.table("verifier").table("env").texts();
  task.solution_env = table.table("solution").table("env").texts();
  task.environment = directory / "environment";
  if (has_file(task.environment / "Dockerfile")) {
    HYDRA_TRY(const auto dockerfile, read_file(task.environment / "Dockerfile", kTextBytes));
    task.image = read_dockerfile(dockerfile);
  }
  if (const auto workdir = table.table("environment").text("workdir"); workdir.starts_with('/'))
    task.image.workdir = workdir;
  task.needs_image = image_need(table, task);
  task.builds = has_file(task.environment / "Dockerfile") && task.needs_image == task.image.needs;
  return task;
}

}  // namespace

Result<Suite> read_harbor(const fs::path& root) {
  Suite suite;
  suite.format = Format::harbor;
  std::vector<fs::path> directories;
  std::error_code ec;
  if (has_file(root / "task.toml")) {
    directories.push_back(root);
  } else {
    for (const auto& place : {root, root / "tasks"})
      for (fs::directory_iterator at(place, ec), end; !ec && at != end; at.increment(ec))
        if (has_directory(at->path()) && !at->path().filename().string().starts_with('.'))
          directories.push_back(at->path());
  }
  std::sort(directories.begin(), directories.end());
  for (const auto& directory : directories) {
    if (!has_file(directory / "task.toml")) {
      if (has_file(directory / "task.yaml"))
        suite.broken.push_back(
            {directory.filename().string(),
             "task.yaml is the format of Terminal-Bench 1, and this one is read: task.toml"});
      else if (half_written(directory))
        suite.broken.push_back({directory.filename().string(), "it has no task.toml"});
      continue;
    }
    add_task(suite, read_harbor_task(directory), directory.filename().string());
  }
  return suite;
}

}  // namespace hydra::suite::detail
