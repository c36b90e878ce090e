#include "model/agent_run.hpp"
#include "model/check.hpp"
#include "model/dimension.hpp"
#include "model/event.hpp"
#include "model/score.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::model {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

template <class E, std::size_t N>
std::string_view to_name(const Names<E, N>& names, E value) {
  for (const auto& [v, text] : names)
    if (v == value) return text;
  return "unknown";
}

template <class E, std::size_t N>
std::optional<E> from_name(const Names<E, N>& names, std::string_view text) {
  for (const auto& [v, n] : names)
    if (n == text) return v;
  return std::nullopt;
}

constexpr Names<Dimension, 5> kDimensionNames{{{Dimension::build, "build"},
                                               {Dimension::tests, "tests"},
                                               {Dimension::lint, "lint"},
                                               {Dimension::diff_size, "diff_size"},
                                               {Dimension::speed, "speed"}}};

constexpr Names<CheckStatus, 6> kCheckNames{{{CheckStatus::passed, "passed"},
                                             {CheckStatus::failed, "failed"},
                                             {CheckStatus::timed_out, "timed_out"},
                                             {CheckStatus::crashed, "crashed"},
                                             {CheckStatus::not_started, "not_started"},
                                             {CheckStatus::skipped, "skipped"}}};

constexpr Names<TestStatus, 4> kTestNames{{{TestStatus::passed, "passed"},
                                           {TestStatus::failed, "failed"},
                                           {TestStatus::skipped, "skipped"},
                                           {TestStatus::error, "error"}}};

constexpr Names<Cell, 5> kCellNames{{{Cell::pass, "pass"},
                                     {Cell::fail, "fail"},
                                     {Cell::no_contact, "no_contact"},
                                     {Cell::unstable, "unstable"},
                                     {Cell::not_run, "not_run"}}};

constexpr Names<TestClass, 5> kTestClassNames{{{TestClass::fails_before, "fails_before"},
                                               {TestClass::no_contact_before, "no_contact_before"},
                                               {TestClass::passes_before, "passes_before"},
                                               {TestClass::alone, "alone"},
                                               {TestClass::voided, "void"}}};

constexpr Names<TaskKind, 4> kTaskKindNames{{{TaskKind::code, "code"},
                                             {TaskKind::docs, "docs"},
                                             {TaskKind::tests, "tests"},
                                             {TaskKind::bugfix, "bugfix"}}};

constexpr Names<Confidence, 4> kConfidenceNames{{{Confidence::none, "none"},
                                                 {Confidence::low, "low"},
                                                 {Confidence::medium, "medium"},
                                                 {Confidence::high, "high"}}};

constexpr Names<Outcome, 12> kOutcomeNames{{{Outcome::unknown, "unknown"},
                                            {Outcome::completed, "completed"},
                                            {Outcome::completed_with_warning, "completed_with_warning"},
                                            {Outcome::failed, "failed"},
                                            {Outcome::crashed, "crashed"},
                                            {Outcome::timed_out, "timed_out"},
                                            {Outcome::cancelled, "cancelled"},
                                            {Outcome::over_budget, "over_budget"},
                                            {Outcome::launch_error, "launch_error"},
                                            {Outcome::misconfigured, "misconfigured"},
                                            {Outcome::lost, "lost"},
                                            {Outcome::stopped, "stopped"}}};

constexpr Names<DimensionStatus, 4> kDimensionStatusNames{
    {{DimensionStatus::scored, "scored"},
     {DimensionStatus::not_configured, "not_configured"},
     {DimensionStatus::skipped, "skipped"},
     {DimensionStatus::failed, "failed"}}};

// In the order of the variant's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<EventBody>> kKinds{"race_created",
                                                                              "race_prepared",
                                                                              "race_failed",
                                                                              "workspace_ready",
                                                                              "workspace_failed",
                                                                              "agent_starting",
                                                                              "agent_ended",
                                                                              "captured",
                                                                              "capture_failed",
                                                                              "subject_ready",
                                                                              "subject_failed",
                                                                              "check_ended",
                                                                              "published",
                                                                              "scoring_result",
                                                                              "cancel_requested",
                                                                              "race_ended",
                                                                              "merged",
                                                                              "merge_refused",
                                                                              "note",
                                                                              "subject_reset",
                                                                              "template_ready",
                                                                              "stop_requested",
                                                                              "retry_requested",
                                                                              "inspected",
                                                                              "check_repeated",
                                                                              "merge_undone",
                                                                              "combined",
                                                                              "repository_compared",
                                                                              "cross_tested",
                                                                              "tests_approved",
                                                                              "cross_planned",
                                                                              "cross_stopped",
                                                                              "round_began",
                                                                              "history_forgotten",
                                                                              "judges_planned",
                                                                              "judged",
                                                                              "rated",
                                                                              "measure_requested",
                                                                              "measure_planned",
                                                                              "measure_stopped",
                                                                              "measured",
                                                                              "twins_planned",
                                                                              "decided",
                                                                              "green_reached"};

}  // namespace

std::string directory_name(std::string_view subject) {
  std::string directory(subject == kBaseline ? "baseline" : subject);
  std::replace(directory.begin(), directory.end(), '#', '.');
  return directory;
}

std::string name_of_directory(std::string_view directory) {
  std::string name(directory);
  std::replace(name.begin(), name.end(), '.', '#');
  return name;
}

std::string_view name(Dimension d) { return to_name(kDimensionNames, d); }
std::optional<Dimension> dimension_from_name(std::string_view text) {
  return from_name(kDimensionNames, text);
}
std::string_view name(CheckStatus s) { return to_name(kCheckNames, s); }
std::optional<CheckStatus> check_status_from_name(std::string_view text) {
  return from_name(kCheckNames, text);
}
std::string_view name(TestStatus s) { return to_name(kTestNames, s); }
std::string_view name(Confidence c) { return to_name(kConfidenceNames, c); }
std::string_view name(Outcome o) { return to_name(kOutcomeNames, o); }
std::optional<Outcome> outcome_from_name(std::string_view text) { return from_name(kOutcomeNames, text); }
std::string_view name(Cell c) { return to_name(kCellNames, c); }
std::string_view name(TestClass c) { return to_name(kTestClassNames, c); }
std::string_view name(TaskKind k) { return to_name(kTaskKindNames, k); }
TaskKind task_kind(const RaceSpec& spec) {
  return from_name(kTaskKindNames, spec.kind).value_or(TaskKind::code);
}
std::string_view name(DimensionStatus s) { return to_name(kDimensionStatusNames, s); }
std::string_view kind(const EventBody& body) { return kKinds[body.index()]; }

}  // namespace hydra::model
