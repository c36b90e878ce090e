#include "cli/tui/view.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"
#include "cli/tui/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace hydra::cli::tui {

using model::CheckPhase;
namespace {

constexpr std::size_t kGrowthColumns = 10;
constexpr std::size_t kLeastNow = 16;     // least columns of a last line
constexpr std::size_t kTiny = 8;          // least rows for more than the agents
constexpr std::size_t kRoomForRest = 12;  // rows of blank lines and details, besides agents

struct TableColumn {
  std::string title;
  bool right = false;
  std::vector<std::string> cells{};  ///< cells with colours
  std::size_t width = 0;
};

std::int64_t since(const Model& model, std::int64_t now_ms) {
  return std::max<std::int64_t>(now_ms - model.status_ms, 0);
}

// Returns added plus removed lines over the agent's time.
std::vector<std::int64_t> growth_of(const wire::AgentStatus& agent) {
  std::vector<std::int64_t> lines;
  for (const auto& [at_ms, added, removed] : agent.growth) lines.push_back(added + removed);
  return lines;
}

bool has_grown(const wire::AgentStatus& agent) {
  const auto growth = growth_of(agent);
  return std::any_of(growth.begin(), growth.end(), [](std::int64_t lines) { return lines > 0; });
}

// Returns a mark each for build, tests and lint.
std::string marks_of(const wire::AgentStatus& agent, const Style& style) {
  std::string out;
  for (const char* name : {"build", "tests", "lint"}) {
    const auto it = agent.checks.find(name);
    const auto state = it == agent.checks.end() ? CheckPhase::waiting : it->second;
    if (state == CheckPhase::passed)
      out += style.paint(Paint::green, style.utf8 ? "✓" : "+");
    else if (state == CheckPhase::waiting || state == CheckPhase::skipped)
      out += style.paint(Paint::dim, style.utf8 ? "·" : ".");
    else if (state == CheckPhase::running)
      out += style.paint(Paint::cyan, style.utf8 ? "…" : "~");
    else
      out += style.paint(Paint::red, style.utf8 ? "✗" : "x");
  }
  return out;
}

// Returns the columns that fit, in order of worth; the agent's activity takes the rest.
std::vector<TableColumn> table_of(const Model& model, std::int64_t now_ms) {
  const auto& style = model.style;
  const auto width = model.size.columns;
  std::vector<TableColumn> out;
  std::size_t used = 2;  // marks in front of a row
  const auto add = [&](const char* title, bool right, const auto& cell) {
    TableColumn column{title, right};
    column.width = column.title.size();
    for (const auto& agent : model.status.agents) {
      column.cells.push_back(cell(agent));
      column.width = std::max(column.width, width_of(cells_of(column.cells.back())));
    }
    if (out.size() > 2 && used + column.width > width) return;
    used += column.width + 2;
    out.push_back(std::move(column));
  };
  add("AGENT", false, [&](const wire::AgentStatus& a) { return style.fit(a.agent, width < 60 ? 12 : 20); });
  add("STATE", false, [&](const wire::AgentStatus& a) {
    const auto again = a.attempt > 1 ? fmt::format(" #{}", a.attempt) : "";
    return style.paint(phase_paint(shown_phase(a)), words(shown_phase(a)) + again);
  });
  add("TIME", true, [&](const wire::AgentStatus& a) {
    const auto moved = a.state == model::AgentPhase::running ? since(model, now_ms) : 0;
    return a.state == model::AgentPhase::queued ? std::string("-") : format_duration(a.elapsed_ms + moved);
  });
  add("BTL", false, [&](const wire::AgentStatus& a) { return marks_of(a, style); });
  add("DIFF", false, [](const wire::AgentStatus& a) { return short_diff(a.diff); });
  add("TOKENS", true, [](const wire::AgentStatus& a) { return short_tokens(a.tokens); });
  const auto& agents = model.status.agents;
  if (std::any_of(agents.begin(), agents.end(), [](const auto& a) { return a.cost_usd.has_value(); }))
    add("COST", true, cost_text);
  if (std::any_of(agents.begin(), agents.end(), has_grown))
    add("GROWTH", false, [&](const wire::AgentStatus& a) {
      return style.paint(Paint::cyan, sparkline(growth_of(a), kGrowthColumns, style.utf8));
    });
  if (used + kLeastNow <= width)
    add("NOW", false, [&](const wire::AgentStatus& a) { return style.fit(agent_now(a), width - used); });
  return out;
}

Row table_row(const std::vector<TableColumn>& table, const std::string& front, std::size_t agent,
              bool header) {
  auto row = cells_of(front, {header ? Paint::dim : Paint::plain});
  for (const auto& column : table) {
    auto cell = cells_of(header ? column.title : column.cells[agent], {header ? Paint::dim : Paint::plain});
    const auto gap = column.width - std::min(column.width, width_of(cell));
    Row blanks(gap, Cell{" ", 1, {}});
    if (column.right) row.insert(row.end(), blanks.begin(), blanks.end());
    row.insert(row.end(), cell.begin(), cell.end());
    if (!column.right) row.insert(row.end(), blanks.begin(), blanks.end());
    row.insert(row.end(), {Cell{" ", 1, {}}, Cell{" ", 1, {}}});
  }
  return row;
}

// The agents with a row: as many as fit, the selected one included.
struct AgentRows {
  std::size_t line = 0;  ///< terminal line of the first row
  std::size_t first = 0, room = 1;
};

// Whether details fit; rows of up to four agents come first.
bool roomy_for(const Model& model) {
  constexpr std::size_t kFew = 4;
  return model.size.rows > kRoomForRest + std::min(model.status.agents.size(), kFew);
}

/// Breaks safe text between words.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  std::vector<std::string> out(1);
  for (const auto word : split(text, ' ')) {
    const bool fits = out.back().empty() || display_width(out.back()) + 1 + display_width(word) <= columns;
    if (!fits) out.emplace_back();
    out.back().append(out.back().empty() ? "" : " ").append(word);
  }
  return out;
}

/// Returns the lines between title and table.
std::vector<std::string> head_lines(const Model& model, std::int64_t now_ms) {
  if (model.size.rows < kTiny) return {};
  const auto text = progress_line(model, now_ms);
  const bool verdict = is_over(model.status.state) && roomy_for(model);
  return verdict ? wrapped(text, model.size.columns) : std::vector{text};
}

AgentRows agent_rows(const Model& model) {
  const auto rows = model.size.rows;
  const bool roomy = roomy_for(model);
  AgentRows out;
  out.line = rows < kTiny ? 1 : head_lines(model, model.status_ms).size() + (roomy ? 3 : 2);
  const auto taken = out.line + (roomy ? 6 : 0) + 3;
  if (rows > taken + 1) out.room = rows - taken;
  if (model.row >= out.room) out.first = model.row - out.room + 1;
  return out;
}

class Painter {
 public:
  Painter(const Model& model, std::int64_t now_ms) : m_(model), style_(model.style), now_ms_(now_ms) {}

  Picture picture() {
    m_.page == Page::race ? race() : page();
    rows_.resize(m_.size.rows > 2 ? m_.size.rows - 2 : 1);
    note();
    bottom();
    rows_.resize(m_.size.rows);
    for (auto& row : rows_) row = crop(row, 0, m_.size.columns);
    return {std::move(rows_)};
  }

 private:
  void line(std::string_view text, Look look = {}) { rows_.push_back(cells_of(text, look)); }
  /// Adds untrusted text, cut at the terminal's width.
  void fitted(std::string_view text, Look look = {}) { line(style_.fit(text, m_.size.columns), look); }

  void race() {
    const bool roomy = roomy_for(m_);
    title();
    for (const auto& each : head_lines(m_, now_ms_)) fitted(each);
    if (roomy) line("");
    agents();
    if (!m_.status.race.empty()) fitted("baseline: " + baseline_text(m_.status.baseline), {Paint::dim});
    if (!m_.status.reason.empty()) fitted(m_.status.reason, {Paint::yellow});
    if (roomy) details();
  }

  void title() {
    if (!m_.known) return line("Waiting for the daemon", {Paint::bold});
    const auto elapsed = m_.status.elapsed_ms + (is_over(m_.status.state) ? 0 : since(m_, now_ms_));
    const auto dot = style_.own(" · ");
    const auto head = "Race " + style_.safe(m_.race).substr(0, 10) + dot;
    const auto tail = dot + words(m_.status.state) + dot + format_duration(elapsed);
    const auto fixed = display_width(head) + display_width(tail);
    const auto room = m_.size.columns > fixed + 8 ? m_.size.columns - fixed : 0;
    if (room == 0) return fitted(words(m_.status.state) + dot + format_duration(elapsed), {Paint::bold});
    line(head + style_.fit(m_.status.task, room) + tail, {Paint::bold});
  }

  void agents() {
    const auto table = table_of(m_, now_ms_);
    if (m_.size.rows >= kTiny) rows_.push_back(table_row(table, "  ", 0, true));
    const auto [line_of_first, first, room] = agent_rows(m_);
    rows_.resize(line_of_first);
    const auto count = m_.status.agents.size();
    for (auto i = first; i < std::min(count, first + room); ++i) {
      const auto& agent = m_.status.agents[i];
      const bool here = i == m_.row;
      auto row =
          table_row(table, std::string(here ? ">" : " ") + (agent.agent == m_.marked ? "*" : " "), i, false);
      if (here) {
        row = fill(crop(row, 0, m_.size.columns), m_.size.columns);
        for (auto& cell : row) cell.look = {Paint::plain, true};
      }
      rows_.push_back(std::move(row));
    }
    const auto shown = std::min(count, first + room) - first;  // other rows may be above
    if (shown < count) line(fmt::format("  and {} more", count - shown), {Paint::dim});
  }

  void details() {
    const auto* agent = chosen(m_);
    if (agent == nullptr) return;
    line("");
    auto name = style_.safe(agent->agent);
    if (agent->display != agent->agent && !agent->display.empty())
      name += " (" + style_.safe(agent->display) + ")";
    line(name, {Paint::bold});
    standing(*agent);
    if (!agent->checks.empty()) fitted("  " + checks_text(agent->checks));
    if (!agent->tool.empty()) fitted("  tool: " + agent->tool);
    if (const auto now = agent_now(*agent); !now.empty()) fitted("  " + now);
    if (!agent->branch.empty()) fitted("  branch: " + agent->branch);
  }

  void standing(const wire::AgentStatus& agent) {
    for (const auto& reason : m_.status.order_reasons)
      if (reason.below == agent.agent)
        for (const auto& each : wrapped(style_.safe(reason.text), m_.size.columns - 2)) fitted("  " + each);
  }

  void page() {
    fitted(page_title(m_), {Paint::bold});
    const auto& text = m_.text;
    const auto end = std::min(text.lines.size(), text.top + page_rows(m_));
    for (auto i = std::min(text.top, end); i < end; ++i) {
      auto row = cells_of(text.lines[i]);
      if (!style_.utf8)
        for (auto& cell : row)
          if (static_cast<unsigned char>(cell.glyph.front()) >= 0x80) cell.glyph = "?";
      highlight(row, text.find);
      rows_.push_back(crop(row, text.left, m_.size.columns));
    }
    if (text.lines.empty() && m_.page == Page::log) line("Nothing was printed yet.", {Paint::dim});
  }

  void note() {
    if (m_.ask) {
      const auto& ask = *m_.ask;
      const auto tail = ask.line ? std::string(": ") : std::string(" [y/N] ");
      const auto text = style_.safe(ask.question) + tail + style_.safe(ask.text);
      auto row = cells_of(text, {Paint::yellow});
      row.push_back({" ", 1, {Paint::plain, true}});  // cursor
      const auto width = width_of(row);
      // The end of a long text stays visible.
      row = crop(row, width > m_.size.columns ? width - m_.size.columns : 0, m_.size.columns);
      return rows_.push_back(std::move(row));
    }
    if (!m_.note.empty()) return fitted(m_.note, {Paint::yellow});
    if (m_.page == Page::race || m_.text.lines.empty()) return line("");
    const auto shown = std::min(m_.text.lines.size(), m_.text.top + page_rows(m_));
    line(fmt::format("lines {}-{} of {}{}", std::min(m_.text.top + 1, shown), shown, m_.text.lines.size(),
                     m_.text.follow && !m_.log_ended ? ", following" : ""),
         {Paint::dim});
  }

  // Shows as many keys as fit.
  void bottom() {
    Row row;
    for (const auto& key : keys_of(m_.page)) {
      if (*key.brief == '\0') continue;
      const auto text = std::string(" ") + key.keys + " ";
      auto more = cells_of(text, {Paint::plain, true});
      const auto what = cells_of(std::string(" ") + key.brief + " ");
      more.insert(more.end(), what.begin(), what.end());
      if (width_of(row) + width_of(more) > m_.size.columns) continue;
      row.insert(row.end(), more.begin(), more.end());
    }
    rows_.push_back(std::move(row));
  }

  const Model& m_;
  const Style& style_;
  std::int64_t now_ms_;
  std::vector<Row> rows_;
};

}  // namespace

Picture view(const Model& model, std::int64_t now_ms) { return Painter(model, now_ms).picture(); }

std::optional<std::size_t> agent_at(const Model& model, std::size_t row) {
  const auto [line, first, room] = agent_rows(model);
  if (row < line || row >= line + room || first + row - line >= model.status.agents.size())
    return std::nullopt;
  return first + row - line;
}

std::string sparkline(const std::vector<std::int64_t>& points, std::size_t columns, bool utf8) {
  static constexpr std::array kHigh{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::array kAscii{"_", ".", "-", "=", "+", "*", "#", "@"};
  if (points.empty() || columns == 0) return {};
  const auto most = std::max<std::int64_t>(*std::max_element(points.begin(), points.end()), 1);
  const auto count = std::min(columns, points.size());
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(i * points.size() / count);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>((i + 1) * points.size() / count);
    const auto high = std::max<std::int64_t>(*std::max_element(begin, end), 0);
    const auto step = static_cast<std::size_t>(high * 7 / most);
    out += utf8 ? kHigh[step] : kAscii[step];
  }
  return out;
}

std::string progress_line(const Model& model, std::int64_t now_ms) {
  if (!model.known) return {};
  if (is_over(model.status.state))
    return model.status.verdict.empty() ? "no winner" : model.style.safe(model.status.verdict);
  auto counted = phase_counts(model.status.agents);
  if (model.usual_ms <= 0) return counted;
  const auto elapsed = model.status.elapsed_ms + since(model, now_ms);
  // A running race never shows 100 %.
  const auto percent = std::clamp<std::int64_t>(elapsed * 100 / model.usual_ms, 0, 99);
  const std::size_t bar = model.size.columns < 90 ? 10 : 20;  // the words after the bar need 65 columns
  const auto full = static_cast<std::size_t>(percent) * bar / 100;
  std::string out = "[";
  for (std::size_t i = 0; i < bar; ++i)
    out += i < full ? (model.style.utf8 ? "█" : "#") : (model.style.utf8 ? "░" : "-");
  out += fmt::format("] {} %, ", percent);
  out += elapsed < model.usual_ms ? "about " + format_duration(model.usual_ms - elapsed) + " left"
                                  : "longer than usual";
  return out + fmt::format(" ({} earlier), {}", model.usual_of, counted);
}

}  // namespace hydra::cli::tui
