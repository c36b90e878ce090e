#include "cli/render/live_table.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/render/result_block.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace hydra::cli {

using model::AgentPhase;
namespace {

constexpr std::size_t kLeastLast = 16;  // least columns of a last line

struct Column {
  std::string title;
  std::vector<std::string> cells;
  std::size_t width = 0;
  bool right = false;
};

Column column(const wire::Status& status, std::string title, bool right,
              const std::function<std::string(const wire::AgentStatus&)>& cell) {
  Column c{std::move(title), {}, 0, right};
  c.width = display_width(c.title);
  for (const auto& agent : status.agents) {
    c.cells.push_back(cell(agent));
    c.width = std::max(c.width, display_width(c.cells.back()));
  }
  return c;
}

// Returns the columns that fit: agent, state and time always, then diff, tokens, cost, last line.
std::vector<Column> columns(const wire::Status& status, const Style& style, std::size_t width,
                            std::int64_t since_ms) {
  std::vector<Column> out;
  out.push_back(column(status, "AGENT", false,
                       [&](const wire::AgentStatus& a) { return style.fit(a.agent, width < 60 ? 12 : 20); }));
  out.push_back(column(status, "STATE", false, [&](const wire::AgentStatus& a) {
    return words(shown_phase(a)) + (a.attempt > 1 ? fmt::format(" #{}", a.attempt) : "");
  }));
  out.push_back(column(status, "TIME", true, [&](const wire::AgentStatus& a) {
    const auto moved = a.state == AgentPhase::running ? since_ms : 0;
    return a.state == AgentPhase::queued ? std::string("-") : format_duration(a.elapsed_ms + moved);
  }));
  std::size_t used = 0;
  for (const auto& c : out) used += c.width + 2;
  const auto add = [&](Column c) {
    if (used + c.width > width) return;
    used += c.width + 2;
    out.push_back(std::move(c));
  };
  add(column(status, "DIFF", false, [](const wire::AgentStatus& a) { return short_diff(a.diff); }));
  add(column(status, "TOKENS", true, [](const wire::AgentStatus& a) { return short_tokens(a.tokens); }));
  const bool priced = std::any_of(status.agents.begin(), status.agents.end(),
                                  [](const wire::AgentStatus& a) { return a.cost_usd.has_value(); });
  if (priced) add(column(status, "COST", true, cost_text));
  if (width >= used + kLeastLast) {
    const auto room = width - used;
    auto last = column(status, "LAST LINE", false,
                       [&](const wire::AgentStatus& a) { return style.fit(agent_now(a), room); });
    last.width = 0;  // the last column needs no padding
    out.push_back(std::move(last));
  }
  return out;
}

std::string title(const wire::Status& status, const Style& style, std::size_t width, std::int64_t since_ms) {
  const bool ended = is_over(status.state);
  const auto tail = style.own(fmt::format(" · {} · {}", words(status.state),
                                          format_duration(status.elapsed_ms + (ended ? 0 : since_ms))));
  const auto head = "Race " + style.fit(status.race, 12) + style.own(" · ");
  const auto fixed = display_width(head) + display_width(tail);
  const auto room = width > fixed + 4 ? width - fixed : 0;
  if (room == 0) return style.fit("Race " + style.fit(status.race, 12) + tail, width);
  return style.fit(head + style.fit(status.task, room) + tail, width);
}

}  // namespace

Paint phase_paint(AgentPhase phase) {
  switch (phase) {
    case AgentPhase::completed:
    case AgentPhase::ranked:
      return Paint::green;
    case AgentPhase::queued:
      return Paint::dim;
    case AgentPhase::no_changes:
    case AgentPhase::not_checked:
    case AgentPhase::not_ranked:
    case AgentPhase::cancelled:
      return Paint::yellow;
    default:
      return is_live(phase) ? Paint::cyan : Paint::red;
  }
}

AgentPhase shown_phase(const wire::AgentStatus& agent) {
  const auto ended = model::phase_of(agent.outcome);
  const bool failed = agent.outcome != model::Outcome::unknown && !ended_well(agent.outcome) &&
                      phase_paint(ended) == Paint::red;
  return agent.state == AgentPhase::checking && failed ? ended : agent.state;
}

std::string phase_counts(const std::vector<wire::AgentStatus>& agents) {
  constexpr std::array kPhases{"queued", "running", "in checks", "failed", "done"};
  std::array<int, kPhases.size()> counts{};
  for (const auto& agent : agents) {
    const auto phase = shown_phase(agent);
    const bool failed = phase_paint(phase) == Paint::red;
    ++counts[phase == AgentPhase::queued     ? 0U
             : phase == AgentPhase::checking ? 2U
             : is_live(phase)                ? 1U
             : failed                        ? 3U
                                             : 4U];
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) parts.push_back(fmt::format("{} {}", counts[i], kPhases[i]));
  return join(parts, ", ");
}

std::string checks_text(const wire::CheckStates& checks) {
  std::vector<std::string> parts;
  for (const char* name : kCheckNames)
    if (const auto state = checks.find(name); state != checks.end())
      parts.push_back(name + (" " + words(state->second)));
  return join(parts, ", ");
}

// Before the workspace exists, returns the step that makes it.
std::string baseline_text(const wire::BaselineStatus& baseline) {
  if (!baseline.step.empty()) {
    const std::string step = baseline.step == "setup"      ? "set-up"
                             : baseline.step == "template" ? "first build"
                                                           : "warm-up";
    auto text = step + " (" + sanitize(baseline.command) + ")";
    if (baseline.step_ms > 0) text += " for " + format_duration(baseline.step_ms);
    if (!baseline.last_line.empty()) text += ": " + sanitize(baseline.last_line);
    return text;
  }
  if (!baseline.waits.empty()) return sanitize(baseline.waits);
  auto text = words(baseline.state);
  if (!baseline.checks.empty() && baseline.state != model::BasePhase::preparing)
    text += " (" + checks_text(baseline.checks) + ")";
  return text;
}

std::string agent_now(const wire::AgentStatus& agent) {
  const bool ended_early =
      agent.stopped != model::StopReason::none && agent.stopped != model::StopReason::finished;
  if (ended_early && !agent.message.empty()) return agent.message;
  if (agent.composite) return scoring::format_score(*agent.composite) + " / 100";
  if (agent.state == AgentPhase::checking && !agent.waits.empty()) return agent.waits;
  if (agent.state == AgentPhase::checking && !agent.checks.empty()) return checks_text(agent.checks);
  if (!is_live(agent.state) && !agent.message.empty()) return agent.message;
  if (agent.last_line.empty()) return agent.tool.empty() ? agent.message : agent.tool;
  return agent.tool.empty() || agent.state != AgentPhase::running ? agent.last_line
                                                                  : "[" + agent.tool + "] " + agent.last_line;
}

std::string cost_text(const wire::AgentStatus& agent) {
  // "~" marks a cost from the price table.
  return agent.cost_usd ? fmt::format("{}${:.2f}", agent.cost_estimated ? "~" : "", *agent.cost_usd) : "";
}

std::string short_count(std::int64_t count) {
  if (count < 1000) return std::to_string(count);
  const double thousands = static_cast<double>(count) / 1000;
  return thousands < 999.95 ? fmt::format("{:.1f}k", thousands) : fmt::format("{:.1f}M", thousands / 1000);
}

std::string short_tokens(const model::Usage& tokens) {
  if (!tokens.input && !tokens.output && !tokens.cache_write) return "-";
  // A token budget excludes tokens read from a cache.
  return short_count(tokens.input.value_or(0) + tokens.output.value_or(0) + tokens.cache_write.value_or(0));
}

std::string short_diff(const model::DiffStat& diff) {
  if (diff.files_changed == 0 && diff.lines_added == 0 && diff.lines_removed == 0) return "-";
  return fmt::format("+{} -{}", diff.lines_added, diff.lines_removed);
}

std::string change_words(const model::DiffStat& diff) {
  return short_diff(diff) + " in " + counted(diff.files_changed, "file");
}

std::vector<std::string> live_table(const wire::Status& status, const Style& style, std::int64_t since_ms,
                                    std::size_t rows) {
  const std::size_t width = style.width == 0 ? 80 : std::max<std::size_t>(style.width, 20);
  const auto table = columns(status, style, width, since_ms);
  const auto line = [&](std::size_t agent, bool header) {
    std::string text;
    std::size_t used = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto& c = table[i];
      auto cell = header ? c.title : c.cells[agent];
      if (i + 1 == table.size() && !c.right) {
        // A line wider than the terminal would wrap and break the redrawing.
        cell = style.fit(cell, width > used ? width - used : 0);
      } else {
        cell = pad(cell, c.width, c.right);
      }
      used += display_width(cell) + 2;
      if (i > 0) text += "  ";
      text += !header && i == 1 ? style.paint(phase_paint(shown_phase(status.agents[agent])), cell) : cell;
    }
    return text;
  };
  std::vector<std::string> out{style.paint(Paint::bold, title(status, style, width, since_ms)),
                               style.paint(Paint::dim, line(0, true))};
  for (std::size_t i = 0; i < status.agents.size(); ++i) {
    if (rows != 0 && out.size() + 1 >= rows && i + 1 < status.agents.size()) {
      out.push_back(style.own(fmt::format("… and {} more", status.agents.size() - i)));
      return out;
    }
    out.push_back(line(i, false));
  }
  if (!status.race.empty() && (rows == 0 || out.size() < rows)) {
    auto text = "baseline: " + baseline_text(status.baseline);
    out.push_back(style.paint(Paint::dim, style.fit(text, width)));
  }
  if (!status.reason.empty() && (rows == 0 || out.size() < rows))
    out.push_back(style.paint(Paint::yellow, style.fit(sanitize(status.reason), width)));
  return out;
}

}  // namespace hydra::cli
