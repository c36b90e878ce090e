// race: from what an attempt of an agent left (log, side file, result of its job) to its verdict. Blocking:
// it reads files.
#pragma once

#include "adapters/adapters.hpp"
#include "exec/job.hpp"
#include "model/event.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace hydra::race {

/// Longer side files are not read.
constexpr std::size_t kUsageFileBytes = 64u << 20;

struct Attempt {
  model::AgentDescriptor descriptor;
  adapters::ReaderOptions options;
  exec::JobResult result;
  exec::fs::path directory;      ///< of the attempt
  exec::fs::path run_dir, home;  ///< where its usage file may be
  std::string session;           ///< that it went on with: what it has when its stream names none
  std::optional<model::StopRequested> stop;
  bool cancelled = false;  ///< by the user: that counts before a stop of Hydra's own
};

struct Judged {
  model::Verdict verdict;
  bool denied = false;
};

Judged read_and_judge(const Attempt& attempt);

/// What the machine did for it.
model::JobFacts job_facts(const exec::JobResult& result);

}  // namespace hydra::race
