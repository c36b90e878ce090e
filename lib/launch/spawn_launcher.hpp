// launch, inside only: a launcher of Boost.Process v2 without fork.
#pragma once

#include "launch/launch.hpp"

#define BOOST_PROCESS_USE_STD_FS
// clang-format off: Boost's headers do not include these
#include <boost/optional.hpp>
#include <boost/process/v2/cstring_ref.hpp>
// clang-format on
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>

#include <csignal>
#include <fcntl.h>
#include <spawn.h>

namespace hydra::launch {

namespace process = boost::process::v2;

/// Boost's own launchers fork, which copies the daemon's page tables and makes each page that it touches next
/// a fault (a quarter of its time in a race), or break the loop's epoll descriptor (vfork in 1.81). Boost's
/// initialisers that act before the start may be added; on_exec_setup can't work here.
class SpawnLauncher : public process::posix::default_launcher {
 public:
  explicit SpawnLauncher(const Program& program) : program_(program) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    set_descriptors();
    set_attributes();
    if (!program.directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions_, program.directory.c_str());
  }
  ~SpawnLauncher() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnLauncher(const SpawnLauncher&) = delete;
  SpawnLauncher& operator=(const SpawnLauncher&) = delete;

  template <typename Executor, typename Args, typename... Inits>
  process::basic_process<Executor> operator()(Executor loop, process::error_code& failed,
                                              const process::filesystem::path& file, const Args& arguments,
                                              Inits&&... inits) {
    std::vector<const char*> variables;
    if (program_.environment) {
      for (const auto& entry : *program_.environment) variables.push_back(entry.c_str());
      variables.push_back(nullptr);
      env = variables.data();
    }
    auto words = build_argv_(file, arguments);
    failed = process::posix::detail::on_setup(*this, file, words, inits...);
    if (!failed)
      failed.assign(posix_spawnp(&pid, file.c_str(), &actions_, &attributes_, const_cast<char* const*>(words),
                                 const_cast<char* const*>(env)),
                    process::system_category());
    if (failed) {
      process::posix::detail::on_error(*this, file, words, failed, inits...);
      return process::basic_process<Executor>(loop);
    }
    process::posix::detail::on_success(*this, file, words, inits...);
    return process::basic_process<Executor>(loop, pid);
  }

 private:
  void set_descriptors() {
    int highest = 2;
    for (const auto& [ours, there] : program_.descriptors) {
      if (ours < 0)
        posix_spawn_file_actions_addopen(&actions_, there, "/dev/null", there == 0 ? O_RDONLY : O_WRONLY, 0);
      else
        posix_spawn_file_actions_adddup2(&actions_, ours, there);
      highest = std::max(highest, there);
    }
    if (program_.only_these) posix_spawn_file_actions_addclosefrom_np(&actions_, highest + 1);
  }

  void set_attributes() {
    sigset_t defaults, held;
    sigfillset(&defaults);
    if (program_.defaults == Defaults::of_terminal) {
      sigemptyset(&defaults);
      sigaddset(&defaults, SIGINT);
      sigaddset(&defaults, SIGPIPE);
    }
    sigemptyset(&held);
    for (const int signal : program_.held) sigaddset(&held, signal);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setsigmask(&attributes_, &held);
    int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (program_.group == Group::own) flags |= POSIX_SPAWN_SETPGROUP;
    if (program_.group == Group::own_session) flags |= POSIX_SPAWN_SETSID;
    posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }

  const Program& program_;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace hydra::launch
