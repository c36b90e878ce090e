#include "launch/launch.hpp"

#include "launch/spawn_launcher.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <sys/wait.h>

namespace hydra::launch {

Result<pid_t> start(const Program& program) {
  // Boost's process needs a loop, but callers wait for their processes themselves. The loop is never
  // destroyed: clean-up at the end of this process starts programs, too.
  static auto& unused = *new boost::asio::io_context;
  SpawnLauncher launcher(program);
  boost::system::error_code failed;
  // The launcher throws when it can't hold the started process, for example without free descriptors.
  try {
    auto process = launcher(unused.get_executor(), failed, program.file, program.arguments);
    (void)process.detach();
  } catch (const boost::system::system_error& e) {
    failed = e.code();
    ::kill(launcher.pid, SIGKILL);
    ::waitpid(launcher.pid, nullptr, 0);
  }
  if (failed) return system_error("can't start " + program.file.string(), failed.value());
  return launcher.pid;
}

Result<void> start_detached(const std::filesystem::path& file, const std::vector<std::string>& arguments) {
  // The intermediate shell hands the program to init, and exits.
  Program program{"/bin/sh", {"-c", R"("$@" & )", "sh", file.string()}};
  program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
  program.descriptors = {{-1, 0}, {-1, 1}, {-1, 2}};
  program.group = Group::own_session;
  HYDRA_TRY(const pid_t pid, start(program));
  ::waitpid(pid, nullptr, 0);
  return {};
}

}  // namespace hydra::launch
