#include "client/daemon.hpp"

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/state_lock.hpp"
#include "base/strings.hpp"
#include "launch/launch.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"
#include "wire/requests.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::client {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kReadyFd = 3, kEnvironmentFd = 4;
constexpr int kLockTaken = 75;  // EX_TEMPFAIL
constexpr std::chrono::seconds kStopWait{15}, kSocketWait{5};

Error cannot_start(Error why) {
  why.code = Errc::environment;
  why.message = "cannot start hydrad: " + why.message;
  return why;
}

// Variables that daemon_environment() omits, passed in memory: the daemon removes the values of keys from its
// output, and gives them to agents that a previous daemon did not start. -1: passed on without.
UniqueFd other_variables() {
  constexpr std::size_t kMost = 4u << 20;
  const auto given = daemon_environment(environ);
  std::string text;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::find(given.begin(), given.end(), *entry) == given.end()) (text += *entry) += '\0';
  const UniqueFd memory(::memfd_create("hydra-environment", MFD_CLOEXEC));
  if (!memory || text.size() > kMost) return {};
  if (::write(memory.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return {};
  if (::lseek(memory.get(), 0, SEEK_SET) != 0) return {};
  // Above the numbers that the daemon gets.
  return UniqueFd(::fcntl(memory.get(), F_DUPFD_CLOEXEC, kEnvironmentFd + 1));
}

// Starts the daemon in a new session with default signals, only the listed descriptors, and / as directory,
// so that it keeps nothing of the starting terminal.
Result<pid_t> spawn(const std::filesystem::path& program, int ready_fd) {
  const auto variables = other_variables();
  launch::Program daemon{program, {"--ready-fd", std::to_string(kReadyFd)}, daemon_environment(environ), "/"};
  daemon.descriptors = {{-1, 0}, {-1, 1}, {-1, 2}, {ready_fd, kReadyFd}};
  if (variables) {
    daemon.arguments.insert(daemon.arguments.end(), {"--environment-fd", std::to_string(kEnvironmentFd)});
    daemon.descriptors.emplace_back(variables.get(), kEnvironmentFd);
  }
  daemon.only_these = true;
  daemon.group = launch::Group::own_session;
  auto pid = launch::start(daemon);
  if (!pid) return cannot_start(pid.error());
  return pid;
}

// True: the byte arrived or the pipe was closed. False: the deadline passed.
bool wait_ready(int fd, SteadyClock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    pollfd p{fd, POLLIN, 0};
    const int n = ::poll(&p, 1, static_cast<int>(std::max<long long>(left, 0)));
    if (n > 0) return true;
    if (n == 0 || errno != EINTR) return false;
  }
}

std::size_t log_size(const Paths& paths) {
  std::error_code ec;
  const auto size = std::filesystem::file_size(paths.log(), ec);
  return ec ? 0 : static_cast<std::size_t>(size);
}

// Uses only text written after the log was `before` bytes long: messages of an earlier daemon explain
// nothing. A shorter log was truncated.
std::string log_tail(const Paths& paths, std::size_t before) {
  const auto text = read_file(paths.log());
  if (!text) return {};
  std::string_view fresh = *text;
  if (before <= fresh.size()) fresh.remove_prefix(before);
  const auto all = lines(fresh.substr(fresh.size() - std::min<std::size_t>(fresh.size(), 4096)));
  std::string out;
  for (std::size_t i = all.size() - std::min<std::size_t>(all.size(), 5); i < all.size(); ++i)
    if (!trim(all[i]).empty()) out += "\n  " + sanitize(all[i]);
  return out;
}

/// Describes the activity of a daemon that is not ready yet, by the last line of its log.
std::string still_starting(const Paths& paths, std::chrono::milliseconds waited) {
  const auto text = read_file(paths.log()).value_or("");
  const auto tail = std::string_view(text).substr(text.size() - std::min<std::size_t>(text.size(), 4096));
  const auto all = lines(trim(tail));
  const auto last = all.empty() ? std::string() : ellipsize(sanitize(all.back()), 200);
  return "hydrad has been starting for " + format_duration(waited.count()) +
         (last.empty() ? "" : "; its log's last line: " + last);
}

Error start_failed(const Paths& paths, std::size_t before, std::string what) {
  const auto tail = log_tail(paths, before);
  if (!tail.empty()) what += "; its log says:" + tail;
  return {Errc::environment, std::move(what), paths.log().string(),
          "run `hydra daemon run` to see it in the foreground"};
}

// Exit code of a child that has ended, -1 for a signal; nothing while the child runs.
std::optional<int> exit_of(pid_t pid) {
  int status = 0;
  if (::waitpid(pid, &status, WNOHANG) != pid) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A first request to a service manager's socket starts a daemon. That daemon may use another state directory,
// from the environment in which the manager was started.
std::optional<Client> activated(const Paths& paths) {
  const auto socket = paths.runtime / "start.sock";  // as in cmake/hydra.socket.in
  std::error_code ec;
  if (!std::filesystem::is_socket(socket, ec)) return std::nullopt;
  auto client = Client::connect_socket(socket);
  if (!client) return std::nullopt;
  const auto health = client->call("GET", "/v1/health");
  const auto found = health ? wire::from_json<wire::Health>(*health) : Result<wire::Health>(health.error());
  if (!found || found->state_dir != paths.state.string()) return std::nullopt;
  auto own = Client::connect(paths);
  return own ? std::optional(std::move(*own)) : std::nullopt;
}

// A daemon that holds the lock recreates a removed socket within seconds.
Result<Client> connect_patiently(const Paths& paths) {
  const auto end = SteadyClock::now() + kSocketWait;
  auto client = Client::connect(paths);
  while (!client && StateLock::holder(paths) && SteadyClock::now() < end) {
    ::poll(nullptr, 0, 100);
    client = Client::connect(paths);
  }
  return client;
}

// `process`: a pidfd, or -1 where only the socket can tell.
bool is_gone(const Paths& paths, int process, SteadyClock::duration wait) {
  const auto end = SteadyClock::now() + wait;
  for (;;) {
    pollfd gone{process, POLLIN, 0};
    if (process >= 0 ? ::poll(&gone, 1, 20) == 1 : !Client::connect(paths).ok()) return true;
    if (SteadyClock::now() > end) return false;
    if (process < 0) ::poll(nullptr, 0, 20);
  }
}

}  // namespace

Error silent_daemon(const Paths& paths) {
  const auto who = StateLock::last_holder(paths).text();
  return {Errc::environment, "hydrad" + (who.empty() ? "" : " " + who) + " runs, but does not answer",
          paths.state.string(), "`hydra daemon stop` ends it; agents that run go on"};
}

bool is_stopped(const Paths& paths) {
  const auto holder = StateLock::holder(paths);
  const auto stat =
      read_file("/proc/" + std::to_string(holder ? holder->pid : 0) + "/stat", 4096).value_or("");
  const auto name_end = std::min(stat.rfind(") "), stat.size());
  return holder && (stat.substr(name_end).starts_with(") T") || stat.substr(name_end).starts_with(") t"));
}

Result<Stop> stop_daemon(const Paths& paths) {
  auto client = connect_patiently(paths);
  const auto holder = StateLock::holder(paths);
  if (!client && !holder) return Stop::not_running;
  const UniqueFd process(
      holder && holder->pid > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, holder->pid, 0)) : -1);
  if (client) {
    client->set_timeout(kFirstContact);
    const auto asked = client->call("POST", "/v1/shutdown", wire::to_json(wire::ShutdownRequest{true}));
    if (asked.ok() && is_gone(paths, process.get(), kStopWait)) return Stop::asked;
  }
  for (const int signal : {SIGTERM, SIGKILL}) {
    if (!process) break;
    // A stopped process takes a signal when it goes on.
    for (const int sent : {signal, SIGCONT})
      ::syscall(SYS_pidfd_send_signal, process.get(), sent, nullptr, 0);
    if (is_gone(paths, process.get(), kStopWait)) return signal == SIGKILL ? Stop::killed : Stop::asked;
  }
  return Error{Errc::timeout, "the daemon still runs", paths.log().string(), "look at its log"};
}

std::vector<std::string> daemon_environment(char** environment) {
  constexpr std::array<std::string_view, 12> kNames{"HOME",
                                                    "PATH",
                                                    "USER",
                                                    "LOGNAME",
                                                    "LANG",
                                                    "LANGUAGE",
                                                    "TMPDIR",
                                                    "TZ",
                                                    "SHELL",
                                                    "DBUS_SESSION_BUS_ADDRESS",
                                                    "LD_LIBRARY_PATH",
                                                    "NIX_PATH"};
  constexpr std::array<std::string_view, 9> kPrefixes{
      "XDG_", "LC_", "HYDRA_", "ASAN_", "UBSAN_", "TSAN_", "SLURM_CONF", "CONTAINERS_", "DOCKER_"};
  std::vector<std::string> out;
  for (char** entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto name = text.substr(0, text.find('='));
    const bool wanted = std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
                        std::any_of(kPrefixes.begin(), kPrefixes.end(),
                                    [&](std::string_view prefix) { return name.starts_with(prefix); });
    if (wanted) out.emplace_back(text);
  }
  return out;
}

Result<std::filesystem::path> find_daemon() {
  std::error_code ec;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ec);
  if (!ec) {
    const auto beside = self.parent_path() / "hydrad";
    if (::access(beside.c_str(), X_OK) == 0) return beside;
  }
  const auto path = process_env()("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (const auto dir : split(path, ':')) {
    if (dir.empty() || dir.front() != '/') continue;  // never search the current directory
    const auto candidate = std::filesystem::path(dir) / "hydrad";
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return Error{Errc::environment,
               "hydrad was not found beside hydra or in PATH",
               {},
               "install both into one directory"};
}

Result<Client> ensure_daemon(const Paths& paths, const DaemonOptions& options) {
  if (auto client = Client::connect(paths)) return client;
  if (auto client = activated(paths)) return std::move(*client);
  std::filesystem::path program = options.program;
  if (program.empty()) {
    HYDRA_TRY(program, find_daemon());
  }
  HYDRA_CHECK(make_private_dirs(paths, ::getuid()));
  auto deadline = SteadyClock::now() + options.deadline;
  const auto log_before = log_size(paths);
  std::chrono::milliseconds pause{10};
  for (;;) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_start(system_error("pipe", errno));
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    HYDRA_TRY(const auto pid, spawn(program, writing.get()));
    writing.reset();
    // A start may take long on a busy machine. A daemon that ends closes the pipe.
    for (auto waited = options.tell_every;
         !wait_ready(reading.get(), SteadyClock::now() + options.tell_every); waited += options.tell_every)
      if (options.tell) options.tell(still_starting(paths, waited));
    if (auto client = Client::connect(paths)) return client;
    // time for the remaining requests
    deadline = std::max(deadline, SteadyClock::now() + std::chrono::seconds(1));
    // A pipe closed without a socket means that the daemon is exiting. Its exit code tells a lost race for
    // the lock from a failure.
    std::optional<int> code;
    while (!(code = exit_of(pid)) && SteadyClock::now() < deadline) ::poll(nullptr, 0, 5);
    if (code && *code != 0 && *code != kLockTaken)
      return start_failed(paths, log_before,
                          *code < 0 ? "hydrad was killed while it started"
                                    : "hydrad left with exit code " + std::to_string(*code));
    // Another daemon has the lock: it will soon listen, or exit.
    if (auto client = Client::connect(paths)) return client;
    if (SteadyClock::now() + pause >= deadline)
      return start_failed(
          paths, log_before,
          "another hydrad holds the lock and does not answer " + StateLock::last_holder(paths).text());
    ::poll(nullptr, 0, static_cast<int>(pause.count()));
    pause = std::min(pause * 2, std::chrono::milliseconds(400));
    if (auto client = Client::connect(paths)) return client;
  }
}

}  // namespace hydra::client
