#include "cli/render/event_line.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/result_block.hpp"
#include "scoring/engine.hpp"
#include "scoring/selection.hpp"
#include "wire/json.hpp"
#include "wire/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hydra::cli {
namespace {

using namespace model;

std::string who(const Subject& subject) {
  using Kind = Subject::Kind;
  const auto of = subject.of_baseline() ? "baseline" : subject.agent.empty() ? text(subject) : subject.agent;
  switch (subject.kind) {
    case Kind::own_tests:
      return of + " (its own tests)";
    case Kind::cold:
      return of + " (from nothing)";
    case Kind::per_file:
      return of + " (file by file)";
    default:
      return of;
  }
}

std::string check_text(const Subject& subject, const CheckEvidence& check, const char* again) {
  std::string counts;
  if (check.tests && check.tests->counts.passed) {
    counts = fmt::format(", {} passed", *check.tests->counts.passed);
    if (check.tests->counts.failed) counts += fmt::format(", {} failed", *check.tests->counts.failed);
  } else if (check.lint && check.lint->errors && check.lint->warnings) {
    counts = fmt::format(", {} errors, {} warnings", *check.lint->errors, *check.lint->warnings);
  }
  return fmt::format("{}: {}{} {} ({}{}{})", who(subject), name(check.dimension), again,
                     words(name(check.status)), format_duration(check.wall_ms),
                     check.cached ? ", cached" : "", counts);
}

std::string ended_text(const AgentEnded& e) {
  const auto text =
      fmt::format("{}: {} after {}", e.agent, words(name(e.verdict.outcome)), format_duration(e.job.wall_ms));
  return e.verdict.message.empty() ? text : text + ": " + e.verdict.message;
}

std::string captured_text(const Captured& e) {
  const auto& diff = e.capture.diff;
  if (!e.capture.changed) {
    const auto& rows = e.capture.left_out;
    const auto own = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
      return row.reason != model::LeftReason::left_behind;
    });
    if (own == rows.end()) return e.agent + ": changed nothing";
    return e.agent + ": changed nothing but what is left out: " + own->path + " (" +
           std::string(name(own->reason)) + ")";
  }
  return fmt::format("{}: captured, +{} -{} in {}", e.agent, diff.lines_added, diff.lines_removed,
                     counted(diff.files_changed, "file"));
}

// Returns "first ranking: codex 93.3, claude 91.3, cursor not eligible; verification continues".
std::string first_ranking_text(const Ranking& ranking) {
  std::vector<std::string> rows;
  for (const auto& row : ranking.agents)
    rows.push_back(row.agent + " " +
                   (row.eligible ? scoring::format_score(row.score.composite) : std::string("not eligible")));
  return "first ranking: " + join(rows, ", ") + "; verification continues";
}

struct Text {
  std::string operator()(const RaceCreated& e) const { return fmt::format("race {} created", e.spec.id); }
  std::string operator()(const RacePrepared&) const { return "race prepared"; }
  std::string operator()(const RaceFailed& e) const { return "race failed: " + e.reason; }
  std::string operator()(const WorkspaceReady& e) const { return e.agent + ": workspace ready"; }
  std::string operator()(const WorkspaceFailed& e) const { return e.agent + ": no workspace: " + e.reason; }
  std::string operator()(const AgentStarting& e) const {
    return e.number > 1 ? fmt::format("{}: started (attempt {})", e.agent, e.number) : e.agent + ": started";
  }
  std::string operator()(const AgentEnded& e) const { return ended_text(e); }
  std::string operator()(const Captured& e) const { return captured_text(e); }
  std::string operator()(const CaptureFailed& e) const {
    return e.agent + ": could not be captured: " + e.reason;
  }
  std::string operator()(const SubjectReady&) const { return {}; }
  std::string operator()(const SubjectFailed& e) const {
    if (e.subject.kind == Subject::Kind::cross) return "cross tests: a set-up failed: " + e.reason;
    return who(e.subject) + ": set-up failed: " + e.reason;
  }
  std::string operator()(const CheckEnded& e) const {
    return e.subject.kind == Subject::Kind::cross ? "" : check_text(e.subject, e.evidence, "");
  }
  std::string operator()(const CheckRepeated& e) const {
    if (e.subject.kind == Subject::Kind::cross) return {};
    return check_text(e.subject, e.evidence, " once more");
  }
  std::string operator()(const Inspected& e) const {
    const auto& found = e.integrity;
    if (!found.error.empty()) return e.agent + ": its changes could not be looked at: " + found.error;
    const auto blocking = std::count_if(found.findings.begin(), found.findings.end(),
                                        [](const auto& f) { return f.severity == model::Severity::block; });
    std::string text;
    if (!found.restored.empty())
      text = fmt::format("{} taken from the base", counted(found.restored.size(), "protected path"));
    if (blocking > 0) text += fmt::format("{}{} blocking findings", text.empty() ? "" : ", ", blocking);
    return text.empty() ? text : e.agent + ": " + text;
  }
  std::string operator()(const Published& e) const {
    std::vector<std::string> names;
    for (const auto& [agent, branch] : e.branches) names.push_back(branch);
    return names.empty() ? std::string() : "branches: " + join(names, ", ");
  }
  std::string operator()(const ScoringResult& e) const {
    if (!e.final) return first_ranking_text(e.ranking);
    if (e.ranking.decision == model::RaceDecision::undecided)
      return "ranked: " + scoring::decision_text(e.ranking);
    return e.ranking.winner.empty() ? "ranked: no winner" : "ranked: " + e.ranking.winner + " wins";
  }
  std::string operator()(const CancelRequested& e) const {
    return e.agent.empty() ? "cancelling the race" : e.agent + ": cancelling";
  }
  std::string operator()(const RaceEnded& e) const { return "race " + std::string(name(e.state)); }
  std::string operator()(const Merged& e) const {
    return fmt::format("{}: merged into {}{}", e.agent, e.ref, e.automatic ? " automatically" : "");
  }
  std::string operator()(const MergeUndone& e) const {
    return fmt::format("{}: the merge into {} was undone", e.agent, e.ref);
  }
  std::string operator()(const RepositoryCompared& e) const {
    if (e.blocking.empty()) return {};
    return fmt::format("{}the repository itself has changed: {}",
                       e.agent.empty() ? "" : "by the end of " + e.agent + ", ", join(e.blocking, ", "));
  }
  std::string operator()(const HistoryForgotten&) const { return "forgotten in the history"; }
  std::string operator()(const Combined& e) const { return e.agent + ": made of " + e.display; }
  std::string operator()(const MergeRefused& e) const { return e.agent + ": not merged: " + e.reason; }
  std::string operator()(const SubjectReset& e) const {
    return who(e.subject) + ": checked again: " + e.reason;
  }
  std::string operator()(const TemplateReady& e) const {
    if (e.cached) return {};
    std::int64_t total = 0;
    for (const auto& step : e.steps) total += step.wall_ms;
    return fmt::format("check workspaces: ready after {:.1f} s{}", static_cast<double>(total) / 1000,
                       e.warm ? ", with the base's build" : "");
  }
  std::string operator()(const StopRequested& e) const {
    return e.agent + ": stopping: " + (e.message.starts_with("stopped: ") ? e.message.substr(9) : e.message);
  }
  std::string operator()(const RetryRequested& e) const {
    return fmt::format("{}: runs again{}{}", e.agent, e.automatic ? " after: " + words(e.reason) : "",
                       !e.session.empty() ? ", going on with its session"
                       : e.fresh          ? ", from the base"
                                          : ", in its worktree");
  }
  std::string operator()(const CrossPlanned& e) const {
    return fmt::format("cross tests: {} of the tests of {}", counted(e.plan.runs.size(), "run"),
                       counted(e.plan.authors.size(), "author"));
  }
  std::string operator()(const RoundBegan& e) const {
    if (e.agents.empty()) return "no further round: no result falls short of what was checked";
    return fmt::format("round {}: {} {} told what {} fail{}", e.number, join(e.agents, ", "),
                       e.agents.size() == 1 ? "is" : "are",
                       e.agents.size() == 1 ? "its result" : "their results",
                       e.agents.size() == 1 ? "s" : "");
  }
  std::string operator()(const CrossTested& e) const {
    if (e.matrix.state != model::Measure::measured) return {};
    std::size_t tests = 0;
    for (const auto& author : e.matrix.authors) tests += author.tests.size();
    return fmt::format("cross tests: {} of {} authors were run on the results", tests,
                       e.matrix.authors.size());
  }
  std::string operator()(const TwinsPlanned& e) const {
    if (e.plan.assertions == 0) return "no assertion is recognised in the base's tests";
    return fmt::format(
        "the base's tests run again with other expected values (assertions changed: {}, runs: {})",
        e.plan.assertions, e.plan.runs.size());
  }
  std::string operator()(const BaselineWorks&) const { return "the base's checks run; the agents begin"; }
  std::string operator()(const GreenReached& e) const {
    return e.agent + ": its result is green; the others are stopped soon (--until green)";
  }
  std::string operator()(const TestsApproved& e) const {
    return "changed by the task, says the user: " + join(e.names, ", ");
  }
  std::string operator()(const Decided& e) const {
    std::vector<std::string> words;
    for (const auto& decision : e.decisions)
      words.push_back(std::string(name(decision.kind)) + " " + decision.what);
    return "decided by " + e.by + ": " + join(words, ", ");
  }
  std::string operator()(const JudgesPlanned& e) const {
    return "judges: " + counted(e.plan.judgements.size(), "judgement");
  }
  std::string operator()(const Judged& e) const {
    const auto& j = e.judgement;
    return fmt::format(
        "judge {} on {}: {}", j.judge, j.result,
        j.invalid.empty() ? fmt::format("{:.2f}", j.score) : "no verdict: " + words(j.invalid));
  }
  std::string operator()(const Rated& e) const {
    return fmt::format("{} gives {} {} of 5", e.rating.author, e.agent, e.rating.stars);
  }
  std::string operator()(const Note& e) const {
    return e.subject.none() ? "note: " + e.text : who(e.subject) + ": note: " + e.text;
  }
};

}  // namespace

std::string event_line(const EventBody& body, const Style& style) {
  return style.safe(std::visit(Text{}, body));
}

std::string waits_line(std::string_view data, const Style& style) {
  const auto frame = wire::from_json<wire::WaitsFrame>(data);
  return frame && !frame->text.empty() ? style.safe(frame->text) : "goes on";
}

std::string event_json(std::string_view kind, std::string_view id, std::string_view data) {
  OrderedJson out{{"event", kind}};
  if (const auto number = parse_int(id)) out["id"] = *number;
  const auto body = OrderedJson::parse(data, nullptr, false);
  if (body.is_object())
    for (const auto& [name, value] : body.items())
      if (!out.contains(name)) out[name] = value;
  return one_line(out);
}

}  // namespace hydra::cli
