// Reads suite.toml: tasks of the user's repositories.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "suite/impl.hpp"
#include "suite/toml.hpp"

namespace hydra::suite::detail {
namespace {

constexpr const char* kSuiteKeys = "schema:number name:text tasks:tables";
constexpr const char* kTaskKeys =
    "name:text repository:text base:text task:text task_file:text tests:text test_command:text "
    "build_command:text setup:text setup_network:flag solution:text agent_seconds:number "
    "test_seconds:number";

fs::path below_root(const fs::path& root, const std::string& path) {
  return path.empty() ? fs::path() : (root / path).lexically_normal();
}

Result<void> read_prompt(const Table& table, const fs::path& root, Task& task) {
  task.text = table.text("task");
  const auto file = table.text("task_file");
  if (task.text.empty() == file.empty()) return Error{Errc::config, "give one of task and task_file", {}, {}};
  if (!file.empty()) {
    HYDRA_TRY(task.text, read_file(below_root(root, file), kTextBytes));
  }
  if (const auto wrong = check_text(task.text)) return Error{Errc::config, "its text: " + *wrong, {}, {}};
  return {};
}

Result<Task> read_task(const Table& table, const fs::path& root) {
  Task task;
  task.name = table.text("name");
  if (const auto key = table.stranger(kTaskKeys); !key.empty())
    return Error{Errc::config, "'" + sanitize(key) + "' is no key of a task, or of another type", {}, {}};
  HYDRA_CHECK(read_prompt(table, root, task));
  std::error_code ec;
  for (const char* key : {"repository", "base", "test_command", "tests"})
    if (table.text(key).empty()) return Error{Errc::config, std::string("it has no ") + key, {}, {}};
  task.repository = below_root(root, table.text("repository"));
  if (!fs::is_directory(task.repository, ec))
    return Error{Errc::config, "there is no repository at " + task.repository.string(), {}, {}};
  task.base = table.text("base");
  task.tests = below_root(root, table.text("tests"));
  if (!fs::is_directory(task.tests, ec) || fs::is_empty(task.tests, ec))
    return Error{Errc::config, "there are no tests in " + task.tests.string(), {}, {}};
  task.test = table.text("test_command");
  task.build = table.text("build_command");
  task.setup = table.text("setup");
  task.setup_network = table.flag("setup_network");
  task.solution = below_root(root, table.text("solution"));
  if (!task.solution.empty() && !fs::is_regular_file(task.solution, ec))
    return Error{Errc::config, "there is no patch at " + task.solution.string(), {}, {}};
  HYDRA_TRY(task.agent_seconds, seconds_in(table.number("agent_seconds"), "agent_seconds"));
  HYDRA_TRY(task.test_seconds, seconds_in(table.number("test_seconds"), "test_seconds"));
  return task;
}

}  // namespace

Result<Suite> read_native(const fs::path& root) {
  HYDRA_TRY(const auto table, read_toml(root / "suite.toml"));
  if (table.number("schema").value_or(0) != 1)
    return Error{Errc::config, "expected schema = 1", "suite.toml", {}};
  if (const auto key = table.stranger(kSuiteKeys); !key.empty())
    return Error{Errc::config, "'" + sanitize(key) + "' is no key of a suite, or of another type",
                 "suite.toml", "known are schema, name and [[tasks]]"};
  Suite suite;
  suite.format = Format::native;
  suite.name = table.text("name");
  for (const auto& entry : table.tables("tasks")) {
    const auto name = entry.text("name");
    add_task(suite, read_task(entry, root),
             name.empty() ? "suite.toml:" + std::to_string(entry.line()) : name);
  }
  return suite;
}

}  // namespace hydra::suite::detail
