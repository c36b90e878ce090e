// The stop ladder, the end of the process tree, and the verdict.
#include "files.hpp"
#include "supervisor.hpp"
#include "tree.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace shim {
namespace {

constexpr std::int64_t kGiveUp = 5000;
constexpr std::int64_t kClearUp = 20000;
constexpr std::int64_t kLongestHold = 600'000;

std::int64_t milliseconds(const timeval& t) {
  return static_cast<std::int64_t>(t.tv_sec) * 1000 + t.tv_usec / 1000;
}

}  // namespace

void Supervisor::begin_stop(Stop reason) {
  if (stop_ != Stop::none || leader_done_) return;
  stop_ = reason;
  if (child_.pid > 0) climb();
}

/// Processes that a stop may signal: never bwrap or the second stage, whose end would kill the payload
/// without grace.
std::vector<pid_t> Supervisor::targets(Look look) {
  const auto below = look == Look::again ? seen_below : [](pid_t root) { return descendants(root); };
  if (!spec_.wrapped) return below(::getpid());
  if (spec_.contained && stage2_ == 0) return {};
  if (stage2_ == 0) stage2_ = child_of(child_.pid);
  return stage2_ == 0 ? std::vector<pid_t>{} : below(stage2_);
}

void Supervisor::climb() {
  const auto pids = targets();
  if (pids.empty() || rung_ >= spec_.ladder.size()) {
    kill_all();
    rung_until_ = now() + 200;  // repeated, in case a process was missed
    return;
  }
  signal_all(pids, spec_.ladder[rung_].signal);
  rung_until_ = now() + std::max<std::int64_t>(1, spec_.ladder[rung_].wait_ms);
  ++rung_;
}

void Supervisor::kill_all() {
  if (!killed_) give_up_ = now() + kGiveUp;
  killed_ = true;
  cgroups_.kill(1);
  if (stage2_ > 0 && spec_.contained && now() < give_up_ - kGiveUp / 2) return end_container();
  client_killed_ = spec_.contained;
  kill_below_self();
}

void Supervisor::end_container() {
  if (stage2_ > 0 && !stage2_gone()) ::kill(stage2_, SIGKILL);
}

/// The status pipe has one writer, and closes when that process ends.
bool Supervisor::stage2_gone() const { return child_.status < 0; }

void Supervisor::clear_up() {
  door_.close();
  let_go(child_.handed);
  child_.handed = {};
  if (!client_killed_ || spec_.clear_up.empty()) return;
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (int fd = 0; fd < 3; ++fd) ::dup2(child_.wrapper_log, fd);
    reset_signals();
    use_environment(spec_.wrapper_env);
    const auto argv = pointers(spec_.clear_up);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  if (pid > 0) wait_alone(kClearUp);
}

/// Sampling four times a second works on every machine, and costs wakeups only for jobs with such a limit.
/// Faster growth is caught a little later; the kernel's own limits, if available, back the sampler up.
void Supervisor::sample() {
  if (stop_ != Stop::none) return;
  const auto pids = targets(Look::again);
  if (spec_.processes > 0 &&
      (pids.size() > static_cast<std::size_t>(spec_.processes) || cgroups_.out_of_processes())) {
    outcome_.message = "more than " + std::to_string(spec_.processes) + " processes, or too many threads";
  } else if (spec_.memory_bytes > 0 && memory_above(pids, spec_.memory_bytes)) {
    outcome_.message = "more than " + std::to_string(spec_.memory_bytes) + " bytes of memory";
  } else {
    return;
  }
  stop_growth(Stop::oom);
}

void Supervisor::look_at_disk() {
  if (stop_ != Stop::none) return;
  const auto processes = [this] { return targets(); };
  if (disk_.step(now(), processes)) {
    outcome_.message = "more than " + std::to_string(spec_.disk_bytes) + " bytes of disk";
    stop_growth(Stop::disk);
  } else if (auto why = room_.step(now(), processes); !why.empty()) {
    outcome_.message = std::move(why);
    stop_growth(Stop::no_room);
  } else {
    hold_or_go_on();
  }
}

void Supervisor::hold_or_go_on() {
  const auto t = now();
  if (!room_.holds() && held_since_ == 0) return;
  if (!room_.holds()) {
    started_ += t - held_since_;
    last_output_ += t - held_since_;
    held_since_ = 0;
    (void)!::ftruncate(heartbeat_, 0);
    return signal_all(targets(), SIGCONT);
  }
  if (held_since_ == 0) {
    held_since_ = t;
    (void)!::ftruncate(heartbeat_, 1);
  }
  signal_all(targets(), SIGSTOP);  // at each look, as one may miss a new process
  if (t - held_since_ < kLongestHold) return;
  outcome_.message = "its disk had no room for ten minutes";
  stop_growth(Stop::no_room);
}

void Supervisor::stop_growth(Stop reason) {
  stop_ = reason;
  rung_ = spec_.ladder.size();
  climb();
}

bool Supervisor::alone() {
  reap();
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
}

void Supervisor::pause(int ms) {
  pollfd wake{signals_, POLLIN, 0};
  ::poll(&wake, 1, ms);
  on_signals();
}

void Supervisor::wait_alone(std::int64_t ms) {
  for (const std::int64_t until = now() + ms; !alone() && now() < until;)
    pause(static_cast<int>(std::clamp<std::int64_t>(until - now(), 1, 50)));
}

void Supervisor::finish() {
  // A process closes its pipes before it becomes a zombie, earlier on a busy machine: wait for it, since it
  // has not leaked.
  wait_alone(200);
  if (spec_.contained) finish_container();
  if (!alone()) end_everything();
  // A process that escaped from below this one is still in its group.
  constexpr int kRounds = 1000;
  outcome_.leaked = std::max(outcome_.leaked, cgroups_.kill(kRounds));
  for (auto* pipe : {&child_.out, &child_.err}) {
    Log& log = pipe == &child_.out ? out_ : err_;
    // Bytes still in the pipe were written before the end; the loop is bounded because of survivors that
    // write.
    for (int i = 0; i < 32 && *pipe >= 0; ++i) {
      pollfd ready{*pipe, POLLIN, 0};
      if (::poll(&ready, 1, 0) <= 0) break;
      drain_or_close(*pipe, log);
    }
  }
  out_.finish();
  err_.finish();
}

/// Counts the processes left in the container and ends them with its PID 1. The engine's client then ends by
/// itself and cleans the container up.
void Supervisor::finish_container() {
  on_status();  // learns whether the container's PID 1 has ended
  if (stage2_ > 0) outcome_.leaked = static_cast<int>(targets().size());
  end_container();
  if (stage2_ > 0) wait_alone(kClearUp);
  client_killed_ = client_killed_ || !alone();
  stage2_ = 0;
}

/// After the leader's end: counts, kills and awaits the remaining processes.
void Supervisor::end_everything() {
  if (!spec_.contained) outcome_.leaked = static_cast<int>(targets().size());
  const std::int64_t give_up = gave_up_ ? now() : now() + kGiveUp;
  while (!alone() && now() < give_up) {
    cgroups_.kill(1);
    kill_below_self();
    pause(20);
  }
  if (!alone()) outcome_.message = "processes were left that can't be killed";
  if (!spec_.wrapped && (outcome_.leaked > 0 || stop_ != Stop::none)) sweep_cookie(spec_.token);
}

std::string Supervisor::wrapper_text() const {
  std::array<char, 2048> text;
  const ssize_t n = child_.wrapper_log < 0 ? 0 : ::pread(child_.wrapper_log, text.data(), text.size(), 0);
  std::string s(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!s.empty() && s.back() == '\n') s.pop_back();
  return s;
}

void Supervisor::judge_start() {
  outcome_.end = "start_failed";
  const std::string why = std::strerror(failure_.value);
  switch (failure_.fact) {
    case Fact::workdir_failed:
      outcome_.message = "working directory can't be entered: " + spec_.workdir + ": " + why;
      break;
    case Fact::wrapper_failed:
      outcome_.message = "the sandbox program can't be started: " + spec_.argv.front() + ": " + why;
      break;
    case Fact::overlay_failed:
      outcome_.message = wrapper_text();
      break;
    case Fact::cpus_failed:
      outcome_.message = "the CPUs of this job can't be used: " + why;
      break;
    default:
      outcome_.message = failure_.value == ENOENT ? "program not found: " + spec_.program
                                                  : "program can't be started: " + spec_.program + ": " + why;
  }
}

void Supervisor::judge() {
  judge_end();
  if (spec_.contained) clear_up();
  cgroups_.remove();
}

void Supervisor::judge_end() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  outcome_.cpu_user_ms = milliseconds(usage.ru_utime);
  outcome_.cpu_system_ms = milliseconds(usage.ru_stime);
  outcome_.max_rss_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
  if (spec_.contained) {  // its processes are not our children
    outcome_.cpu_user_ms = used_[0];
    outcome_.cpu_system_ms = used_[1];
    outcome_.max_rss_kib = static_cast<std::uint64_t>(used_[2]);
  }
  outcome_.wall_ms = ended_ - started_;
  outcome_.out = {out_.total(), out_.hole_from(), out_.hole_to()};
  outcome_.err = {err_.total(), err_.hole_from(), err_.hole_to()};
  if (const int code = out_.write_error() != 0 ? out_.write_error() : err_.write_error(); code != 0)
    outcome_.message = std::string("a log could not be written: ") + std::strerror(code);

  if (start_failed_) return judge_start();
  if (has_status_) {
    outcome_.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 0;
    outcome_.signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
    outcome_.end = outcome_.signal != 0 ? "signaled" : "exited";
  } else if (killed_) {
    outcome_.signal = SIGKILL;
  } else if (const auto text = wrapper_text(); !text.empty()) {
    outcome_.end = "start_failed";
    outcome_.message = "the sandbox can't be made: " + text;
  } else {
    outcome_.end = "lost";
    outcome_.message = "the sandbox ended without a report";
  }
  // The kernel's OOM killer was faster than the sampler. It kills the whole group with bwrap and the second
  // stage, so no process can report the leader's end.
  if (stop_ == Stop::none && spec_.memory_bytes > 0 && (!has_status_ || status_ != 0) &&
      cgroups_.out_of_memory()) {
    stop_ = Stop::oom;
    outcome_.message = "more than " + std::to_string(spec_.memory_bytes) + " bytes of memory";
  }
  // The payload's own message about a full disk may be lost with the log.
  if (stop_ == Stop::none && (!has_status_ || status_ != 0)) {
    auto paths = spec_.disk_paths;
    paths.push_back(dir_);
    if (const auto full = full_disk(paths); !full.empty())
      outcome_.message += (outcome_.message.empty() ? "" : "; ") + full;
  }
  constexpr std::array kEnds{"",    "cancelled", "timed_out", "idle",
                             "oom", "disk",      "no_room"};  // in the order of Stop
  if (stop_ != Stop::none) outcome_.end = kEnds.at(static_cast<std::size_t>(stop_));
}

}  // namespace shim
