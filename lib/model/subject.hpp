// model: the subject of checks: a commit, and the way of checking that commit.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace hydra::model {

/// Name of the base among agents. No agent can have this name.
inline constexpr std::string_view kBaseline = "@baseline";

struct Subject {
  enum class Kind : std::uint8_t {
    result,     ///< the checked commit of `agent`: as captured, with the base's protected paths
    baseline,   ///< the base; `agent` is kBaseline
    own_tests,  ///< the captured commit of `agent` as it is
    per_file,   ///< the checked commit, with each test file of the base in a separate run
    cold,       ///< the checked commit or the base, without the base's build results
    tried,      ///< the captured commit of `agent`, run for a person (`hydra try`)
    cross,      ///< run `id` of an author's tests or of twins
    judgement,  ///< run `id` of a judge
  };

  std::string agent{};  ///< check owner: an agent or kBaseline; empty: cross, judgement, or no subject
  Kind kind = Kind::result;
  std::uint64_t id = 0;  ///< opaque: a test must not learn from a path whose code runs

  auto operator<=>(const Subject&) const = default;

  static Subject baseline() { return {std::string(kBaseline), Kind::baseline}; }
  /// Returns the baseline or the result of this owner.
  static Subject of(std::string_view owner) {
    return {std::string(owner), owner == kBaseline ? Kind::baseline : Kind::result};
  }
  /// Returns a cross run or judgement, whose `id` is derived from all of its inputs.
  static Subject run(Kind kind, const std::string& inputs);
  /// Returns another way of checking the owner's commit.
  [[nodiscard]] Subject as(Kind other) const { return {agent, other}; }
  [[nodiscard]] Subject owner() const { return of(agent); }
  [[nodiscard]] bool of_baseline() const { return agent == kBaseline; }
  [[nodiscard]] bool none() const { return agent.empty() && kind == Kind::result; }
};

/// Returns the name in events, keys and the API: "codex", "@baseline", "codex@own", "codex@files",
/// "codex@cold", "codex@try", "+0123456789abcdef" (cross), "_0123456789abcdef" (judgement).
std::string text(const Subject& subject);
/// Inverse of text(); every other text is the name of an agent.
Subject subject_of(std::string_view text);

/// Returns a subject as the name of a directory: "baseline", "codex.2" for codex#2 (tools take "#" in a path
/// for the beginning of a comment or of a fragment).
std::string directory_name(const Subject& subject);
/// Inverse of directory_name(): names of agents have no ".", and no agent is called "baseline".
Subject subject_of_directory(std::string_view directory);

}  // namespace hydra::model
