#include "model/event.hpp"

#include <algorithm>

namespace hydra::model {
namespace {

// In the order of the variant's alternatives.
constexpr auto kKinds =
    words<int>("race_created", "race_prepared", "race_failed", "workspace_ready", "workspace_failed",
               "agent_starting", "agent_ended", "captured", "capture_failed", "subject_ready",
               "subject_failed", "check_ended", "published", "scoring_result", "cancel_requested",
               "race_ended", "merged", "merge_refused", "note", "subject_reset", "template_ready",
               "stop_requested", "retry_requested", "inspected", "check_repeated", "merge_undone", "combined",
               "repository_compared", "cross_tested", "tests_approved", "cross_planned", "round_began",
               "history_forgotten", "judges_planned", "judged", "rated", "twins_planned", "decided",
               "green_reached", "baseline_works")
        .all;
static_assert(kKinds.size() == std::variant_size_v<AnyEvent>);

}  // namespace

std::string text(const CaptureFlag& flag) {
  return std::string(name(flag.kind)) + (flag.path.empty() ? "" : ":" + flag.path);
}

CaptureFlag flag_of(std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  return {of_name<FlagKind>(text.substr(0, colon)),
          std::string(text.substr(std::min(colon + 1, text.size())))};
}

TaskKind task_kind(const RaceSpec& spec) { return of_name<TaskKind>(spec.kind); }
std::span<const std::string_view> kinds() { return kKinds; }
std::string_view kind(const EventBody& body) { return kKinds[body.index()]; }

}  // namespace hydra::model
