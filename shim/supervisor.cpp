#include "supervisor.hpp"

#include "tree.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace shim {
namespace {

constexpr std::int64_t kBeat = 2000;
constexpr std::int64_t kDrain = 500;
constexpr std::int64_t kSample = 250;
constexpr std::int64_t kContainerStart = 120000;

}  // namespace

Supervisor::Supervisor(std::string dir, const Spec& spec) : dir_(std::move(dir)), spec_(spec) {}

bool Supervisor::prepare() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto wanted = signals({SIGCHLD, SIGTERM});
  signals_ = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  heartbeat_ = ::open((dir_ + "/heartbeat").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  const bool logs = out_.open(dir_ + "/stdout.log", spec_.log_head, spec_.log_tail) &&
                    (spec_.merge_output || err_.open(dir_ + "/stderr.log", spec_.log_head, spec_.log_tail));
  outcome_.survivors_possible = !spec_.wrapped;
  return signals_ >= 0 && heartbeat_ >= 0 && logs;
}

const Outcome& Supervisor::not_started(const char* what) {
  outcome_.end = "start_failed";
  outcome_.message = std::string(what) + ": " + std::strerror(errno);
  return outcome_;
}

Outcome Supervisor::run() {
  if (!prepare()) return not_started("can't write into the attempt's directory");
  on_signals();  // a cancel before the start: nothing runs
  // The engine may have given the attempt up before its turn came: then the cancel file exists.
  if (::access((dir_ + "/cancel").c_str(), F_OK) == 0) stop_ = Stop::cancelled;
  if (stop_ == Stop::cancelled) {
    outcome_.end = "cancelled";
    return outcome_;
  }
  disk_.set(spec_.disk_bytes, spec_.disk_paths);
  disk_.begin(now());
  auto written = spec_.disk_paths;
  written.push_back(dir_);
  room_.set(spec_.free_percent, spec_.free_bytes, std::move(written));
  room_.begin(now());
  started_ = last_output_ = now();
  next_beat_ = started_ + kBeat;
  if (spec_.memory_bytes > 0 || spec_.processes > 0) next_sample_ = started_ + kSample;
  if (spec_.contained && !door_.open(dir_))
    return not_started("can't make a socket in the attempt's directory");
  if (spec_.contained) door_until_ = started_ + kContainerStart;
  cgroups_.make(spec_);
  if (!launch(spec_, cgroups_, child_, outcome_.message)) {
    outcome_.end = "start_failed";
    cgroups_.remove();
    return outcome_;
  }
  loop();
  finish();
  judge();
  return outcome_;
}

void Supervisor::loop() {
  while (!finished()) {
    std::array<pollfd, 5> fds{{{signals_, POLLIN, 0},
                               {child_.status, POLLIN, 0},
                               {child_.out, POLLIN, 0},
                               {child_.err, POLLIN, 0},
                               {door_.fd(), POLLIN, 0}}};
    const int n = ::poll(fds.data(), fds.size(), timeout());
    if (n > 0) {
      if (fds[2].revents != 0) drain_or_close(child_.out, out_);
      if (fds[3].revents != 0) drain_or_close(child_.err, err_);
      if (fds[1].revents != 0) on_status();
      if (fds[4].revents != 0) on_door();
      if (fds[0].revents != 0) on_signals();
    }
    on_time();
  }
}

bool Supervisor::finished() const {
  if (!leader_done_) return false;
  return (child_.out < 0 && child_.err < 0) || now() >= drain_until_;
}

int Supervisor::timeout() const {
  std::int64_t next = next_beat_;
  if (leader_done_) next = std::min(next, drain_until_);
  if (rung_until_ > 0) next = std::min(next, rung_until_);
  if (next_sample_ > 0) next = std::min(next, next_sample_);
  if (stop_ == Stop::none) next = std::min({next, disk_.due(), room_.due()});
  if (door_until_ > 0) next = std::min(next, door_until_);
  const bool runs = door_until_ == 0 && stop_ == Stop::none && held_since_ == 0;
  if (runs && spec_.wall_ms > 0) next = std::min(next, started_ + spec_.wall_ms);
  if (runs && spec_.idle_ms > 0) next = std::min(next, last_output_ + spec_.idle_ms);
  return static_cast<int>(std::clamp<std::int64_t>(next - now(), 0, kBeat));
}

void Supervisor::on_time() {
  const std::int64_t t = now();
  if (t >= next_beat_) beat();
  if (leader_done_) return;
  const bool runs = door_until_ == 0 && stop_ == Stop::none && held_since_ == 0;
  if (door_until_ > 0 && t >= door_until_) {
    door_until_ = 0;
    outcome_.message = "the container did not start within two minutes";
    kill_all();
  }
  if (runs && spec_.wall_ms > 0 && t >= started_ + spec_.wall_ms) begin_stop(Stop::timed_out);
  if (runs && stop_ == Stop::none && spec_.idle_ms > 0 && t >= last_output_ + spec_.idle_ms)
    begin_stop(Stop::idle);
  if (next_sample_ > 0 && t >= next_sample_) {
    sample();
    next_sample_ = now() + kSample;
  }
  look_at_disk();
  if (rung_until_ > 0 && t >= rung_until_) climb();
  // The kernel keeps a process alive that waits for a hanging file system: the kill stays pending, and the
  // race continues.
  if (give_up_ > 0 && t >= give_up_) {
    gave_up_ = leader_done_ = true;
    ended_ = drain_until_ = t;
  }
}

void Supervisor::beat() {
  next_beat_ = now() + kBeat;
  ::futimens(heartbeat_, nullptr);
  // Second way to cancel, for placements without signals.
  if (::access((dir_ + "/cancel").c_str(), F_OK) == 0) begin_stop(Stop::cancelled);
}

void Supervisor::on_door() {
  std::vector<std::string> words{std::to_string(spec_.processes), spec_.workdir};
  words.insert(words.end(), spec_.payload.begin(), spec_.payload.end());
  stage2_ = door_.hand_over(child_.handed, words);
  let_go(child_.handed);
  child_.handed = {};
  door_until_ = 0;
  started_ = last_output_ = now();
  if (stop_ != Stop::none) climb();
}

void Supervisor::on_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
    if (info.ssi_signo == SIGTERM) begin_stop(Stop::cancelled);
  reap();
}

void Supervisor::reap() {
  int status = 0;
  pid_t pid = 0;
  while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid != child_.pid) continue;
    on_status();  // its reports before the end
    if (!spec_.wrapped && !start_failed_) end_leader(status);
    if (!leader_done_) {
      leader_done_ = true;  // the sandbox ended without a report about its leader
      ended_ = now();
      drain_until_ = ended_ + kDrain;
    }
  }
}

void Supervisor::on_status() {
  while (child_.status >= 0) {
    Report report;
    const ssize_t n = ::read(child_.status, &report, sizeof report);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n != static_cast<ssize_t>(sizeof report)) {
      ::close(child_.status);
      child_.status = -1;
    } else if (report.fact == Fact::cgroup_failed) {
      cgroups_.drop(static_cast<unsigned>(report.value));
    } else if (report.fact >= Fact::used_user) {
      used_[static_cast<std::size_t>(report.fact) - static_cast<std::size_t>(Fact::used_user)] = report.value;
    } else if (report.fact != Fact::ended) {
      failure_ = report;
      start_failed_ = true;
    } else if (!start_failed_) {
      end_leader(report.value);
    }
  }
}

void Supervisor::end_leader(int wait_status) {
  if (has_status_) return;
  has_status_ = true;
  status_ = wait_status;
  leader_done_ = true;
  ended_ = now();
  drain_until_ = ended_ + kDrain;
}

bool Supervisor::drain(int fd, Log& log) {
  static std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    log.append({buffer.data(), static_cast<std::size_t>(n)});
    last_output_ = now();
    // A buffer each turn: a flood must not delay limits and signals.
    return true;
  }
}

void Supervisor::drain_or_close(int& fd, Log& log) {
  if (drain(fd, log)) return;
  ::close(fd);
  fd = -1;
}

}  // namespace shim
