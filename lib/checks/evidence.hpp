// checks: from a job's end and its log to evidence.
#pragma once

#include "exec/job.hpp"
#include "model/check.hpp"
#include "model/race_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Evidence of one check. `output` is the merged log's kept part; `output_cut` says that its middle is
/// missing. `roots` are the paths under which tools saw or named the workspace: taken off names, findings and
/// messages. A run that used the build directory of another path counts for nothing (toolchains reference,
/// section 7).
model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut,
                                   const std::vector<std::string>& roots = {});

/// What the kept end of a failed job's log says about the cause. `stage`: "setup", or the name of a
/// dimension. `evidence`: what the job came to, absent for set-ups; the advice is about the environment only
/// where nothing in it worked. `baseline`: no candidate's change can be the cause.
std::optional<model::Advice> advice_of(const exec::fs::path& log, const exec::LogFacts& facts,
                                       std::string_view stage, const model::Config& config, bool baseline,
                                       const model::CheckEvidence* evidence = nullptr);

/// Whether evidence may be kept for later races: never for timeouts, signals and jobs that did not start.
bool cacheable(const model::CheckSet& checks);

/// Everything that the baseline's evidence depends on, as one text (DESIGN 3): tree, commands, set-up,
/// environment, copied files, isolation, and the identity of the programs in PATH directories. Reads the
/// user's copied files.
std::string baseline_key(const model::RaceSpec& spec);

/// What stands for "these checks can work in this repository": commands and workspace, not the base.
std::string works_key(const model::RaceSpec& spec);

}  // namespace hydra::checks
