// cli: the API's answers as plain structs. Unknown members are ignored, missing ones keep their defaults, so
// that a newer daemon stays readable.
#pragma once

#include "base/result.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"
#include "wire/status.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::cli {

/// A check of the baseline, or of a result, that ran.
struct NamedCheck : wire::BaselineCheck {
  std::string name;
};
/// In their order: build, tests, lint.
std::vector<NamedCheck> checks_of(const wire::Baseline& baseline);
std::vector<NamedCheck> checks_of(const wire::AgentResult& agent);
/// As not configured where there is none of that name.
const wire::Dimension& dimension_of(const wire::AgentResult& agent, const char* name);
/// Of a race: nothing more will come.
inline bool is_over(std::string_view state) {
  return state == "done" || state == "cancelled" || state == "failed";
}
inline constexpr std::array kCheckNames{"build", "tests", "lint"};

/// "main": the branch that a merge goes to.
inline std::string branch_of(const wire::Merge& view) {
  return view.ref.starts_with("refs/heads/") ? view.ref.substr(11) : view.ref;
}
/// "Codex CLI", or its name where it has no other.
inline const std::string& shown_name(const wire::AgentResult& agent) {
  return agent.display.empty() ? agent.agent : agent.display;
}

/// JSON with two blanks a level and a newline at the end, members in their order; the text itself if it isn't
/// JSON.
std::string pretty_json(std::string_view json);

}  // namespace hydra::cli
