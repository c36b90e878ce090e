// hydra-shim: the specification of one attempt, which the executor writes into spec.json. The environment is
// not part of it: the payload gets the shim's environment, so that no secret is ever on disk or on a command
// line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shim {

struct Rung {
  int signal = 15;
  std::int64_t wait_ms = 0;
};

/// An overlay file system, mounted for this attempt only.
struct Overlay {
  std::vector<std::string> lower;  ///< topmost first
  std::string upper, work, mount;
  bool renames = true;  ///< true: root can rename directories of `lower`
};

/// A control group that this attempt makes, enters and removes.
struct Cgroup {
  std::string kind;  ///< "v2", "pids", "memory": decides which files the group has
  std::string dir;
};

/// Version of spec.json; any other version is refused.
constexpr int kSpecVersion = 1;

struct Spec {
  std::string key, token;
  /// complete command: with isolation bwrap it starts with bwrap and its flags
  std::vector<std::string> argv;
  std::string program;               ///< payload's name as the user knows it, for messages
  std::string isolation;             ///< "none", "bwrap", "podman", "docker"
  bool wrapped = false;              ///< any isolation but "none": the payload runs under our second stage
  bool contained = false;            ///< container: the second stage connects to our door
  std::vector<std::string> payload;  ///< command that runs in a container
  std::vector<std::string>
      wrapper_env;  ///< NAME=VALUE: environment of the program that starts the container, not the payload's
  std::vector<std::string> clear_up;  ///< argv that removes remains of the container
  std::string scratch_place;          ///< the attempt's directory on this node's own disk; empty: none
  std::string workdir;
  std::string stdin_file;  ///< empty: /dev/null
  std::int64_t wall_ms = 0, idle_ms = 0;
  std::vector<Rung> ladder;
  std::uint64_t log_head = 0, log_tail = 0;
  std::uint64_t memory_bytes = 0;
  int processes = 0;
  std::uint64_t disk_bytes = 0;         ///< 0: none
  std::vector<std::string> disk_paths;  ///< directories whose growth counts
  int free_percent = 0;                 ///< percentage of each file system that must stay free; 0: none
  std::uint64_t free_bytes = 0;         ///< bytes of each file system that must stay free, at least
  int nice = 0;
  std::vector<int> cpus;        ///< empty: all
  std::vector<Cgroup> cgroups;  ///< empty: limits are sampled
  std::vector<Overlay> overlays;
  bool overlay_user = false;                ///< mount them in a user namespace
  unsigned inside_uid = 0, inside_gid = 0;  ///< ids of this process in the user namespace
  bool merge_output = false;
  bool durable = true;
  int gate = 0;                      ///< see gate.hpp; 0: none
  int daemon = 0;                    ///< process with whose end this attempt ends; 0: outlives its starter
  std::int64_t publish_ms = 120000;  ///< patience for room for the result on a full disk
};

/// Reads `dir`/spec.json; false with a sentence in `problem`.
bool read_spec(const std::string& dir, Spec& spec, std::string& problem);

/// Sets this process's environment to the NUL-terminated words of `dir`/environment, and removes the file
/// before any program starts.
bool take_environment_file(const std::string& dir);

}  // namespace shim
