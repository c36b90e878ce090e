// Redacts secrets in events. Values that the fold depends on stay: a name or commit that happens to look like
// a password must not change the race.
#include "model/json.hpp"
#include "race/agents/secrets.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

namespace hydra::race {
namespace {

bool is_kept(std::string_view key) {
  constexpr std::array kept{"author",  "judge",       "members",   "result", "agent", "subject", "attempt",
                            "commit",  "tree",        "dimension", "status", "state", "end",     "isolation",
                            "outcome", "error_class", "how",       "digest", "ref",   "number",  "severity"};
  return std::find(kept.begin(), kept.end(), key) != kept.end();
}

// Events that later steps depend on: the task, paths, branches, prompts of retries.
bool is_left_alone(const model::EventBody& body) {
  return std::visit(
      [](const auto& event) {
        using Event = std::decay_t<decltype(event)>;
        return std::is_same_v<Event, model::RaceCreated> || std::is_same_v<Event, model::RetryRequested> ||
               std::is_same_v<Event, model::WorkspaceReady> || std::is_same_v<Event, model::SubjectReady> ||
               std::is_same_v<Event, model::AgentStarting> || std::is_same_v<Event, model::CrossPlanned> ||
               std::is_same_v<Event, model::JudgesPlanned> || std::is_same_v<Event, model::Published> ||
               std::is_same_v<Event, model::Merged> || std::is_same_v<Event, model::MergeUndone> ||
               std::is_same_v<Event, model::TwinsPlanned>;
      },
      body);
}

}  // namespace

model::EventBody without_secrets(model::EventBody body, const Secrets& secrets) {
  if (secrets.empty() || is_left_alone(body)) return body;
  const auto* tests = model::tests_in(body);
  if (secrets_in(model::to_json(body), secrets).empty() &&
      (!tests || secrets_in(tests->text(), secrets).empty()))
    return body;
  return model::with_texts(std::move(body), is_kept, [&](std::string& text) {
    if (!secrets_in(text, secrets).empty()) text = without_secrets(text, secrets);
  });
}

}  // namespace hydra::race
