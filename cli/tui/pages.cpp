#include "cli/tui/pages.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/render/diff_views.hpp"
#include "cli/render/explain_block.hpp"
#include "cli/render/left_out.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"
#include "scoring/engine.hpp"
#include "wire/answers.hpp"
#include "wire/details.hpp"
#include "wire/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli::tui {
namespace {

std::vector<std::string> lines_of_block(std::string_view block) {
  std::vector<std::string> out;
  for (const auto line : lines(block)) out.emplace_back(line);
  return out;
}

Paint paint_of_cell(char cell) {
  if (cell == 'p') return Paint::green;
  if (cell == 'f') return Paint::red;
  return cell == 'u' ? Paint::yellow : Paint::dim;
}

// Shows one letter per column, so that forty columns suffice for a dozen agents.
std::vector<std::string> tests_lines(const Model& model) {
  const auto& style = model.style;
  const auto table = wire::from_json<wire::TestTable>(model.text.body).value_or({});
  std::vector<std::string> out;
  std::string heads;
  int number = 0;
  for (const auto& name : table.columns) {
    const bool base = name == "@baseline";
    const auto head = base ? "B" : std::string(1, "123456789abcdefghijklmnopqrstuvwxyz"[number++ % 35]);
    heads += head;
    out.push_back(style.paint(Paint::dim, head + "  " + (base ? "the base" : style.safe(name))));
  }
  out.push_back(style.paint(Paint::dim, "p passed  f failed  s skipped  u flaky  . not there"));
  out.emplace_back();
  out.push_back(style.paint(Paint::bold, heads + "  TEST"));
  for (const auto& row : table.rows) {
    std::string line;
    for (const char cell : row.cells)
      line += style.paint(paint_of_cell(cell), style.safe(std::string(1, cell)));
    line += "  " + style.safe(row.name);
    if (const auto& klass = row.class_; !klass.empty() && klass != "same")
      line += style.paint(klass == "broken" || klass == "removed" ? Paint::red : Paint::dim,
                          " (" + words(style.safe(klass)) + ")");
    out.push_back(std::move(line));
  }
  if (table.rows.empty()) out.emplace_back("No test. Tab shows others.");
  if (table.next) out.emplace_back("There are more: `hydra ui` shows all.");
  return out;
}

std::string compared(const wire::AgentStatus* agent, const std::string& what) {
  if (agent == nullptr) return {};
  if (what == "STATE") return words(agent->state);
  if (what == "SCORE") return agent->composite ? scoring::format_score(*agent->composite) : "-";
  if (what == "TIME") return format_duration(agent->elapsed_ms);
  if (what == "DIFF") return short_diff(agent->diff);
  if (what == "TOKENS") return short_tokens(agent->tokens);
  if (what == "COST") return agent->cost_usd ? cost_text(*agent) : "-";
  return checks_text(agent->checks);
}

// Shows both agents' facts, and the diff from the first tree to the second.
std::vector<std::string> compare_lines(const Model& model) {
  const auto& style = model.style;
  const auto half = (std::max<std::size_t>(style.width, 40) - 10) / 2;
  const auto *a = find_agent(model, model.agent), *b = find_agent(model, model.other);
  const auto cell = [&](std::string_view text) { return pad(style.fit(text, half - 1), half); };
  std::vector<std::string> out{
      style.paint(Paint::bold, pad("", 10) + cell(model.agent) + style.fit(model.other, half))};
  for (const char* what : {"STATE", "SCORE", "TIME", "DIFF", "TOKENS", "COST", "CHECKS"})
    out.push_back(style.paint(Paint::dim, pad(what, 10)) + cell(compared(a, what)) +
                  style.fit(compared(b, what), half));
  out.emplace_back();
  const auto columns = lines_of_block(diff_columns(model.text.body, style, style.width, {}));
  out.insert(out.end(), columns.begin(), columns.end());
  if (columns.empty()) out.emplace_back("Their trees are the same.");
  return out;
}

void list_to(std::vector<std::string>& out, const std::string& title, const std::vector<std::string>& paths,
             const Style& style) {
  if (paths.empty()) return;
  out.push_back(style.paint(Paint::yellow, title));
  for (const auto& path : paths) out.push_back("  " + style.safe(path));
}

std::vector<std::string> merge_lines(const Model& model) {
  const auto& style = model.style;
  const auto view = wire::from_json<wire::Merge>(model.text.body);
  if (!view) return {style.safe(view.error().message)};
  if (view->already_merged) return {style.safe(view->agent) + " is already merged."};
  std::vector<std::string> out{fmt::format("{} into {}: {}", style.safe(view->agent),
                                           style.safe(branch_of(*view)), change_words(view->diff)),
                               ""};
  list_to(out, "Conflicts:", view->conflicts, style);
  list_to(out, "Changed in your checkout, too:", view->overlap, style);
  list_to(out, "Changed in the repository itself since the race started:", view->changed, style);
  for (const auto& [kind, paths] : view->consent)
    list_to(out, "Needs consent (" + style.safe(kind) + "):", paths, style);
  for (auto& line : merge_files(*view, style)) out.push_back(std::move(line));
  if (!merge_question(model, model.text.body))
    out.emplace_back("A merge would be refused. Nothing was changed.");
  if (!view->conflict_text) return out;
  for (const auto& conflict : *view->conflict_text) {
    out.push_back(style.paint(Paint::bold, style.safe(conflict.path)));
    for (const auto line : lines(conflict.text)) out.push_back("  " + style.safe(line));
  }
  return out;
}

std::vector<std::string> help_lines(const Model& model) {
  std::vector<std::string> out;
  for (const auto& [page, title] :
       {std::pair{Page::race, "The race"}, {Page::log, "Logs, diffs and other pages"}}) {
    out.push_back(model.style.paint(Paint::bold, title));
    for (const auto& key : keys_of(page)) out.push_back("  " + pad(key.keys, 14) + key.what);
    out.emplace_back();
  }
  out.emplace_back("`hydra watch --plain` is the table alone. docs/terminal.md has more.");
  return out;
}

}  // namespace

std::vector<std::string> page_lines(const Model& model) {
  const auto& body = model.text.body;
  switch (model.page) {
    case Page::diff:
      if (body.empty()) return {"It changed nothing."};
      return lines_of_block(model.variant == "words" ? diff_words(body, model.style, {})
                                                     : diff_lines(body, model.style, {}, true));
    case Page::tests:
      return tests_lines(model);
    case Page::explain: {
      const auto block = explain_block(body, model.style);
      return lines_of_block(block ? *block : model.style.safe(block.error().message));
    }
    case Page::results: {
      const auto results = wire::from_json<wire::Results>(body);
      return lines_of_block(results ? result_block(*results, model.style)
                                    : model.style.safe(results.error().message));
    }
    case Page::compare:
      return compare_lines(model);
    case Page::merge:
      return merge_lines(model);
    case Page::help:
      return help_lines(model);
    case Page::race:
    case Page::log:
      break;
  }
  return model.text.lines;
}

std::string page_title(const Model& model) {
  switch (model.page) {
    case Page::log:
      return model.agent + ": log" + (model.variant == "agent" ? "" : " of its " + model.variant);
    case Page::diff:
      return model.agent + ": what it changed" + (model.variant == "words" ? ", by words" : "");
    case Page::tests:
      return "Tests: " + model.variant;
    case Page::explain:
      return model.agent + ": why it got its score";
    case Page::results:
      return "Results";
    case Page::compare:
      return model.agent + " and " + model.other;
    case Page::merge:
      return "Merge " + model.agent;
    case Page::help:
      return "Keys";
    case Page::race:
      break;
  }
  return model.race;
}

std::string top_line(const Model& model) {
  std::string_view path;
  std::int64_t now = 0;  // number of the next line of the result; 0: outside hunks
  std::size_t at = 0;
  for (const auto line : lines(model.text.body)) {
    if (line.starts_with("diff "))
      path = {}, now = 0;
    else if (now == 0 && line.starts_with("+++ b/"))
      path = line.substr(6);
    else if (const auto plus = line.find(" +"); line.starts_with("@@ ") && plus != std::string_view::npos)
      now = parse_int(line.substr(plus + 2, line.find_first_of(", ", plus + 2) - plus - 2)).value_or(0);
    else if (now > 0 && !path.empty() && !line.starts_with('-') && !line.starts_with('\\')) {
      if (at >= model.text.top) return fmt::format("{}:{}: ", sanitize(path), now);
      ++now;
    }
    ++at;
  }
  return {};
}

std::optional<Ask> merge_question(const Model& model, const std::string& body) {
  const auto view = wire::from_json<wire::Merge>(body);
  if (!view || view->already_merged || !view->conflicts.empty() || !view->overlap.empty() ||
      !view->changed.empty())
    return std::nullopt;
  Request yes{.want = Want::merge, .agent = model.agent, .other = view->preview, .message = view->ref};
  for (const auto& [kind, paths] : view->consent) yes.allow.push_back(kind);
  auto question = "Merge " + view->agent + " into " + branch_of(*view);
  if (!yes.allow.empty()) question += " and allow " + join(yes.allow, ", ");
  return Ask{.question = question + "?", .yes = std::move(yes)};
}

std::string merged_note(const std::string& body) {
  const auto view = wire::from_json<wire::Merge>(body);
  if (!view) return view.error().message;
  return fmt::format("Merged {} into {}: {}. `hydra merge --undo` reverts it.", view->agent, branch_of(*view),
                     view->new_commit.substr(0, 12));
}

}  // namespace hydra::cli::tui
