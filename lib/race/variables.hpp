// race: which variables of the user's environment reach set-up, checks and agents. Values of secret variables
// are kept in memory only.
#pragma once

#include "exec/job.hpp"
#include "model/race_spec.hpp"
#include "race/agents/agent_files.hpp"

#include <map>
#include <string>
#include <string_view>

namespace hydra::race {

/// Returns whether every payload gets this variable. No such variable is secret.
bool is_plain_variable(std::string_view name);
/// Returns whether payloads with a network get this variable: proxies, and files of certificates.
bool is_network_variable(std::string_view name);

/// Returns whether the variable names a file or directory of certificates, which payloads must be able to
/// read.
bool names_certificates(std::string_view name);

/// Splits the user's environment into spec.environment, which is stored, and the rest, which is not:
/// spec.secret_names has its names. PATH keeps absolute directories only, since others would be looked up in
/// trees that agents wrote.
void take_environment(const std::map<std::string, std::string>& user, model::RaceSpec& spec,
                      SecretEnv& secrets);

/// Sets the variables of [workspace] env and env_pass for a job, and those of a network if the job has one.
void pass_variables(const model::RaceSpec& spec, const SecretEnv& secrets, exec::JobSpec& job);

}  // namespace hydra::race
