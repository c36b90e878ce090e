// race: derives a verdict from an agent attempt's log, side file and job result. Blocking: reads files.
#pragma once

#include "adapters/adapters.hpp"
#include "exec/job.hpp"
#include "model/event.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace hydra::race {

/// Larger side files are not read.
constexpr std::size_t kUsageFileBytes = 64u << 20;
constexpr std::uint64_t kUsageLogBytes = 1u << 30;  ///< bytes of a usage log that are read at a run's end

struct Attempt {
  model::AgentDescriptor descriptor;
  adapters::ReaderOptions options;
  exec::JobResult result;
  exec::fs::path directory;      ///< directory of the attempt
  exec::fs::path run_dir, home;  ///< directories that may contain its usage file
  std::string session;           ///< session that the run resumed; used if the stream names none
  std::optional<model::StopRequested> stop;
  bool cancelled = false;      ///< cancelled by the user, which precedes a stop by Hydra
  std::int64_t silent_ms = 0;  ///< time without progress before the end, as far as observed
  std::string own_session;     ///< session id from Hydra's command line; valid once the session has begun
  /// The reader that followed the log during the run, and its offset; null if it missed a part, since the
  /// middle of a long log is gone at the end.
  std::shared_ptr<adapters::StreamReader> live;
  std::uint64_t live_offset = 0;
};

struct Judged {
  model::Verdict verdict;
  bool incomplete = false;  ///< usage was in a part of the log that is gone
};

Judged read_and_judge(const Attempt& attempt);

/// Returns the job's resource facts.
model::JobFacts job_facts(const exec::JobResult& result);

}  // namespace hydra::race
