// hydrad: wiring and signals. One daemon per user and state directory.
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/loop_work.hpp"
#include "base/paths.hpp"
#include "base/read_files.hpp"
#include "base/state_lock.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "daemon/api/routes.hpp"
#include "daemon/listener.hpp"
#include "daemon/memory.hpp"
#include "exec/executor.hpp"
#include "exec/orphans.hpp"
#include "exec/slurm.hpp"
#include "exec/tool.hpp"
#include "exec/window.hpp"
#include "parsers/parsers.hpp"
#include "race/agents/secrets.hpp"
#include "race/service.hpp"
#include "storage/event_store.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <malloc.h>
#include <optional>
#include <set>
#include <signal.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace hydra {
namespace {

constexpr int kAboveJobs = 5;
constexpr int kAlreadyRunning = 75;  // EX_TEMPFAIL: another daemon has the lock; the caller just connects

struct Arguments {
  bool foreground = false;
  int ready_fd = -1, environment_fd = -1;
  bool help = false, version = false;
  std::string bad;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--foreground")
      arguments.foreground = true;
    else if (arg == "--ready-fd" && i + 1 < argc)
      arguments.ready_fd = std::atoi(argv[++i]);
    else if (arg == "--environment-fd" && i + 1 < argc)
      arguments.environment_fd = std::atoi(argv[++i]);
    else if (arg == "--help" || arg == "-h")
      arguments.help = true;
    else if (arg == "--version")
      arguments.version = true;
    else
      arguments.bad = arg;
  }
  return arguments;
}

// SQLite gives the files beside a database the database's mode. The umask stays unchanged: files that Hydra
// writes for the user, into workspaces and on a merge, get the modes of the user's own tools.
void keep_private(const fs::path& database) {
  const UniqueFd made(::open(database.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  for (const auto* end : {"", "-wal", "-shm"}) (void)::chmod((database.string() + end).c_str(), 0600);
}

// The supervisor is in the daemon's directory, both built and installed.
fs::path shim_path() {
  std::error_code ec;
  const auto self = fs::read_symlink("/proc/self/exe", ec);
  return self.parent_path() / "hydra-shim";
}

// The daemon is the subreaper of killed supervisors' children. The executor waits for its own supervisors;
// all other zombies are collected here.
// waitpid() by pid, so that a zombie awaited by its owner does not block later ones.
// Reap a zombie only when it was one 30 s ago too: a thread may be about to wait for it.
void reap_strangers() {
  static std::set<pid_t> seen;
  std::set<pid_t> zombies;
  std::error_code ec;
  std::vector<pid_t> children;
  for (fs::directory_iterator task("/proc/self/task", ec), end; !ec && task != end; task.increment(ec)) {
    const auto text = read_file(task->path() / "children", 1 << 20).value_or("");
    for (const auto word : split(text, ' '))
      if (const auto pid = parse_int(trim(word)); pid && *pid > 1)
        children.push_back(static_cast<pid_t>(*pid));
  }
  for (const pid_t pid : children) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
      continue;
    std::string comm;
    if (auto text = read_file("/proc/" + std::to_string(pid) + "/comm", 64); text.ok()) comm = *text;
    if (comm.starts_with("hydra-shim") || comm.starts_with("git")) continue;  // its owner waits for it
    if (seen.contains(pid))
      ::waitpid(pid, nullptr, WNOHANG);
    else
      zombies.insert(pid);
  }
  seen = std::move(zombies);
}

std::int64_t cpu_ms_of_thread() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::int64_t>(used.tv_sec) * 1000 + used.tv_nsec / 1'000'000;
}

// The watchdog: names each handler that kept the loop from answering. CPU time, as a loaded machine is no
// failure; Loop.* of tests/e2e hold the log to none.
void run_watched(boost::asio::io_context& loop) {
#ifdef __OPTIMIZE__
  constexpr std::int64_t kMost = 50;
#else
  constexpr std::int64_t kMost = 1000;
#endif
  for (;;) {
    loop_work.clear();
    const auto before = cpu_ms_of_thread();
    if (loop.run_one() == 0) return;
    if (const auto used = cpu_ms_of_thread() - before; used > kMost)
      log::warn("the loop was busy for {} ms: {}", used, loop_work.empty() ? "a timer" : loop_work);
  }
}

class Daemon {
 public:
  /// `activated`: the service manager's listening socket, kept for the daemon's lifetime; may be empty.
  Daemon(Paths paths, StateLock lock, UniqueFd listener, UniqueFd activated,
         std::unique_ptr<storage::EventStore> store, const std::map<std::string, std::string>& starter)
      : paths_(std::move(paths)),
        lock_(std::move(lock)),
        store_(std::move(store)),
        local_(exec::make_local_executor(
            loop_, {shim_path(), exec::find_program("bwrap", path_variable()), exec::find_cgroups()})),
        cluster_(
            exec::make_slurm_executor(loop_, {shim_path(), exec::find_program("bwrap", path_variable())})),
        window_(exec::make_window(loop_, *cluster_, kWindow)),
        executor_(exec::make_placed_executor(*local_, *window_)),
        service_(loop_, {paths_, shim_path(), 0, 4, starter}, *store_, *executor_, clock_, ids_),
        signals_(loop_, SIGTERM, SIGINT),
        reaper_(loop_),
        watchman_(loop_),
        store_limit_(loop_),
        socket_(identity(paths_.socket())) {
    api_ =
        api::make_routes(loop_, service_, {HYDRA_VERSION, paths_.state.string(), paths_.database().string()},
                         [this] { stop("a client"); });
    api::ServerOptions options;
    options.gate = api::socket_gate;
    server_ = api::serve(loop_, listener.release(), api_->handler(), options);
    if (activated) activated_ = api::serve(loop_, activated.release(), api_->handler(), options);
    signals_.async_wait([this](const boost::system::error_code& ec, int) {
      if (!ec) stop("a signal");
    });
    reap_later();
    look_after_socket();
  }

  int run(int ready_fd) {
    if (auto recovered = service_.recover(); !recovered.ok()) {
      log::error("{}", describe(recovered.error()));
      return 3;
    }
    tell_manager_ready();
    if (ready_fd >= 0) {
      (void)!::write(ready_fd, "1", 1);
      ::close(ready_fd);
    }
    log::info("hydrad {} listens on {}", HYDRA_VERSION, paths_.socket().string());
    run_watched(loop_);
    if (identity(paths_.socket()) == socket_) ::unlink(paths_.socket().c_str());
    log::info("stopped");
    return 0;
  }

 private:
  static std::string path_variable() {
    return process_env()("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  }

  // Running agents continue under their supervisors, and the next daemon adopts them. Pending events are
  // stored first, as far as the disk takes them within kStoreTime.
  void stop(std::string_view who) {
    log::info("stopping, asked by {}", who);
    watchman_.cancel();
    stopping_ = true;
    server_->stop();
    if (activated_) activated_->stop();
    api_->close();
    service_.drain([this] { boost::asio::post(loop_, [this] { loop_.stop(); }); });
    store_limit_.expires_after(kStoreTime);
    store_limit_.async_wait([this](const boost::system::error_code&) { loop_.stop(); });
  }

  void reap_later() {
    reaper_.expires_after(std::chrono::seconds(30));
    reaper_.async_wait([this](const boost::system::error_code& ec) {
      if (ec) return;
      reap_strangers();
      reap_later();
    });
  }

  // logind deletes the runtime directory at the last logout, and the daemon continues without it.
  void look_after_socket() {
    watchman_.expires_after(kSocketLook);
    watchman_.async_wait([this](const boost::system::error_code& ec) {
      if (ec || stopping_) return;
      const bool ours = lock_.keep();
      if (ours && identity(paths_.socket()) != socket_) bind_again();
      keep_small();
      look_after_socket();
    });
  }

  // Releases memory of the start, a race or a long answer, once no race runs.
  void keep_small() {
    if (service_.running_races() > 0 || resident_bytes() < small_ + kWorthGivingBack) return;
    give_back_memory();
    small_ = resident_bytes();
  }

  void bind_again() {
    if (!std::exchange(socket_lost_, true)) log::warn("the socket {} is gone", paths_.socket().string());
    // The parent directory may come back only with the next login.
    if (!make_private_dirs(paths_, ::geteuid()).ok()) return;
    auto listener = listen_on(paths_.socket());
    if (!listener.ok()) return;
    server_->listen_on(listener->release());
    socket_ = identity(paths_.socket());
    socket_lost_ = false;
    log::info("listens again on {}", paths_.socket().string());
  }

  static constexpr std::chrono::seconds kSocketLook{2};
  static constexpr std::chrono::seconds kStoreTime{10};
  static constexpr std::size_t kWorthGivingBack = 4u << 20;
  static constexpr int kWindow = 64;  ///< jobs of a cluster, until a race sets another number

  boost::asio::io_context loop_{1};
  Paths paths_;
  StateLock lock_;  ///< without the lock another daemon may own the socket, which this one must not remove
  SystemClock clock_;
  RandomIds ids_;
  std::unique_ptr<storage::EventStore> store_;
  std::unique_ptr<exec::Executor> local_, cluster_, window_, executor_;
  race::Service service_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer reaper_, watchman_, store_limit_;
  std::pair<dev_t, ino_t> socket_;
  bool socket_lost_ = false, stopping_ = false;
  std::size_t small_ = 0;  ///< resident bytes after memory was last released
  std::unique_ptr<api::Api> api_;
  std::unique_ptr<api::HttpServer> server_, activated_;
};

int fail(const Error& error) {
  std::fprintf(stderr, "hydrad: %s\n", describe(error).c_str());
  return error.code == Errc::conflict ? kAlreadyRunning : 3;
}

// Reads variables from a descriptor, so that they are visible neither in this process's environment nor on
// its command line.
race::SecretEnv read_variables(int fd) {
  constexpr std::size_t kMost = 4u << 20;
  race::SecretEnv variables;
  if (fd < 0) return variables;
  std::string text(kMost, '\0');
  std::size_t size = 0;
  while (size < kMost) {
    const auto n = ::read(fd, text.data() + size, kMost - size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    size += static_cast<std::size_t>(n);
  }
  ::close(fd);
  for (const auto entry : split(std::string_view(text).substr(0, size), '\0'))
    if (const auto equals = entry.find('='); equals != std::string_view::npos && equals > 0)
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  return variables;
}

int start(const Arguments& arguments) {
  ::umask(022);
  // No core file holds keys, and no other process of the user reads them in memory; for debuggers:
  // HYDRA_DUMPABLE=1.
  if (process_env()("HYDRA_DUMPABLE") != "1") ::prctl(PR_SET_DUMPABLE, 0);
  auto activated = inherited_listener();
  const auto starter = read_variables(arguments.environment_fd);
  auto paths = resolve_paths(process_env(), ::geteuid());
  if (!paths.ok()) return fail(paths.error());
  if (auto made = make_private_dirs(*paths, ::geteuid()); !made.ok()) return fail(made.error());
  auto lock = StateLock::take(*paths);
  if (!lock.ok()) {
    if (lock.error().code == Errc::conflict) tell_manager_ready();  // else the start counts as failed
    return fail(lock.error());
  }
  if (!arguments.foreground) ::setsid();
  // Raises the daemon's priority if permitted; shim/launch resets that of jobs.
  (void)::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) - kAboveJobs);
  ::signal(SIGPIPE, SIG_IGN);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  log::init("hydrad", paths->log(), log::Level::info);
  const auto users = [&](const char* kind, std::vector<Error> (*mistakes)(const std::vector<TextFile>&)) {
    return [directory = paths->config / kind, mistakes] {
      std::vector<Error> errors;
      auto files = toml_files(directory, &errors);
      for (const auto& error : mistakes(files)) errors.push_back(error);
      for (const auto& error : errors) log::warn("{}: {}", directory.filename().string(), describe(error));
      return files;
    };
  };
  parsers::formats_from(users("formats", parsers::check_formats));
  config::toolchains_from(users("toolchains", config::check_toolchains));
  // This daemon has the lock, so processes marked with this directory were started by a dead daemon.
  exec::mark_tools(paths->state.string());
  constexpr std::chrono::seconds kPatience{5};
  const auto orphans = exec::end_orphan_tools(paths->state.string(), paths->state, kPatience);
  if (orphans.killed + orphans.ended + orphans.left > 0)
    log::warn("of the daemon before: {} tools killed, {} waited for, {} still run", orphans.killed,
              orphans.ended, orphans.left);
  keep_private(paths->database());
  auto store = storage::EventStore::open(paths->database(), paths->state / "races");
  if (!store.ok()) {
    log::error("{}", describe(store.error()));
    return fail(store.error());
  }
  for (const auto& finding : (*store)->findings()) log::warn("{}", finding);
  auto listener = listen_on(paths->socket());
  if (!listener.ok()) {
    log::error("{}", describe(listener.error()));
    return fail(listener.error());
  }
  Daemon daemon(*paths, std::move(*lock), std::move(*listener), std::move(activated), std::move(*store),
                starter);
  return daemon.run(arguments.ready_fd);
}

}  // namespace
}  // namespace hydra

int main(int argc, char** argv) {
  // Each pool thread would keep a separate heap at its peak size: a few leaderboards of 100,000 attempts left
  // 70 MiB. Large blocks are returned to the system at once.
  ::mallopt(M_ARENA_MAX, 2);
  ::mallopt(M_MMAP_THRESHOLD, 256 << 10);
  const auto arguments = hydra::parse(argc, argv);
  if (!arguments.bad.empty()) {
    std::fprintf(stderr,
                 "hydrad: unknown argument '%s'\nusage: hydrad [--foreground] [--ready-fd N] [--version]\n",
                 arguments.bad.c_str());
    return 2;
  }
  if (arguments.help) {
    std::puts(
        "usage: hydrad [--foreground] [--ready-fd N] [--version]\n\nThe daemon behind `hydra`, started by it "
        "on demand.\nUse `hydra daemon run|start|stop|status` instead of calling it.");
    return 0;
  }
  if (arguments.version) {
    std::puts("hydrad " HYDRA_VERSION);
    return 0;
  }
  try {
    return hydra::start(arguments);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "hydrad: %s\n", e.what());
    return 3;
  }
}
