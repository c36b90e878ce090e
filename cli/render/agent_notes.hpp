// cli: text about an installed or missing agent: notes below its line, and its row among the doctor's checks.
#pragma once

#include "cli/render/views.hpp"
#include "model/agent_descriptor.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli {

/// Timeout for the answer about all agents; probing one may take a minute on a busy machine.
inline constexpr std::chrono::minutes kProbingTime{10};

/// Returns notes that the descriptor adds to the probe: an untested version, sign-in, models. `descriptor`
/// may be null.
std::vector<std::string> agent_notes(const wire::AgentInfo& agent, const model::AgentDescriptor* descriptor);

/// Returns the row "agent claude": ok, or warn with reason and remedy. A missing agent is no fault.
wire::DoctorCheck agent_check(const wire::AgentInfo& agent, const model::AgentDescriptor* descriptor);

/// Whether no file of the agent's name exists; false if a file exists but cannot be run.
bool merely_absent(const wire::AgentInfo& agent);

/// Whether the agent is installed, answers, is not known to lack a sign-in, and is not older than required.
bool can_race(const wire::AgentInfo& agent, const model::AgentDescriptor* descriptor);

/// Returns why a race without --agents leaves this agent out, with a remedy; empty: not installed. nullopt:
/// the agent takes part.
std::optional<std::string> left_out_because(const wire::AgentInfo& agent,
                                            const model::AgentDescriptor* descriptor);

}  // namespace hydra::cli
