// exec: jobs. Every agent run, set-up command and check is one attempt with a directory, run under
// hydra-shim. Placement (where) is independent of isolation (in what): isolation only rewrites argv.
#pragma once

#include "model/agent_run.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::exec {

namespace fs = std::filesystem;
using Env = std::vector<std::pair<std::string, std::string>>;

using model::Isolation;  // never `undecided` here

struct Bind {
  fs::path host;    ///< absolute path outside
  fs::path inside;  ///< absolute path inside
  bool writable = false;
  bool optional = false;  ///< missing `host` is no error
};

/// An overlay mounted for one job only, in the job's mount namespace, before its sandbox is made: nothing has
/// to be unmounted, even after a SIGKILL. The kernel leaves a second mount of one `upper` undefined, so a job
/// whose `upper` is in use by another job or a LayerWriter fails to start.
struct OverlayMount {
  std::vector<fs::path> lower;  ///< topmost first, at least one, at most 100; never written
  fs::path upper, work;         ///< writable layer and its scratch directory, on one file system
  /// existing host directory to mount on, visible to this job only; `binds` may name it or paths below as
  /// host
  fs::path mount;
  /// True: root can rename directories of `lower`, and `upper` then has marks with their former places.
  /// False: rename(2) fails with EXDEV for all users, and readers of `upper` find every file at its path.
  bool renames = true;
};

/// Mounter of overlays. `root`: CAP_SYS_ADMIN of the machine; directories of `lower` can be renamed. `user`:
/// in a user namespace, where rename(2) of a directory of `lower` fails with EXDEV. An `upper` written in one
/// mode must not be mounted in the other: the marks have other names.
enum class OverlayAs { automatic, root, user };

/// The payload's view of the file system, for all isolations but `none`. A container's root is the image's.
/// Order inside: root read-only, /dev, /proc, private /tmp, /run and home, then `binds` in their order.
struct Sandbox {
  Isolation isolation = Isolation::none;
  std::string image{};  ///< container image: an id that the engine has
  bool network = true;
  /// port of 127.0.0.1 that leads to the same port of a sandbox without a network; 0: none
  int gate = 0;
  fs::path home;                       ///< the user's $HOME: replaced by `private_home`
  fs::path private_home;               ///< host directory bound there, writable; empty: an empty tmpfs
  std::vector<Bind> binds;             ///< workspace, objects, tools, caches; applied after the tmpfs lines
  std::vector<OverlayMount> overlays;  ///< mounted in their order before everything else
  OverlayAs overlay_as = OverlayAs::automatic;  ///< automatic: root if this process may, otherwise user
  /// Entries of the host's root, with link targets: "/" is then a directory of the job, in which binds may be
  /// at places that the host lacks ("/app"). Empty: "/" is the host's. Set by resolve_targets().
  std::vector<std::pair<fs::path, fs::path>> root_entries;
};

struct StopRung {
  int signal = 15;
  std::chrono::milliseconds wait{5000};  ///< until the next rung
};

struct Limits {
  std::chrono::milliseconds wall{0};  ///< 0: none
  std::chrono::milliseconds idle{0};  ///< time without output that ends the job; 0: none
  std::vector<StopRung> ladder{{15, std::chrono::milliseconds{10000}}};  ///< KILL always follows
  std::uint64_t log_head = 1u << 20;                                     ///< bytes kept of each log's begin
  std::uint64_t log_tail = 4u << 20;                                     ///< bytes kept of each log's end
  std::uint64_t memory_bytes = 0;                                        ///< 0: none
  int processes = 0;             ///< 0: none; a control group also stops at eight times as many threads
  std::uint64_t disk_bytes = 0;  ///< total growth allowed for `disk_paths`; 0: none
  /// host directories; /tmp, /run and an empty home of a sandbox are each bounded by `disk_bytes` too
  std::vector<fs::path> disk_paths;
  /// Percentage of space and inodes to keep free on each file system that the job writes to: with less left,
  /// the job is ended (End::no_room) if it used the space. At least `free_bytes`; both 0: no floor.
  int free_percent = 0;
  std::uint64_t free_bytes = 0;
  int nice = 0;           ///< added to the payload's niceness, which is 5 above the shim's
  std::vector<int> cpus;  ///< CPUs that the payload may use; empty: all
  /// patience of the shim for room for result.json on a full disk, after all processes of the attempt ended
  std::chrono::milliseconds publish{120000};
};

/// Request to a cluster.
struct ClusterRequest {
  std::vector<std::string> options;  ///< of sbatch, as "--partition=main"; those of Hydra come before
  int window = 0;                    ///< jobs in flight, of all races; 0: unchanged
  fs::path
      scratch{};  ///< directory on each node's own disk, for the trees of sandboxed jobs; empty: trees stay
};

struct JobSpec {
  std::string key;    ///< "RACE/SUBJECT/KIND/NUMBER": the idempotency key, [A-Za-z0-9@._/-]
  std::string token;  ///< random per attempt: the fence against late results of older attempts
  std::vector<std::string> argv;
  Env env;           ///< the payload's whole environment; may hold secrets: never written to disk or argv
  fs::path workdir;  ///< as seen by the payload
  std::optional<fs::path> stdin_file;  ///< host path, opened by the shim; absent: /dev/null
  Limits limits;
  Sandbox sandbox;
  fs::path attempt_dir;                     ///< host path; made by submit
  std::optional<ClusterRequest> cluster{};  ///< absent: this machine
  fs::path tree{};            ///< host directory copied to the node's `scratch` and back; empty: none
  bool merge_output = false;  ///< true: standard error goes into stdout.log too, in the order of arrival
  bool with_daemon = false;   ///< true: ends when this process ends, also when killed; this machine only
  bool durable = true;        ///< true: fsync started.json and result.json (agents); checks can be repeated
};

/// `exited` has `code`; for start_failed `message` gives the cause.
using End = model::JobEnd;

/// A log whose middle may be missing: offsets never change.
struct LogFacts {
  std::uint64_t total = 0;  ///< bytes that the payload wrote
  std::uint64_t hole_from =
      0;  ///< [hole_from, hole_to) was dropped and reads as zeros; equal: nothing dropped
  std::uint64_t hole_to = 0;
};

struct JobResult {
  std::string key, token;
  End end = End::lost;
  int code = 0;    ///< exit code where `end` is exited, or the code seen after a stop
  int signal = 0;  ///< signal that ended the leader; 0: none
  std::int64_t wall_ms = 0, cpu_user_ms = 0, cpu_system_ms = 0;
  std::uint64_t max_rss_kib = 0;
  int leaked = 0;                   ///< processes left when the leader ended; all were killed
  bool survivors_possible = false;  ///< isolation none: swept, not guaranteed
  LogFacts out, err;
  Isolation isolation = Isolation::none;
  std::string message;
};

/// Returns the kept parts of a log (head, then tail), without the hole. `cut`: whether a part is missing.
std::string read_log(const fs::path& log, const LogFacts& facts, bool* cut = nullptr);

}  // namespace hydra::exec
