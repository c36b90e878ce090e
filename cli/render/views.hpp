// cli: the API's answers as plain structs. Unknown members are ignored, missing ones keep their defaults, so
// that a newer daemon stays readable.
#pragma once

#include "base/result.hpp"
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
inline constexpr std::array kCheckNames{"build", "tests", "lint"};

/// "Codex CLI", or its name where it has no other.
inline const std::string& shown_name(const wire::AgentResult& agent) {
  return agent.display.empty() ? agent.agent : agent.display;
}

struct MergeView {
  std::string race, agent, branch, ref, old_commit, new_commit;
  bool dry_run = false, already_merged = false, is_signed = false, undone = false;
  std::vector<std::string> conflicts, overlap, changed, repaired;
  std::string replaced;  ///< directory with what was replaced, of a repair
  std::vector<std::pair<std::string, std::vector<std::string>>> consent;  ///< kind, paths
  std::string state, note;
  model::DiffStat diff;
};

struct CreatedView {
  std::string race, base;
  std::vector<std::pair<std::string, std::string>> agents;  ///< name, display
  std::vector<std::string> warnings;
};

struct RetryView {
  std::string race, agent, session;
  std::int64_t attempt = 1, after = 0;
  bool resumed = false;
  std::vector<std::string> warnings;
};

struct CleanRow {
  std::string kind, race, agent, path, kept;
  std::int64_t bytes = 0, age_ms = 0;
  std::vector<model::LeftOut> left_out;  ///< the first of what is in it and was never captured
  std::string lost{};                    ///< why what is in it may be nowhere else, though it goes
};

struct TemplateRow {
  std::string name;
  std::int64_t bytes = 0, used_ms = 0;
  bool in_use = false;
};

/// Answer of POST /v1/races/ID/restore.
struct RestoreView {
  std::string race;
  std::vector<std::string> restored;  ///< agents whose workspaces were made again
  bool brought_back = false;          ///< the race itself was away
};

/// `protocol` when the text is not a JSON object.
Result<MergeView> parse_merge(std::string_view json);
Result<RestoreView> parse_restore(std::string_view json);
/// "the merge of RACE/AGENT": what a call that shall not wait would have had to wait for; empty: nothing.
std::string waits_for(std::string_view json);
Result<RetryView> parse_retry(std::string_view json);
Result<CreatedView> parse_created(std::string_view json);
Result<std::vector<TemplateRow>> parse_templates(std::string_view json);
Result<std::vector<CleanRow>> parse_clean(std::string_view json);

/// JSON with two blanks a level and a newline at the end, members in their order; the text itself if it isn't
/// JSON.
std::string pretty_json(std::string_view json);

}  // namespace hydra::cli
