// hydra-shim: one attempt from the fork to its last process: limits, the stop ladder, logs, and the end of
// the whole process tree. One thread, one poll loop, all times on the monotonic clock in milliseconds.
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
  enum class Stop { none, cancelled, timed_out, idle, oom, disk, no_room };

  bool prepare();
  /// Records that the payload can't have run: cause and errno's text.
  const Outcome& not_started(const char* what);
  void loop();
  [[nodiscard]] bool finished() const;
  [[nodiscard]] int timeout() const;
  void on_time();
  void on_signals();
  void on_status();
  /// The container has connected to the door: its time limits start.
  void on_door();
  /// Ends a container through its PID 1; the engine's own programs clean up afterwards.
  void end_container();
  void finish_container();
  [[nodiscard]] bool stage2_gone() const;
  /// Runs the engine's clean-up when the engine's client did not finish.
  void clear_up();
  void reap();
  /// Reads a pipe until it would block; false: end of file.
  bool drain(int fd, Log& log);
  void drain_or_close(int& fd, Log& log);
  void beat();

  void begin_stop(Stop reason);
  void climb();
  void kill_all();
  /// Compares memory and number of the tree's processes with the limits.
  void sample();
  /// Compares the growth of the attempt's directories with the limit.
  void look_at_disk();
  /// Stops the processes and the clocks while the disk has no room, for ten minutes at most; the heartbeat's
  /// size tells the daemon, as it needs no room.
  void hold_or_go_on();
  /// Ends the tree without grace, in which it would grow further.
  void stop_growth(Stop reason);
  /// Returns whether all children are reaped.
  [[nodiscard]] bool alone();
  /// Waits for a signal, at most `ms`.
  void pause(int ms);
  /// Waits until alone(), at most `ms`.
  void wait_alone(std::int64_t ms);
  /// Thoroughness of a look: `whole` misses no process, `again` is repeated soon.
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
  std::int64_t door_until_ = 0;  ///< deadline for a container to connect; 0: none expected

  std::int64_t started_ = 0, last_output_ = 0, next_beat_ = 0;
  std::int64_t next_sample_ = 0;  ///< 0: no limit to sample
  std::int64_t held_since_ = 0;   ///< 0: the processes run
  Stop stop_ = Stop::none;
  std::size_t rung_ = 0;
  std::int64_t rung_until_ = 0;  ///< 0: no stop in progress
  bool leader_done_ = false;
  bool has_status_ = false;  ///< the leader's own wait status is known
  int status_ = 0;
  std::int64_t ended_ = 0, drain_until_ = 0;
  std::array<std::int32_t, 3> used_{};  ///< container: Fact::used_user and the two following facts
  Report failure_;                      ///< cause of a failed start
  bool start_failed_ = false;
  bool killed_ = false;
  bool client_killed_ = false;  ///< the engine's client could not clean up its container
  std::int64_t give_up_ = 0;    ///< end of the wait for a killed leader; 0: none was killed
  bool gave_up_ = false;
};

}  // namespace shim
