// cli: the live table of a race as lines of text. Pure: follow.cpp redraws the table.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hydra::cli {

/// Returns lines without ends, each at most style.width columns (0: 80), at most `rows` lines (0: all).
/// `since_ms`: age of the status, added to running clocks.
std::vector<std::string> live_table(const wire::Status& status, const Style& style, std::int64_t since_ms,
                                    std::size_t rows);

/// Returns "950", "12.3k", "4.5M".
std::string short_count(std::int64_t count);
/// Returns the short count of input and output tokens; "-" if unknown.
std::string short_tokens(const model::Usage& tokens);
/// Returns "+12 -3".
std::string short_diff(const model::DiffStat& diff);
/// Returns "+12 -3 in 2 files".
std::string change_words(const model::DiffStat& diff);
/// Returns "$0.12", with "~" for a cost from the price table; empty: unknown.
std::string cost_text(const wire::AgentStatus& agent);
/// Returns "build passed, tests running".
std::string checks_text(const wire::CheckStates& checks);
/// Returns the agent's last output while it runs, later its checks, points or message. Untrusted text.
std::string agent_now(const wire::AgentStatus& agent);
/// Returns the state of the base: set-up, what it waits for, checks.
std::string baseline_text(const wire::BaselineStatus& baseline);
Paint phase_paint(model::AgentPhase phase);
/// Returns the state of an agent, or how it failed although its checks go on.
model::AgentPhase shown_phase(const wire::AgentStatus& agent);
/// Returns "2 running, 5 in checks, 1 failed".
std::string phase_counts(const std::vector<wire::AgentStatus>& agents);

}  // namespace hydra::cli
