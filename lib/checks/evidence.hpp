// checks: makes evidence from a job's end and its log.
#pragma once

#include "checks/report_file.hpp"
#include "config/ecosystem.hpp"
#include "exec/job.hpp"
#include "model/check.hpp"
#include "model/race_spec.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hydra::checks {

/// Upper limit of a linter's findings, and of the lines read for them, in evidence, which goes into an event.
/// Counts cover all findings.
inline constexpr std::size_t kMaxEvidenceFindings = 500;

/// Makes the evidence of one check. `output` is the kept part of the merged log; `output_cut`: its middle is
/// missing. `reports`: report files that the configuration names; `root`: the workspace's path as the check
/// saw it, removed from names, findings and messages.
model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut,
                                   const std::vector<ReportFile>& reports = {}, const std::string& root = {});

/// Returns the cause that a failed step's log gives. `kind`: the attempt's ("setup", "template", "warm", or a
/// dimension's name). `baseline`: uses the baseline's words, and tells whether no candidate can pass;
/// otherwise the candidate's words. The environment is not to blame if something in `found` worked.
/// `network`: the step had network access. `change`: returns a candidate's change as a patch.
std::optional<model::Advice> advice_of(std::string_view log, std::string_view kind,
                                       const config::EcosystemSet& tools, bool baseline,
                                       const model::CheckEvidence* found = nullptr, bool network = false,
                                       const std::function<std::string()>& change = {});
/// advice_of() for the kept parts of a log file.
std::optional<model::Advice> advice_of_log(const exec::fs::path& log, const exec::LogFacts& facts,
                                           std::string_view kind, const config::EcosystemSet& tools,
                                           bool baseline, bool network = false);

/// Returns whether evidence may be kept for later races: never for timeouts, signals and jobs that did not
/// start.
bool cacheable(const model::CheckSet& checks);

/// All inputs of the baseline's evidence as one text: tree, commands, set-up, environment, copied files,
/// isolation, and the identity of the programs in PATH directories. Reads the user's copied files.
/// `surroundings`: trees::describe_inputs() of the race, as text.
std::string baseline_key(const model::RaceSpec& spec, const std::string& surroundings);

/// Key of a cross run's evidence: `baseline` is the race's baseline_key(), `run` the run's further inputs.
std::string cross_key(const std::string& baseline, const std::string& run);

/// Key of "these checks can work in this repository": commands and workspace, not the base.
std::string works_key(const model::RaceSpec& spec);

}  // namespace hydra::checks
