// cli: what to say of an installed or missing agent: notes below its line, and its row among the doctor's
// checks.
#pragma once

#include "cli/render/views.hpp"
#include "model/agent_descriptor.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli {

/// For the answer about all agents: each of them may take a minute on a busy machine.
inline constexpr std::chrono::minutes kProbingTime{10};

/// What the descriptor knows beside what the probe found: a version that was never tried, how to sign in,
/// models. `descriptor` may be null.
std::vector<std::string> agent_notes(const wire::AgentInfo& agent, const model::AgentDescriptor* descriptor);

/// "agent claude": ok, or warn with the reason and the remedy. Agents that nobody installed are no fault.
wire::DoctorCheck agent_check(const wire::AgentInfo& agent, const model::AgentDescriptor* descriptor);

/// Nothing of its name is there; not so where something is there that can't be run.
bool merely_absent(const wire::AgentInfo& agent);

/// Installed, answering, not known to lack a sign-in, and not older than its descriptor needs.
bool can_race(const wire::AgentInfo& agent, const model::AgentDescriptor* descriptor);

/// Why a race that names no agents goes without this one, and what to do; empty: it is not there at all.
/// Nothing: it takes part.
std::optional<std::string> left_out_because(const wire::AgentInfo& agent,
                                            const model::AgentDescriptor* descriptor);

}  // namespace hydra::cli
