#include "integrity/protect/python_modules.hpp"

#include "base/strings.hpp"
#include "exec/tool.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

namespace hydra::integrity {
namespace {

using Modules = std::set<std::string, std::less<>>;

// -I: without the current directory, the user's packages and PYTHON* variables. get_config() loads the
// plug-ins that every run of pytest has.
constexpr const char* kAsk =
    "import sys, unittest.main\n"
    "try:\n"
    "    import _pytest.config\n"
    "    _pytest.config.get_config()\n"
    "except Exception:\n"
    "    pass\n"
    "print(*{name.split('.')[0] for name in sys.modules} - {'__main__'})\n";

Modules ask_python(const std::string& interpreter) {
  const char* path = std::getenv("PATH");
  exec::ToolCall call;
  call.argv = {interpreter, "-I", "-c", kAsk};
  call.env = {{"PATH", path ? path : "/usr/bin:/bin"}};
  call.cwd = "/";
  call.deadline = std::chrono::seconds(20);
  const auto answer = exec::run_tool(call);
  Modules found;
  if (!answer.ok() || !answer->ok()) return found;
  for (const auto name : split(trim(answer->out), ' ')) found.emplace(name);
  return found;
}

}  // namespace

bool python_loads(const std::string& interpreter, std::string_view module) {
  static std::mutex mutex;
  static std::map<std::string, Modules> known;
  const std::lock_guard lock(mutex);
  // Which of the machine's a script like `pytest` belongs to is not asked: all that may be meant.
  for (const std::string& program : {interpreter, std::string("python3"), std::string("/usr/bin/python3")}) {
    if (program.empty()) continue;
    auto at = known.find(program);
    if (at == known.end()) at = known.emplace(program, ask_python(program)).first;
    if (at->second.contains(module)) return true;
  }
  return false;
}

}  // namespace hydra::integrity
