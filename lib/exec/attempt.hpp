// exec: the attempt directory as files: what the executor writes for the shim, and what it reads back.
// Everything read is checked against the token; a file that is torn or another attempt's is no fact.
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

/// Of spec.json; the files of an attempt only ever get new fields, so that a new daemon reads what an old
/// shim wrote. A shim refuses a spec that is newer than it.
constexpr int kSpecVersion = 1;

/// spec.json; `argv` is the complete command, the environment is left out on purpose. `host` gives the ids
/// that overlays are mounted with.
Result<void> write_spec(const JobSpec& spec, const std::vector<std::string>& argv, const BwrapHost& host,
                        const std::vector<CgroupParent>& cgroups = {});

/// The control groups that spec.json in `dir` names, as far as they bear the name of `token`: those of the
/// daemon that started the attempt, which may have had other ones than this.
std::vector<fs::path> attempt_groups(const fs::path& dir, const std::string& token);

/// Whether this process has CAP_SYS_ADMIN in the machine's own user namespace: it can mount without one of
/// its own, and may set trusted attributes.
bool may_mount();

struct Started {
  int pid = 0;
  std::uint64_t start_time = 0;  ///< field 22 of /proc/PID/stat
  std::string boot_id;
  std::string token;
};

enum class FileState { absent, torn, foreign, good };

/// started.json of `dir`; `foreign` when it belongs to another token.
FileState read_started(const fs::path& dir, const std::string& token, Started& started);
/// result.json of `dir`, as above.
FileState read_result(const fs::path& dir, const JobSpec& spec, JobResult& result);
/// With which exit code the attempt of `dir` ended; absent: in no such way, or not yet.
std::optional<int> exit_code_in(const fs::path& dir);

/// Whether the file system of `dir` is full, at this moment: ": the disk of DIR is full", to end a sentence
/// with; else empty.
std::string full_disk(const fs::path& dir);

/// When the supervisor gave a sign of life last, by whatever clock: only changes are to be believed. 0:
/// never.
std::int64_t last_beat(const fs::path& dir);

/// Whether that very process still runs: same boot, same pid, same start time, and no zombie.
bool is_alive(const Started& started);

/// Kills every process but this one that has HYDRA_ATTEMPT=`token` in its first environment; how many.
int sweep_cookie(const std::string& token);

}  // namespace hydra::exec
