// race: from what an attempt of an agent left (log, side file, result of its job) to its verdict. Blocking:
// it reads files.
#pragma once

#include "adapters/adapters.hpp"
#include "exec/job.hpp"
#include "model/event.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace hydra::race {

/// Longer side files are not read.
constexpr std::size_t kUsageFileBytes = 64u << 20;
constexpr std::uint64_t kUsageLogBytes = 1u << 30;  ///< so much of a usage log is read at a run's end

struct Attempt {
  model::AgentDescriptor descriptor;
  adapters::ReaderOptions options;
  exec::JobResult result;
  exec::fs::path directory;      ///< of the attempt
  exec::fs::path run_dir, home;  ///< where its usage file may be
  std::string session;           ///< that it went on with: what it has when its stream names none
  std::optional<model::StopRequested> stop;
  bool cancelled = false;      ///< by the user: that counts before a stop of Hydra's own
  std::int64_t silent_ms = 0;  ///< without progress at its end, as far as was looked
  std::string own_session;     ///< that Hydra gave it on its command line; counts once it has begun
  /// What read the log while the agent ran, and how far; null where it had not seen all before that. The
  /// middle of a long log is gone at the end.
  std::shared_ptr<adapters::StreamReader> live;
  std::uint64_t live_offset = 0;
};

struct Judged {
  model::Verdict verdict;
  bool incomplete = false;  ///< what it used stood in a part of its log that is gone
};

Judged read_and_judge(const Attempt& attempt);

/// What the machine did for it.
model::JobFacts job_facts(const exec::JobResult& result);

}  // namespace hydra::race
