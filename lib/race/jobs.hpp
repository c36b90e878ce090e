// race: turns a race's frozen specification into jobs for the executor.
#pragma once

#include "adapters/adapters.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"
#include "config/ecosystem.hpp"
#include "exec/job.hpp"
#include "race/agents/agent_files.hpp"
#include "race/layout.hpp"
#include "race/state/agent_state.hpp"
#include "trees/workspace.hpp"

#include <map>
#include <string>
#include <vector>

namespace hydra::race {

/// Returns an attempt's token, derived from the race's random token, so that a restarted daemon can compute
/// it.
std::string attempt_token(const model::RaceSpec& spec, const std::string& key);

/// Returns the session id that Hydra passes to the agent ({session_uuid}); empty: the CLI chooses one. `key`:
/// of the attempt.
std::string own_session(const model::RaceSpec& spec, const AgentState& agent, const std::string& key);

/// Returns the options of an agent's stream reader: the requested model, and prices of tokens.
adapters::ReaderOptions reader_options(const model::RaceSpec& spec, const AgentState& agent);

/// Returns the resources that each job of a race requests from Slurm.
exec::ClusterRequest cluster_request(const model::ExecutionConfig& execution);

/// Returns the job of an agent's attempt; `not_found` if its program is not installed.
Result<exec::JobSpec> agent_job(const model::RaceSpec& spec, const AgentState& agent, int number,
                                const Layout& layout, const SecretEnv& secrets);

/// Returns the job of a check ("build", "tests", "lint") or of the set-up ("setup") in a check workspace.
exec::JobSpec check_job(const model::RaceSpec& spec, const model::Subject& subject, const std::string& kind,
                        const std::string& command, int number, const trees::Workspace& workspace,
                        const Layout& layout, bool agents_alive, const config::EcosystemSet& tools);

/// Returns the host path of the home's layer that this job writes; empty: the home is not an overlay.
fs::path home_layer(const trees::Workspace& workspace, const std::string& kind, int number);

/// Covers the user's hidden tests with an empty directory, after all other binds.
Result<void> hide_source(exec::JobSpec& job, const fs::path& source, const fs::path& hidden);

/// Returns paths hidden from every job: Hydra's state, the directory of its socket with all else that the
/// session keeps there ($XDG_RUNTIME_DIR: buses, key agents), the user's configuration, [sandbox] hide.
std::vector<fs::path> hidden_places(const Paths& paths, const model::RaceSpec& spec);
/// Returns hidden_places() plus the user's objects and refs, which contain other branches and earlier races.
std::vector<fs::path> hidden_from_agents(const Paths& paths, const model::RaceSpec& spec);

/// Covers each visible path of `own` with an empty directory or file, since access to the socket is access as
/// the user. `hidden`: place for the empty directories.
Result<void> hide_own(exec::JobSpec& job, const std::vector<fs::path>& own, const fs::path& hidden);

}  // namespace hydra::race
