#include "exec/launch.hpp"

#include "exec/started.hpp"
#include "launch/launch.hpp"

#include <signal.h>

namespace hydra::exec {

Result<pid_t> launch_shim(const fs::path& shim, const fs::path& dir, const Env& env) {
  std::vector<std::string> variables;
  variables.reserve(env.size());
  for (const auto& [key, value] : env) variables.push_back(key + "=" + value);
  launch::Program program{shim, {"--attempt", dir.string()}, std::move(variables), "/"};
  program.descriptors = {{-1, 0}, {-1, 1}, {-1, 2}};
  program.only_these = true;
  program.group = launch::Group::own_session;
  // A cancel may come before the shim can listen: blocked here, it waits there.
  program.held = {SIGTERM, SIGCHLD};
  HYDRA_TRY(const pid_t pid, launch::start(program));
  count_started(shim.string());
  return pid;
}

}  // namespace hydra::exec
