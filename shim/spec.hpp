// hydra-shim: what one attempt is to do, as the executor wrote it into spec.json. The environment is not in
// it: the payload's environment is the shim's own, so that no secret is ever on disk or on a command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shim {

struct Rung {
  int signal = 15;
  std::int64_t wait_ms = 0;
};

/// One overlay file system, mounted for this attempt only.
struct Overlay {
  std::vector<std::string> lower;  ///< topmost first
  std::string upper, work, mount;
  bool renames = true;  ///< of directories of `lower`, as root
};

/// A control group that this attempt makes for itself, enters and removes.
struct Cgroup {
  std::string kind;  ///< "v2", "pids", "memory": which files it has
  std::string dir;
};

/// Of spec.json; any other version is refused.
constexpr int kSpecVersion = 1;

struct Spec {
  std::string key, token;
  std::vector<std::string> argv;     ///< complete: with isolation bwrap it starts with bwrap and its flags
  std::string program;               ///< what the user would call the payload, for messages
  std::string isolation;             ///< "none", "bwrap", "podman", "docker"
  bool wrapped = false;              ///< any but "none": the payload runs under our second stage
  bool contained = false;            ///< in a container: the second stage comes to our door
  std::vector<std::string> payload;  ///< of a container: what runs in it
  std::vector<std::string>
      wrapper_env;                    ///< NAME=VALUE: of who starts the container, instead of the payload's
  std::vector<std::string> clear_up;  ///< argv that removes what is left of the container
  std::string scratch_place;          ///< the attempt's directory on this node's own disk; empty: none
  std::string workdir;
  std::string stdin_file;  ///< empty: /dev/null
  std::int64_t wall_ms = 0, idle_ms = 0;
  std::vector<Rung> ladder;
  std::uint64_t log_head = 0, log_tail = 0;
  std::uint64_t memory_bytes = 0;
  int processes = 0;
  std::uint64_t disk_bytes = 0;         ///< 0: none
  std::vector<std::string> disk_paths;  ///< what grows there counts
  int free_percent = 0;                 ///< of each file system that stays free; 0: none
  std::uint64_t free_bytes = 0;         ///< the same in bytes, at least
  int nice = 0;
  std::vector<int> cpus;        ///< empty: all
  std::vector<Cgroup> cgroups;  ///< empty: limits are sampled
  std::vector<Overlay> overlays;
  bool overlay_user = false;                ///< mount them in a user namespace
  unsigned inside_uid = 0, inside_gid = 0;  ///< the ids that this process gets in it
  bool merge_output = false;
  bool durable = true;
  std::int64_t publish_ms = 120000;  ///< so long it waits for room for the result on a full disk
};

/// Reads `dir`/spec.json; false with a sentence in `problem`.
bool read_spec(const std::string& dir, Spec& spec, std::string& problem);

/// Makes the words of `dir`/environment this process's environment, and removes the file, before anything is
/// started. Words end with NUL.
bool take_environment_file(const std::string& dir);

}  // namespace shim
