// cli: the live table of a race as lines of text. Pure: redrawing is done by follow.cpp.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hydra::cli {

/// Lines without their ends, each at most style.width columns (80 where that is 0), at most `rows` of them
/// (0: all). `since_ms`: time since the status came; running clocks are moved on by it.
std::vector<std::string> live_table(const wire::Status& status, const Style& style, std::int64_t since_ms,
                                    std::size_t rows);

/// "950", "12.3k", "4.5M".
std::string short_count(std::int64_t count);
/// The same of input and output tokens together; "-" where none is known.
std::string short_tokens(const model::Usage& tokens);
/// "+12 -3".
std::string short_diff(const model::DiffStat& diff);
/// "+12 -3 in 2 files".
std::string change_words(const model::DiffStat& diff);
/// "~$0.12": from the price table, not from the agent; empty: not known.
std::string cost_text(const wire::AgentStatus& agent);
/// "build passed, tests running".
std::string checks_text(const wire::CheckStates& checks);
/// What an agent does now, in its own words while it runs, in ours afterwards. Foreign text.
std::string agent_now(const wire::AgentStatus& agent);
/// What becomes of the base: its set-up, what it waits for, its checks.
std::string baseline_text(const wire::BaselineStatus& baseline);
Paint state_paint(const std::string& state);
/// A clock still runs in this state of an agent.
bool is_live(const std::string& state);

}  // namespace hydra::cli
