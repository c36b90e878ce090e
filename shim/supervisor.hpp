// hydra-shim: one attempt from the fork to the last process: limits, the stop ladder, logs, the death of the
// whole tree. One thread, one poll loop, all times on the monotonic clock in milliseconds.
#pragma once

#include "disk.hpp"
#include "launch.hpp"
#include "logs.hpp"
#include "record.hpp"
#include "spec.hpp"
#include "stage2.hpp"

#include <array>
#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

class Supervisor {
 public:
  /// CHLD and TERM must be blocked already.
  Supervisor(std::string dir, const Spec& spec);
  Outcome run();

 private:
  enum class Stop { none, cancelled, timed_out, idle, oom, disk };

  bool prepare();
  /// The payload can't have run: why, and errno's words about it.
  const Outcome& not_started(const char* what);
  void loop();
  [[nodiscard]] bool finished() const;
  [[nodiscard]] int timeout() const;
  void on_time();
  void on_signals();
  void on_status();
  /// The container has come to the door: from now on its time runs.
  void on_door();
  /// Ends a container by its PID 1, and leaves the engine's own programs to clear up after it.
  void end_container();
  void finish_container();
  [[nodiscard]] bool stage2_gone() const;
  /// Runs the engine's own clearing up, where its client did not come to its end.
  void clear_up();
  void reap();
  /// Reads one pipe until it would block; false at its end.
  bool drain(int fd, Log& log);
  void drain_or_close(int& fd, Log& log);
  void beat();

  void begin_stop(Stop reason);
  void climb();
  void kill_all();
  /// Memory and number of the tree's processes against the limits.
  void sample();
  /// What the attempt's directories have grown by, against the limit.
  void look_at_disk();
  /// Ends the tree without a grace: it would be used to grow.
  void stop_growth(Stop reason);
  /// Every child is reaped.
  [[nodiscard]] bool alone();
  /// Until a signal has come, or for so long.
  void pause(int ms);
  /// Until alone(), at most so long.
  void wait_alone(std::int64_t ms);
  /// How thorough: nobody may be missed, or the next look comes in a moment.
  enum class Look { whole, again };
  [[nodiscard]] std::vector<pid_t> targets(Look look = Look::whole);
  void end_leader(int wait_status);
  void finish();
  void end_everything();
  void judge();
  void judge_end();
  void judge_start();
  [[nodiscard]] std::string wrapper_text() const;

  std::string dir_;
  const Spec& spec_;
  Outcome outcome_;
  Launched child_;
  Door door_;
  Cgroups cgroups_;
  DiskLimit disk_;
  RoomFloor room_;
  Log out_, err_;
  int signals_ = -1;
  int heartbeat_ = -1;
  pid_t stage2_ = 0;
  std::int64_t door_until_ = 0;  ///< when a container must have come; 0: nobody is waited for

  std::int64_t started_ = 0, last_output_ = 0, next_beat_ = 0;
  std::int64_t next_sample_ = 0;  ///< 0: no limit to watch
  Stop stop_ = Stop::none;
  std::size_t rung_ = 0;
  std::int64_t rung_until_ = 0;  ///< 0: no stop under way
  bool leader_done_ = false;
  bool has_status_ = false;  ///< the leader's own wait status is known
  int status_ = 0;
  std::int64_t ended_ = 0, drain_until_ = 0;
  std::array<std::int32_t, 3> used_{};  ///< of a container: as Fact::used_user and those after it
  Report failure_;                      ///< why the payload did not start
  bool start_failed_ = false;
  bool killed_ = false;
  bool client_killed_ = false;  ///< the engine's client could not clear up after its container
  std::int64_t give_up_ = 0;    ///< when a killed leader is waited for no longer; 0: none was killed
  bool gave_up_ = false;
};

}  // namespace shim
