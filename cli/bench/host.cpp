// Checks whether this machine has the packages of a task's image.
#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/bench/files.hpp"
#include "exec/tool.hpp"

#include <set>

namespace hydra::cli {
namespace {

constexpr const char* kAskPython =
    "import sys\n"
    "from importlib.metadata import version, PackageNotFoundError\n"
    "for name in sys.stdin.read().split():\n"
    "    try:\n        version(name)\n        print(name)\n"
    "    except PackageNotFoundError:\n        pass\n";

/// Returns the program's output as words; empty if the program fails.
std::set<std::string> words_of_tool(std::vector<std::string> argv, const std::string& input) {
  const auto env = process_env();
  exec::ToolCall call;
  call.argv = std::move(argv);
  for (const char* name : {"PATH", "HOME", "PYTHONPATH"})
    if (const auto value = env(name)) call.env.emplace_back(name, *value);
  call.env.emplace_back("LC_ALL", "C");
  call.input = input;
  call.marked = false;
  const auto output = exec::run_tool(call);
  std::set<std::string> words;
  if (!output) return words;
  for (const auto line : lines(output->out)) words.emplace(trim(line));
  return words;
}

std::set<std::string> debian_packages(const std::set<std::string>& asked) {
  std::vector<std::string> argv{"dpkg-query", "-W", "-f", "${db:Status-Status}:${Package}\n"};
  argv.insert(argv.end(), asked.begin(), asked.end());
  std::set<std::string> have;
  for (const auto& word : words_of_tool(argv, {}))
    if (word.starts_with("installed:")) have.insert(word.substr(10));
  // A package of another distribution or origin counts by its program.
  const auto path = process_env()("PATH").value_or("");
  for (const auto& name : asked)
    if (!exec::find_program(name, path).empty()) have.insert(name);
  return have;
}

}  // namespace

bool in_images(const model::Config& config) {
  return config.sandbox.isolation != model::SandboxEngine::bwrap;
}

void check_packages(suite::Suite& suite, const model::Config& config) {
  if (in_images(config)) {
    for (auto& task : suite.tasks)
      if (task.builds) task.needs_image.clear();
    return;
  }
  std::set<std::string> apt, pip;
  for (const auto& task : suite.tasks) {
    apt.insert(task.image.apt.begin(), task.image.apt.end());
    pip.insert(task.image.pip.begin(), task.image.pip.end());
  }
  if (apt.empty() && pip.empty()) return;
  const auto have_apt = debian_packages(apt);
  const auto have_pip = words_of_tool({"python3", "-c", kAskPython}, join({pip.begin(), pip.end()}, "\n"));
  for (auto& task : suite.tasks) {
    if (!task.needs_image.empty()) continue;
    for (const auto& name : task.image.apt)
      if (!have_apt.contains(name) && task.needs_image.empty())
        task.needs_image = "the package " + name + ", which this machine has not";
    for (const auto& name : task.image.pip)
      if (!have_pip.contains(name) && task.needs_image.empty())
        task.needs_image = "the Python package " + name + ", which this machine has not";
  }
}

}  // namespace hydra::cli
