#include "exec/launch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/optional.hpp>

#include <linux/close_range.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
// The v2 headers of 1.81 miss the two above.
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>

namespace hydra::exec {
namespace {

namespace process = boost::process::v2;
using process::error_code;

/// Instead of process_environment, which does not link header-only in 1.81.
struct CleanEnvironment {
  char* const* envp;
  template <class Launcher>
  error_code on_setup(Launcher& launcher, const auto&, const char* const*) {
    launcher.env = envp;
    return {};
  }
};

struct Hygiene {
  template <class Launcher>
  error_code on_exec_setup(Launcher&, const auto&, const char* const*) {
    // CLOEXEC and not closed: the launcher's own error pipe must live until exec.
    ::syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::setsid();
    struct sigaction fresh {};
    fresh.sa_handler = SIG_DFL;
    for (int s = 1; s < NSIG; ++s) ::sigaction(s, &fresh, nullptr);
    // A cancel may come before the shim can listen: blocked here, it waits there.
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGCHLD);
    ::sigprocmask(SIG_SETMASK, &held, nullptr);
    return {};
  }
  // Both are variadic because 1.81 tests for other arguments than it passes. Without the first the child
  // would run our exit handlers, without the second it would stay a zombie.
  template <class... Args>
  void on_exec_error(Args&&...) {
    ::_exit(127);
  }
  template <class Launcher, class... Args>
  void on_error(Launcher& launcher, Args&&...) {
    if (launcher.pid <= 0) return;
    int status = 0;
    ::waitpid(launcher.pid, &status, 0);
    launcher.pid = -1;
  }
};

}  // namespace

Result<pid_t> launch_shim(boost::asio::io_context& loop, const fs::path& shim, const fs::path& dir,
                          const Env& env) {
  std::vector<std::string> variables;
  variables.reserve(env.size());
  for (const auto& [key, value] : env) variables.push_back(key + "=" + value);
  std::vector<char*> envp;
  envp.reserve(variables.size() + 1);
  for (auto& v : variables) envp.push_back(v.data());
  envp.push_back(nullptr);
  const std::vector<std::string> args{"--attempt", dir.string()};
  try {
    process::process_stdio io{nullptr, {nullptr}, {nullptr}};
    process::process_start_dir root{"/"};
    CleanEnvironment clean{envp.data()};
    Hygiene hygiene;
    process::process child(loop, shim.string(), args, io, root, clean, hygiene);
    const pid_t pid = child.id();
    child.detach();
    return pid;
  } catch (const std::exception& e) {
    return Error{Errc::io, std::string("can't start hydra-shim: ") + e.what(), shim.string(), ""};
  }
}

}  // namespace hydra::exec
