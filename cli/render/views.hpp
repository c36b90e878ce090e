// cli: the API's answers as plain structs. Unknown members are ignored and missing ones have defaults, so
// that newer daemons stay readable.
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

/// A check of the baseline or of a result that ran.
struct NamedCheck : wire::BaselineCheck {
  std::string name;
};
/// Returns the checks in the order build, tests, lint.
std::vector<NamedCheck> checks_of(const wire::Baseline& baseline);
std::vector<NamedCheck> checks_of(const wire::AgentResult& agent);
/// Returns the dimension of that name; not configured if missing.
const wire::Dimension& dimension_of(const wire::AgentResult& agent, const char* name);
inline constexpr std::array kCheckNames{"build", "tests", "lint"};

/// Returns the target branch of a merge: "main".
inline std::string branch_of(const wire::Merge& view) {
  return view.ref.starts_with("refs/heads/") ? view.ref.substr(11) : view.ref;
}
/// Returns the display name, "Codex CLI", else the agent's name.
inline const std::string& shown_name(const wire::AgentResult& agent) {
  return agent.display.empty() ? agent.agent : agent.display;
}

/// Returns JSON indented by two blanks with a newline at its end, member order kept; other text unchanged.
std::string pretty_json(std::string_view json);

}  // namespace hydra::cli
