#include "cli/render/evidence_lines.hpp"

#include "base/strings.hpp"
#include "cli/render/decision_lines.hpp"
#include "cli/render/result_block.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

std::string display_of(const wire::Results& results, const std::string& name, const Style& style) {
  for (const auto& agent : results.agents)
    if (agent.agent == name) return style.safe(shown_name(agent));
  return style.safe(name);
}

// Returns "Codex CLI passes all 5 of the others', Claude Code 1 of 4."
std::string who_passes(const wire::Results& results, const Style& style) {
  std::vector<std::string> parts;
  for (const auto& agent : results.agents) {
    if (!agent.eligible || !agent.confidence) continue;
    const auto passed = agent.confidence->facts.tests_passed, failed = agent.confidence->facts.tests_failed;
    const auto all = passed + failed;
    if (all == 0) continue;
    const auto name = display_of(results, agent.agent, style);
    if (parts.empty())
      parts.push_back(failed == 0 ? fmt::format("{} passes all {} of the others'", name, all)
                                  : fmt::format("{} passes {} of {} of the others'", name, passed, all));
    else
      parts.push_back(fmt::format("{} {} of {}", name, passed, all));
  }
  return parts.empty() ? std::string() : " " + join(parts, ", ") + ".";
}

std::string tests_line(const wire::Results& results, const Style& style) {
  std::int64_t tests = 0, authors = 0;
  for (const auto& author : results.evidence.authors)
    if (author.fails_before > 0) tests += author.fails_before, ++authors;
  if (tests == 0) return {};
  return fmt::format("Evidence: {} of {} fail{} without the change.", counted(tests, "test"),
                     counted(authors, "author"), tests == 1 ? "s" : "") +
         who_passes(results, style) + "\n";
}

std::string points_line(const wire::Results& results, const Style& style) {
  if (results.points_winner.empty()) return {};
  const auto find = [&](const std::string& name) {
    return std::find_if(results.agents.begin(), results.agents.end(),
                        [&](const auto& a) { return a.agent == name; });
  };
  const auto other = find(results.points_winner);
  const auto winner = find(results.winner);
  if (other == results.agents.end() || winner == results.agents.end() || !other->composite ||
      !winner->composite)
    return {};
  return fmt::format("By points alone {} would be first, {} to {}.\n",
                     display_of(results, other->agent, style), scoring::format_score(*other->composite),
                     scoring::format_score(*winner->composite));
}

std::string contested_lines(const wire::Results& results, const Style& style) {
  std::string out;
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(kShown, results.contested.size()); ++i) {
    const auto& test = results.contested[i];
    out += fmt::format(
        "Probably changed by the task: {} ({} of {} with evidence break{} it). `hydra verify {} "
        "--approve-test {}` frees it.\n",
        style.safe(test.name), test.broken_by, counted(test.of, "result"), test.broken_by == 1 ? "s" : "",
        style.safe(results.race), style.safe(shell_quote(test.name)));
  }
  if (results.contested.size() > kShown)
    out += fmt::format("And {} more of the base's tests.\n", results.contested.size() - kShown);
  return out;
}

const wire::EvidenceCell* cell_of(const wire::Results& results, const std::string& author,
                                  const std::string& result) {
  for (const auto& cell : results.evidence.cells)
    if (cell.author == author && cell.result == result) return &cell;
  return nullptr;
}

std::string short_cell(const wire::EvidenceCell* cell) {
  if (!cell) return "-";
  const auto ran = cell->passed + cell->failed;
  return ran == 0 ? "-" : fmt::format("{}/{}", cell->passed, ran);
}

std::string mark_of(model::Cell status, const Style& style) {
  if (status == model::Cell::pass) return std::string(style.tick());
  if (status == model::Cell::fail) return std::string(style.cross());
  return words(status);
}

std::vector<std::string> columns_of(const wire::Results& results) {
  std::vector<std::string> columns{"@baseline"};
  for (const auto& agent : results.agents)
    for (const auto& cell : results.evidence.cells)
      if (cell.result == agent.agent) {
        columns.push_back(agent.agent);
        break;
      }
  return columns;
}

std::string table(const wire::Results& results, const std::vector<std::string>& columns, const Style& style) {
  std::size_t first = 6;
  for (const auto& author : results.evidence.authors)
    first = std::max(first, display_width(style.safe(author.author)));
  std::string out = "  " + pad("tests of", std::max<std::size_t>(first, 8));
  for (const auto& column : columns) out += "  " + style.safe(column == "@baseline" ? "base" : column);
  out += "\n";
  for (const auto& author : results.evidence.authors) {
    out += "  " + pad(style.safe(author.author), std::max<std::size_t>(first, 8));
    for (const auto& column : columns) {
      const auto width = display_width(style.safe(column == "@baseline" ? "base" : column));
      auto text = short_cell(cell_of(results, author.author, column));
      const bool own =
          std::find(author.members.begin(), author.members.end(), column) != author.members.end();
      if (own) text += "*";
      out += "  " + pad(text, width, true);
    }
    out += "\n";
  }
  return out +
         "  n/m: passes n of m tests that fail without the change; * its own; - nothing ran, or no contact\n";
}

std::string tests_of(const wire::Results& results, const wire::EvidenceAuthor& author,
                     const std::vector<std::string>& columns, const Style& style) {
  const wire::EvidenceCell* shape = nullptr;
  for (const auto& cell : results.evidence.cells)
    if (cell.author == author.author && (!shape || cell.tests.size() > shape->tests.size())) shape = &cell;
  std::string out = "\n  " + style.paint(Paint::bold, "tests of " + style.safe(author.author)) +
                    (author.kind == model::AuthorKind::tester ? " (a test writer)" : "") + "\n";
  if (!author.void_reason.empty()) out += "    not counted: " + style.safe(author.void_reason) + "\n";
  if (!shape) return out;
  for (std::size_t i = 0; i < shape->tests.size(); ++i) {
    const auto& test = shape->tests[i];
    out += fmt::format("    {}: {}{}\n", style.safe(test.name), words(test.class_),
                       test.reason.empty() ? "" : " (" + style.safe(test.reason) + ")");
    std::vector<std::string> who;
    for (const auto& column : columns)
      if (const auto* cell = cell_of(results, author.author, column); cell && i < cell->tests.size())
        who.push_back(style.safe(column == "@baseline" ? "base" : column) + " " +
                      mark_of(cell->tests[i].status, style));
    if (!who.empty()) out += "      " + join(who, ", ") + "\n";
  }
  return out;
}

}  // namespace

std::string evidence_remark(const wire::AgentResult& agent, const Style& style) {
  if (!agent.eligible || !agent.confidence) return {};
  const auto belief = agent.confidence->word;
  const std::string word(name(belief));
  if (!agent.evidence_points) return belief == model::Belief::no_evidence ? std::string() : style.own(word);
  return style.own(fmt::format("evidence {} · {}", scoring::format_points(*agent.evidence_points), word));
}

std::string evidence_lines(const wire::Results& results, const Style& style) {
  std::string decisions;
  for (const auto& decision : results.decisions) decisions += style.safe(decision_words(decision)) + ".\n";
  return tests_line(results, style) + points_line(results, style) + contested_lines(results, style) +
         decisions;
}

std::string without_evidence(const wire::AgentResult& winner) {
  if (!winner.confidence || winner.confidence->word != model::Belief::no_evidence) return {};
  const auto broken = winner.confidence->facts.broken;
  if (broken > 0) return fmt::format("no evidence, and {} of the base broken", counted(broken, "test"));
  return "no evidence";
}

std::string matrix_block(const wire::Results& results, const Style& style) {
  const auto& evidence = results.evidence;
  std::string out = style.paint(Paint::bold, "Cross tests of race " + style.safe(results.race)) + ": " +
                    words(evidence.state) +
                    (evidence.reason.empty() ? "" : " (" + words(style.safe(evidence.reason)) + ")") + "\n";
  if (evidence.authors.empty()) return out + "No result brought tests that were run on the others.\n";
  const auto columns = columns_of(results);
  out += table(results, columns, style);
  for (const auto& author : evidence.authors) out += tests_of(results, author, columns, style);
  for (const auto& agent : results.agents)
    if (agent.confidence)
      out += (&agent == &results.agents.front() ? "\n" : "") +
             fmt::format("  {}: {}\n", display_of(results, agent.agent, style),
                         style.safe(agent.confidence->text));
  return out;
}

}  // namespace hydra::cli
