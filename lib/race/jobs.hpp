// race: from a race's frozen specification to the jobs that the executor runs.
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

/// Names of the user's environment that every payload gets, as far as they are set. None of them is a secret.
bool is_plain_variable(const std::string& name);

/// Token of an attempt: derived from the race's random token, so that a restarted daemon knows it again.
std::string attempt_token(const model::RaceSpec& spec, const std::string& key);

/// How an agent's stream is read: the model that was asked for, and what tokens cost.
/// The session that Hydra names on the agent's command line ({session_uuid}); empty: its CLI chooses one.
/// `key`: of the attempt.
std::string own_session(const model::RaceSpec& spec, const AgentState& agent, const std::string& key);

adapters::ReaderOptions reader_options(const model::RaceSpec& spec, const AgentState& agent);

/// What Slurm is asked for, for each job of a race.
exec::ClusterRequest cluster_request(const model::ExecutionConfig& execution);

/// The job of an agent's attempt. `not_found` when its program is not installed.
Result<exec::JobSpec> agent_job(const model::RaceSpec& spec, const AgentState& agent, int number,
                                const Layout& layout, const SecretEnv& secrets);

/// The job of a check ("build", "tests", "lint") or of the set-up ("setup") in a check workspace.
exec::JobSpec check_job(const model::RaceSpec& spec, const std::string& subject, const std::string& kind,
                        const std::string& command, int number, const trees::Workspace& workspace,
                        const Layout& layout, bool agents_alive, const config::EcosystemSet& tools);

/// The layer of the home that this job writes, outside; empty where the home is no overlay.
fs::path home_layer(const trees::Workspace& workspace, const std::string& kind, int number);

/// Directories of $PATH that the sandbox's private home, /tmp and /run would hide, each with the root that it
/// belongs to (~/.nvm/versions/node/v20/bin needs its lib), read-only. Never one in which the home or the
/// user's checkout lies.
std::vector<exec::Bind> hidden_tools(const std::string& path_variable, const fs::path& home,
                                     const fs::path& repository);

/// Lays an empty directory over where the user keeps the hidden tests, after everything else that is bound.
Result<void> hide_source(exec::JobSpec& job, const fs::path& source, const fs::path& hidden);

/// What no job may see: Hydra's state, and the directory of its socket with all that the user's session keeps
/// beside it ($XDG_RUNTIME_DIR: buses, agents of keys), the user's own configuration, and what [sandbox] hide
/// names.
std::vector<fs::path> hidden_places(const Paths& paths, const model::RaceSpec& spec);
/// The same for an agent, and the user's objects and refs: other branches and earlier races are in them.
std::vector<fs::path> hidden_from_agents(const Paths& paths, const model::RaceSpec& spec);

/// Lays an empty directory (an empty file over a file) over each of `own` that the job would see otherwise:
/// whoever reaches the socket is the user. `hidden` is where the empty directories are made.
Result<void> hide_own(exec::JobSpec& job, const std::vector<fs::path>& own, const fs::path& hidden);

}  // namespace hydra::race
