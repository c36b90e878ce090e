#include "cli/render/result_block.hpp"

#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/render/check_block.hpp"
#include "cli/render/evidence_lines.hpp"
#include "cli/render/failed_log.hpp"
#include "cli/render/integrity_lines.hpp"
#include "cli/render/judge_lines.hpp"
#include "cli/render/left_out.hpp"
#include "league/leaderboard.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hydra::cli {

using model::FlagKind;
namespace {

constexpr std::size_t kRule = 44;  // columns of the specification's rule
constexpr std::size_t kSaidColumns = 200;
constexpr std::size_t kTaskColumns = 72;  // columns of the task if the output has no width

Paint paint_of(double points) {
  switch (scoring::colour(points)) {
    case scoring::Colour::green:
      return Paint::green;
    case scoring::Colour::yellow:
      return Paint::yellow;
    case scoring::Colour::red:
      return Paint::red;
  }
  return Paint::plain;
}

struct Cell {
  std::string text;
  Paint paint = Paint::plain;
};

struct Row {
  std::string rank, name, score;
  Paint score_paint = Paint::plain;
  std::array<Cell, 5> cells;
  std::string remark;
};

Cell cell(const char* label, const wire::Dimension& dimension, bool binary, const Style& style) {
  const bool shown = dimension.status == model::DimensionStatus::scored ||
                     dimension.status == model::DimensionStatus::failed;
  std::string value = "--";
  if (shown && (binary || dimension.status == model::DimensionStatus::failed))
    value = dimension.status == model::DimensionStatus::scored && dimension.points > 0 ? style.tick()
                                                                                       : style.cross();
  else if (shown)
    value = scoring::format_points(dimension.points);
  return {fmt::format("[{}: {}]", label, value),
          shown ? paint_of(dimension.status == model::DimensionStatus::failed ? 0 : dimension.points)
                : Paint::dim};
}

std::string remark_of(const wire::AgentResult& agent, const wire::Results& results) {
  const bool ended = is_over(results.state);
  if (!ended && agent.rank == 0) return words(agent.state);
  if (agent.eligible) return agent.tied ? "tie" : "";
  std::vector<std::string> reasons;
  const bool built = dimension_of(agent, "build").reason != model::ScoreReason::not_started;
  for (const auto& reason : agent.ineligible_reasons)
    reasons.push_back(reason == model::Ineligible::build_failed && !built ? "not built" : words(reason));
  // Whether points alone would rank the agent higher.
  const bool above_its_points =
      agent.composite &&
      std::any_of(results.agents.begin(), results.agents.end(), [&](const wire::AgentResult& other) {
        return other.eligible && other.composite && *other.composite < *agent.composite;
      });
  // A failed build shows as a cross; other reasons have no cell.
  if (reasons.size() == 1 && built && !above_its_points &&
      agent.ineligible_reasons[0] == model::Ineligible::build_failed)
    return {};
  if (!reasons.empty()) return (above_its_points ? "not eligible: " : "") + join(reasons, ", ");
  // Without a ranking, the text tells the agent's last state.
  if (agent.state == model::AgentPhase::not_checked) return "captured, not checked (cancelled)";
  if (agent.state == model::AgentPhase::not_ranked) return "checked, not ranked (cancelled)";
  return results.state == model::RacePhase::cancelled ? words(agent.state) : "not eligible";
}

Row row_of(const wire::AgentResult& agent, const wire::Results& results, const Style& style) {
  Row row;
  // Only a completed run gets a rank, whatever its points.
  const bool ran = agent.composite && (ended_well(agent.outcome) || agent.eligible);
  row.rank = agent.rank > 0 && ran ? fmt::format("#{}", agent.rank) : "--";
  row.name = style.fit(shown_name(agent), 32);
  row.score = agent.composite ? scoring::format_score(*agent.composite) : "--";
  if (agent.composite) row.score_paint = paint_of(*agent.composite);
  constexpr std::array<std::pair<const char*, const char*>, 5> kLabels{
      {{"BUILD", "build"}, {"TESTS", "tests"}, {"LINT", "lint"}, {"DIFF", "diff_size"}, {"SPEED", "speed"}}};
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    row.cells[i] = cell(kLabels[i].first, dimension_of(agent, kLabels[i].second), i == 0, style);
  row.remark = style.safe(remark_of(agent, results));
  if (const auto evidence = evidence_remark(agent, style); !evidence.empty())
    row.remark = evidence + (row.remark.empty() ? "" : ", " + row.remark);
  return row;
}

// Adds the agent's name to rows with equal display names ("Codex CLI" twice).
void tell_apart(std::vector<Row>& rows, const wire::Results& results, const Style& style) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& agent = results.agents[i];
    const bool twice =
        std::count_if(results.agents.begin(), results.agents.end(),
                      [&](const wire::AgentResult& other) { return other.display == agent.display; }) > 1;
    if (twice) rows[i].name = style.fit(agent.display + " (" + agent.agent + ")", 32);
  }
}

struct Widths {
  std::size_t rank = 2, name = 0, cells[5] = {};
};

// Returns the row as the specification prints it; without paint, for measuring.
std::string head_text(const Row& row, const Widths& w, const Style& style) {
  return fmt::format("  {}  {}   {} / 100", pad(row.rank, w.rank), pad(row.name, w.name),
                     style.paint(row.score_paint, pad(row.score, 5, true)));
}

std::string wide_row(const Row& row, const Widths& w, const Style& style) {
  std::string out = head_text(row, w, style) + "   ";
  for (std::size_t i = 0; i < 5; ++i) {
    out += " " + style.paint(row.cells[i].paint, row.cells[i].text);
    const auto width = display_width(row.cells[i].text);
    if ((i < 4 || !row.remark.empty()) && width < w.cells[i]) out += std::string(w.cells[i] - width, ' ');
  }
  if (!row.remark.empty()) out += "  " + style.paint(Paint::yellow, row.remark);
  return out + "\n";
}

std::string narrow_row(const Row& row, const Widths& w, const Style& style) {
  const std::string indent(6, ' ');
  std::string out = head_text(row, w, style) + "\n" + indent;
  std::size_t used = indent.size();
  for (const auto& cell : row.cells) {
    const auto width = display_width(cell.text);
    if (used > indent.size() && used + width + 1 > style.width) {
      out += "\n" + indent;
      used = indent.size();
    }
    if (used > indent.size()) out += " ", ++used;
    out += style.paint(cell.paint, cell.text);
    used += width;
  }
  if (!row.remark.empty())
    out += "\n" + indent + style.paint(Paint::yellow, style.fit(row.remark, style.width - indent.size()));
  return out + "\n";
}

std::string rows_text(const wire::Results& results, const Style& style) {
  std::vector<Row> rows;
  for (const auto& agent : results.agents) rows.push_back(row_of(agent, results, style));
  tell_apart(rows, results, style);
  Widths w;
  for (const auto& row : rows) {
    w.rank = std::max(w.rank, row.rank.size());
    w.name = std::max(w.name, display_width(row.name));
    for (std::size_t i = 0; i < 5; ++i) w.cells[i] = std::max(w.cells[i], display_width(row.cells[i].text));
  }
  Style plain = style;
  plain.colour = false;
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, display_width(wide_row(row, w, plain)) - 1);
  const bool fits = style.width == 0 || widest <= style.width;
  if (!fits) w.name = std::min(w.name, std::max<std::size_t>(style.width, 40) - w.rank - 19);
  std::string out;
  for (auto& row : rows) {
    if (!fits) row.name = style.fit(row.name, w.name);
    out += fits ? wide_row(row, w, style) : narrow_row(row, w, style);
  }
  return out;
}

// Returns the outcomes of entries with several attempts.
std::string entries_text(const wire::Results& results, const Style& style) {
  const auto& all = results.entries;
  if (std::none_of(all.begin(), all.end(), [](const auto& each) { return each.attempts + each.lost > 1; }))
    return {};
  std::size_t width = 0;
  for (const auto& each : all) width = std::max(width, display_width(style.safe(each.entry)));
  std::string out = fmt::format("\nEntries, each with its best attempt, by {}:\n", league::kOrder);
  for (const auto& each : all) {
    out +=
        fmt::format("  {:>2}  {}  {:>5}", each.rank ? "#" + std::to_string(*each.rank) : "--",
                    pad(style.safe(each.entry), width), each.best ? scoring::format_score(*each.best) : "--");
    if (each.best) out += " (" + style.safe(each.best_attempt) + ")";
    if (each.solved > 0) out += "   solved";
    out += fmt::format("   {} of {} succeeded", each.successes, each.attempts);
    if (each.interval)
      out += fmt::format(" (Wilson 95 %: {:.0f} to {:.0f} %)", each.interval->front() * 100,
                         each.interval->back() * 100);
    if (each.mean && each.deviation)
      out += fmt::format("   mean {} +/- {}", scoring::format_score(*each.mean),
                         scoring::format_score(*each.deviation));
    if (each.cost_usd) out += fmt::format("   ${:.2f}", *each.cost_usd);
    if (each.lost > 0) out += fmt::format("   {} lost to the machine or a provider", each.lost);
    out += "\n";
  }
  return out;
}

std::string messages(const wire::Results& results, const Style& style) {
  std::string out;
  for (const auto& agent : results.agents)
    if (!agent.message.empty() && agent.outcome != model::Outcome::completed)
      out += fmt::format("  {}: {}\n", style.safe(shown_name(agent)), style.safe(agent.message));
  // Last words of who changed nothing: often a question, or a reason.
  for (const auto& agent : results.agents) {
    const auto said = trim(agent.final_text);
    if (agent.state != model::AgentPhase::no_changes || said.empty()) continue;
    const bool asks = !agent.question.empty();
    const auto line = asks ? std::string_view(agent.question) : trim(said.substr(said.rfind('\n') + 1));
    out += fmt::format("  {} {}: \"{}\"\n", style.safe(shown_name(agent)), asks ? "asks" : "said",
                       style.safe(ellipsize(line, kSaidColumns)));
    if (asks)
      out += fmt::format("    answer: hydra retry {}/{} -m \"...\"\n", style.safe(results.race),
                         style.safe(agent.agent));
  }
  return out.empty() ? out : "\n" + out;
}

// Returns the flags that a person should know before a merge.
std::string flag_lines(const wire::AgentResult& agent, const std::string& who, const Style& style) {
  std::string out;
  for (const auto& flag : agent.flags) {
    const auto path = style.safe(flag.path);
    if (flag.kind == FlagKind::link_outside)
      out += who + "a new link leads out of the repository: " + path + "\n";
    if (flag.kind == FlagKind::hides_files)
      out += who + "new rules in " + path + " hide files of the result\n";
    if (flag.kind == FlagKind::commits_refused)
      out += who + "git refuses what is in its own commits: " + path + "\n";
  }
  if (!agent.branch_refused.empty()) out += who + "has no branch: " + style.safe(agent.branch_refused) + "\n";
  if (const auto leaked = agent.leaked_processes; leaked > 0)
    out += who + fmt::format("left {} process{} running, which {} ended\n", leaked, leaked == 1 ? "" : "es",
                             leaked == 1 ? "was" : "were");
  return out;
}

// Returns files that agents wrote and no result contains.
std::string beside_the_results(const wire::Results& results, const Style& style) {
  std::string out;
  for (const auto& agent : results.agents) {
    const auto who = "  " + style.safe(shown_name(agent)) + ": ";
    if (const auto left = left_out_text(agent.left_out, style); !left.empty())
      out +=
          who +
          (agent.state == model::AgentPhase::no_changes ? "changed only what is left out: " : "left out: ") +
          left + "\n";
    for (const auto& flag : agent.flags)
      if (flag.kind == FlagKind::submodule_changed)
        out += who + "changes inside the submodule " + style.safe(flag.path) + " are in no result\n";
    for (const auto& flag : agent.flags)
      if (flag.kind == FlagKind::commits_beside)
        out += who + "commits on its own " + (flag.path.starts_with("refs/") ? "" : "branch ") +
               style.safe(flag.path) + " are in no result: they are in its worktree (`hydra worktree " +
               style.safe(agent.agent) + "`)\n";
    out += flag_lines(agent, who, style);
  }
  return out.empty() ? out : "\n" + out;
}

// Returns what a cancelled race left unchecked, and possible next steps.
std::string unchecked_text(const wire::Results& results, const Style& style) {
  if (results.state != model::RacePhase::cancelled) return {};
  std::vector<std::string> finished, stopped;
  for (const auto& agent : results.agents)
    if (agent.unchecked)
      (agent.state == model::AgentPhase::cancelled ? stopped : finished).push_back(style.safe(agent.agent));
  std::string out;
  const auto race = style.safe(results.race);
  if (!finished.empty())
    out += fmt::format("Not checked: {}. `hydra verify {}` checks what was captured.\n", join(finished, ", "),
                       race);
  if (!stopped.empty())
    out += fmt::format("Stopped before the end: {}. `hydra retry {}/{}` resumes it.\n", join(stopped, ", "),
                       race, stopped.front());
  return out;
}

std::string verdict_line(const wire::Results& results, const Style& style) {
  return results.verdict.empty() ? std::string() : style.safe(results.verdict) + "\n";
}

std::string undecided_text(const wire::Results& results, const Style& style) {
  const auto one = style.safe(results.decision_with.at(0)), two = style.safe(results.decision_with.at(1));
  return verdict_line(results, style) +
         fmt::format(
             "A test writer would tell (`hydra race --testers AGENT`); `hydra diff {} {} --behaviour` shows "
             "their difference, `hydra merge NAME` merges.\n",
             one, two);
}

std::string failure_text(const wire::Results& results, const Style& style) {
  if (results.reason.empty()) return "The race failed.\n";
  auto out = "The race failed: " + style.safe(results.reason) + "\n";
  if (results.baseline.problem == model::BaseProblem::none) return out;
  if (results.baseline.reason.empty())
    return out +
           "No agent has started. `hydra check` tries the base alone; `hydra race --base-fails` races "
           "anyway.\n";
  if (!results.baseline.advice.empty()) out += style.safe(results.baseline.advice) + "\n";
  if (!results.baseline.attempt.empty())
    out += log_command(results.race, results.baseline.attempt, style) + " shows the output.\n";
  return out + "`hydra check` tries the baseline alone.\n";
}

std::string merged_into(const wire::Results& results) {
  return results.merged && !results.merged->ref.empty() ? results.merged->ref : "your branch";
}

std::string winner_text(const wire::Results& results, const Style& style) {
  const auto it = std::find_if(results.agents.begin(), results.agents.end(),
                               [&](const wire::AgentResult& agent) { return agent.agent == results.winner; });
  std::string out;
  const bool judged = std::none_of(results.agents.begin(), results.agents.end(), [](const auto& agent) {
    const auto& reasons = agent.ineligible_reasons;
    return std::find(reasons.begin(), reasons.end(), model::Ineligible::not_judged) != reasons.end();
  });
  if (!judged)
    out +=
        style.paint(Paint::red, "No winner: no test passed anywhere, nor in the base: nothing was judged.") +
        "\n`hydra check` tries the base alone.\n";
  else if (results.all_failed && !results.agents.empty())
    out += style.paint(Paint::red, "All agents failed: no eligible result reached the minimum score.") + "\n";
  if (results.winner.empty() || it == results.agents.end()) {
    if (results.decision == model::RaceDecision::undecided) out += undecided_text(results, style);
    if (results.merged)
      out += fmt::format("A result of it was merged into {}.\n", style.safe(merged_into(results)));
    if (results.state == model::RacePhase::cancelled)
      return out + "The race was cancelled.\n" + unchecked_text(results, style);
    if (results.decision == model::RaceDecision::undecided) return out;
    if (results.state == model::RacePhase::done) return out + verdict_line(results, style);
    if (results.state == model::RacePhase::failed) return out + failure_text(results, style);
    return out;
  }
  const auto branch = style.safe(it->branch);
  const auto silent = without_evidence(*it);
  out += fmt::format("{}: {}{}{}\n{}", results.final ? "Winner" : "First so far",
                     style.paint(Paint::bold, style.safe(it->display)),
                     branch.empty() ? "" : " (branch: " + branch + ")", silent.empty() ? "" : ", " + silent,
                     verdict_line(results, style));
  if (!results.led_before.empty())
    out += fmt::format("Before verification {} stood first.\n", style.safe(results.led_before));
  if (!results.final)
    return out + "All checks have ended; verification continues, and may change the order.\n";
  if (results.merged || results.auto_merged)
    return out + fmt::format("Merged into {}{}.\n", style.safe(merged_into(results)),
                             results.auto_merged ? " automatically" : "");
  if (branch.empty()) return out;
  const auto argument = branch.starts_with("hydra/") ? branch.substr(6) : branch;
  return out + fmt::format("Run `hydra merge {}` to merge into your branch.\n", argument);
}

std::string unsandboxed(const wire::Results& results, const Style& style) {
  std::vector<std::string> names;
  for (const auto& agent : results.agents)
    if (agent.sandbox == model::Isolation::none) names.push_back(style.safe(shown_name(agent)));
  if (names.empty()) return {};
  const auto who = names.size() == results.agents.size() ? "all agents" : join(names, ", ");
  return style.paint(Paint::yellow, "Not sandboxed: " + who + " ran without isolation.") + "\n";
}

std::string check_times_line(const wire::Results& results, const Style& style) {
  const auto& times = results.check_times;
  if (!results.final || (times.verification_seconds <= 0 && times.left_out.empty())) return {};
  std::vector<std::string> runs;
  if (times.cross_runs > 0) runs.push_back(counted(times.cross_runs, "cross run"));
  if (times.twin_runs > 0)
    runs.push_back(counted(times.twin_runs, "run") + " with " +
                   (times.twin_tests > 0 && times.twin_tests < times.base_tests
                        ? fmt::format("{} of {} tests changed", times.twin_tests, times.base_tests)
                        : "changed tests"));
  auto out = fmt::format("Checks took {:.1f} s, verification {:.1f} s{}.\n", times.checks_seconds,
                         times.verification_seconds, runs.empty() ? "" : " (" + join(runs, ", ") + ")");
  if (times.left_out.empty()) return out;
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (const auto& each : times.left_out)
    if (shown.size() < kShown) shown.push_back(style.safe(each));
  const auto more = times.left_out.size() - shown.size();
  return out + fmt::format("Left out by [evaluation] budget: {}{}.\n", join(shown, ", "),
                           more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::string repository_lines(const std::optional<model::RepositoryCompared>& found, const Style& style) {
  if (!found) return {};
  const auto& changes = *found;
  constexpr std::size_t kShown = 5;
  const auto some = [&](const std::vector<std::string>& names) {
    std::vector<std::string> shown;
    for (const auto& name : names)
      if (shown.size() < kShown) shown.push_back(style.safe(name));
    const auto more = names.size() - shown.size();
    return join(shown, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
  };
  std::string out;
  if (!changes.blocking.empty())
    out += style.paint(Paint::red, "The repository itself was changed while the race ran, not by Hydra: " +
                                       some(changes.blocking)) +
           "\nNothing is merged until you have looked: `hydra merge --repair-only` puts configuration and "
           "hooks back,\n--accept-changes takes them as they are.\n";
  if (!changes.meanwhile.empty()) out += "Changed while the race ran: " + some(changes.meanwhile) + "\n";
  return out;
}

std::string words(std::string_view name) { return replace_all(std::string(name), "_", " "); }

std::string result_block(const wire::Results& results, const Style& style, const std::string& failed) {
  const auto before = style.own("Race Results — Task: \"");
  const std::size_t room =
      style.width == 0 ? kTaskColumns : std::max<std::size_t>(style.width, 40) - display_width(before) - 2;
  const auto title = before + style.fit(results.task, std::min(room, kTaskColumns)) + "\"";
  auto rule = std::max(kRule, display_width(title));
  if (style.width != 0) rule = std::min(rule, style.width);
  std::string out = style.paint(Paint::bold, title) + "\n" + std::string(rule, '=') + "\n\n";
  out += rows_text(results, style);
  out += entries_text(results, style);
  out += messages(results, style);
  out += unscored_lines(results, style);
  out += beside_the_results(results, style);
  out += integrity_lines(results, style);
  const auto lines = evidence_lines(results, style) + judges_line(results, style);
  if (!lines.empty()) out += "\n" + lines;
  out += failed;
  const auto end = winner_text(results, style) + unsandboxed(results, style) +
                   repository_lines(results.repository_changes, style);
  if (!end.empty()) out += "\n" + end;
  for (const auto& note : results.notes) out += "Note: " + style.safe(note) + "\n";
  return out + check_times_line(results, style);
}

int result_exit(const wire::Results& results) {
  return results.winner.empty() || results.all_failed ? kNoWinner : kDone;
}

}  // namespace hydra::cli
