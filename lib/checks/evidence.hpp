// checks: from a job's end and its log to evidence.
#pragma once

#include "exec/job.hpp"
#include "model/check.hpp"
#include "model/race_spec.hpp"

#include <string>
#include <string_view>

namespace hydra::checks {

/// Evidence of one check. `output` is the merged log's kept part; `output_cut` says that its middle is
/// missing.
model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut);

/// What the kept end of a failed job's log says about the cause. `stage`: "setup", or the name of a
/// dimension.
std::optional<model::Advice> advice_of(const exec::fs::path& log, const exec::LogFacts& facts,
                                       std::string_view stage);

/// Whether evidence may be kept for later races: never for timeouts, signals and jobs that did not start.
bool cacheable(const model::CheckSet& checks);

/// Everything that the baseline's evidence depends on, as one text (DESIGN 3): tree, commands, set-up,
/// environment, copied files, isolation, and the identity of the programs in PATH directories. Reads the
/// user's copied files.
std::string baseline_key(const model::RaceSpec& spec);

/// What stands for "these checks can work in this repository": commands and workspace, not the base.
std::string works_key(const model::RaceSpec& spec);

}  // namespace hydra::checks
