// exec: jobs. Every agent run, set-up command and check is one attempt with a directory, run under hydra-shim
// . Placement (where) is apart from isolation (in what): isolation only rewrites argv.
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

using model::Isolation;  // decided here: never `undecided`

struct Bind {
  fs::path host;    ///< absolute path outside
  fs::path inside;  ///< absolute path inside
  bool writable = false;
  bool optional = false;  ///< missing `host` is no error
};

/// An overlay that is mounted for one job only, in the job's own mount namespace, before its sandbox is made:
/// nothing has to be unmounted, also after a SIGKILL. One job at a time: the kernel calls a second mount of
/// one `upper` undefined, so a job whose `upper` is in use by another one (or by a LayerWriter) fails to
/// start.
struct OverlayMount {
  std::vector<fs::path> lower;  ///< topmost first, at least one, at most 100; never written
  fs::path upper, work;         ///< writable layer and its scratch directory, on one file system
  fs::path mount;  ///< existing host directory on which it stands, seen by this job only; `binds` may name it
                   ///< or paths below it as host
  /// Whether root can rename directories of `lower`: `upper` then holds marks that say where they were. Else
  /// rename(2) fails with EXDEV for everybody, and who reads `upper` finds every file where it stands.
  bool renames = true;
};

/// Who mounts overlays. `root`: CAP_SYS_ADMIN of the machine; directories of `lower` can be renamed. `user`:
/// in a user namespace; rename(2) of a directory of `lower` fails with EXDEV there. An `upper` made in one
/// way must not be mounted in the other: the marks in it have other names.
enum class OverlayAs { automatic, root, user };

/// What the payload may see, for all but Isolation::none. In a container the root is the image's. Order
/// inside: root read-only, /dev, /proc, private /tmp, /run and home, then `binds` in their order.
struct Sandbox {
  Isolation isolation = Isolation::none;
  std::string image{};  ///< of a container: an id that the engine has
  bool network = true;
  fs::path home;                       ///< the user's $HOME: replaced by `private_home`
  fs::path private_home;               ///< host directory bound there, writable; empty: an empty tmpfs
  std::vector<Bind> binds;             ///< workspace, objects, tools, caches; applied after the tmpfs lines
  std::vector<OverlayMount> overlays;  ///< made in their order before everything else
  OverlayAs overlay_as = OverlayAs::automatic;  ///< automatic: as root where this process may, else as user
  /// Each entry of the host's root, and where it leads to if it is a link: then "/" is a directory of the
  /// job's own that shows them, so that a bind may stand at a place which the host has not ("/app"). Empty:
  /// "/" is the host's. Set by resolve_targets().
  std::vector<std::pair<fs::path, fs::path>> root_entries;
};

struct StopRung {
  int signal = 15;
  std::chrono::milliseconds wait{5000};  ///< until the next rung
};

struct Limits {
  std::chrono::milliseconds wall{0};  ///< 0: none
  std::chrono::milliseconds idle{0};  ///< no output for so long ends it; 0: none
  std::vector<StopRung> ladder{{15, std::chrono::milliseconds{10000}}};  ///< then KILL, always
  std::uint64_t log_head = 1u << 20;                                     ///< bytes kept of each log's begin
  std::uint64_t log_tail = 4u << 20;                                     ///< bytes kept of its end
  std::uint64_t memory_bytes = 0;                                        ///< 0: none
  int processes = 0;                 ///< 0: none; a control group also stops at eight times as many threads
  std::uint64_t disk_bytes = 0;      ///< by which `disk_paths` may grow together; 0: none
  std::vector<fs::path> disk_paths;  ///< host directories; what a sandbox has as /tmp, /run and an empty
                                     ///< home is bounded by the same number, each for itself
  /// Of each file system that the job writes to, and of its inodes: when less is left, and the job took it,
  /// it is ended (End::disk). `free_bytes` at least; both 0: no floor.
  int free_percent = 0;
  std::uint64_t free_bytes = 0;
  int nice = 0;           ///< added to the payload's niceness, which is 5 above the shim's
  std::vector<int> cpus;  ///< numbers of the CPUs that the payload may use; empty: all
  std::chrono::milliseconds publish{120000};  ///< so long the shim waits for room for result.json on a full
                                              ///< disk, after everything of the attempt is dead
};

/// What a cluster is asked for; empty and 0: its own defaults.
struct ClusterRequest {
  std::string partition, account, gres;
  int time_minutes = 0;  ///< 0: what the job's own wall limit comes to
  int memory_mib = 0;
  int cpus = 1;
  int window = 0;  ///< jobs in flight, of all races; 0: as it is
  fs::path
      scratch{};  ///< on each node's own disk, for trees of sandboxed jobs; empty: they stay where they are
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
  std::optional<ClusterRequest> cluster{};  ///< absent: on this machine
  fs::path tree{};  ///< host directory that goes to the node's `scratch` and comes back; empty: none does
  bool merge_output = false;  ///< standard error goes into stdout.log too, in the order of arrival
  bool durable = true;        ///< fsync started.json and result.json (agents); checks can be repeated
};

/// `exited` with `code`; where it is start_failed, `message` says why.
using End = model::JobEnd;

/// A log of which the middle may be missing: offsets never change.
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

/// The kept parts of a log (head, then tail), never the hole. `cut` receives whether something is missing.
std::string read_log(const fs::path& log, const LogFacts& facts, bool* cut = nullptr);

}  // namespace hydra::exec
