// checks: from a job's end and its log to evidence.
#pragma once

#include "checks/report_file.hpp"
#include "config/ecosystem.hpp"
#include "exec/job.hpp"
#include "model/check.hpp"
#include "model/race_spec.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace hydra::checks {

/// Findings, and lines believed, of a linter that evidence keeps: it goes into an event. The counts are of
/// all.
inline constexpr std::size_t kMaxEvidenceFindings = 500;

/// Evidence of one check. `output` is the merged log's kept part; `output_cut` says that its middle is
/// missing. `reports` are what the check wrote and the configuration names; `root` is the workspace's path as
/// the check saw it, which is taken off names, findings and
/// messages.
model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut,
                                   const std::vector<ReportFile>& reports = {}, const std::string& root = {});

/// Where the runner's own reader counted and did not name (node:test), the names that its TAP has.
void name_tests(model::CheckEvidence& evidence, std::string_view output, const std::string& root);

/// What a failed step's log says about the cause. `kind`: that of the attempt ("setup", "template", "warm",
/// or the name of a dimension); `baseline`: the words for it, and whether no candidate can pass, else those
/// for a candidate. The environment is not to blame where something in `found` worked. `network`:
/// whether the step had it.
std::optional<model::Advice> advice_of(std::string_view log, std::string_view kind,
                                       const config::EcosystemSet& tools, bool baseline,
                                       const model::CheckEvidence* found = nullptr, bool network = false);
/// The same of a log file's kept parts.
std::optional<model::Advice> advice_of_log(const exec::fs::path& log, const exec::LogFacts& facts,
                                           std::string_view kind, const config::EcosystemSet& tools,
                                           bool baseline, bool network = false);

/// Whether evidence may be kept for later races: never for timeouts, signals and jobs that did not start.
bool cacheable(const model::CheckSet& checks);

/// Everything that the baseline's evidence depends on, as one text: tree, commands, set-up,
/// environment, copied files, isolation, and the identity of the programs in PATH directories. Reads the
/// user's copied files.
std::string baseline_key(const model::RaceSpec& spec);

/// Of the evidence of a cross run: `baseline` is the race's baseline_key(), `run` what the run depends on
/// beside it.
std::string cross_key(const std::string& baseline, const std::string& run);

/// What stands for "these checks can work in this repository": commands and workspace, not the base.
std::string works_key(const model::RaceSpec& spec);

}  // namespace hydra::checks
