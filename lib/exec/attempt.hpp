// exec: the files of an attempt directory: input for the shim, and the shim's output. All output is checked
// against the token; a torn file, or another attempt's, counts as missing.
#pragma once

#include "base/result.hpp"
#include "exec/bwrap.hpp"
#include "exec/cgroup.hpp"
#include "exec/job.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::exec {

/// Version of spec.json. Files of an attempt only ever gain fields, so that a new daemon reads an old shim's
/// files. A shim refuses a spec that is newer than the shim.
constexpr int kSpecVersion = 1;

/// Writes spec.json. `argv` is the complete command; the environment is omitted, since it may hold secrets.
/// `host` gives the ids that overlays are mounted with.
Result<void> write_spec(const JobSpec& spec, const std::vector<std::string>& argv, const BwrapHost& host,
                        const std::vector<CgroupParent>& cgroups = {});

/// Control groups that spec.json in `dir` names, if their names contain `token`. The daemon that started the
/// attempt chose them and may have had other groups than this one.
std::vector<fs::path> attempt_groups(const fs::path& dir, const std::string& token);

/// Returns whether this process has CAP_SYS_ADMIN in the machine's initial user namespace: it can mount
/// without a new user namespace, and may set trusted attributes.
bool may_mount();

struct Started {
  int pid = 0;
  std::uint64_t start_time = 0;  ///< field 22 of /proc/PID/stat
  std::string boot_id;
  std::string token;
};

enum class FileState { absent, torn, foreign, good };

/// Reads started.json of `dir`; `foreign`: the file belongs to another token.
FileState read_started(const fs::path& dir, const std::string& token, Started& started);
/// Reads result.json of `dir`; states as for read_started().
FileState read_result(const fs::path& dir, const JobSpec& spec, JobResult& result);
/// Exit code of the attempt in `dir`; absent: not ended, or ended otherwise.
std::optional<int> exit_code_in(const fs::path& dir);

/// Returns ": the disk of DIR is full", to end a sentence with, when the file system of `dir` is full at this
/// moment; otherwise empty.
std::string full_disk(const fs::path& dir);

/// Time of the supervisor's last sign of life, by an unspecified clock: only changes are meaningful. 0:
/// never.
std::int64_t last_beat(const fs::path& dir);
/// Whether the supervisor holds the attempt's processes until their disk has room (shim/supervisor.hpp).
bool is_held(const fs::path& dir);

/// Returns whether exactly that process still runs: equal boot, pid and start time, and no zombie.
bool is_alive(const Started& started);

/// Kills every process but this one that has HYDRA_ATTEMPT=`token` in its initial environment; returns the
/// number.
int sweep_cookie(const std::string& token);

}  // namespace hydra::exec
