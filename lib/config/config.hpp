// config: hydra.toml -> model::Config, with file, line and column for every complaint. Every function is
// pure.
#pragma once

#include "base/result.hpp"
#include "base/text_file.hpp"
#include "model/config.hpp"
#include "model/race_spec.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// A layer of configuration; order, lowest first: built-in descriptors, user file, project file, command
/// line.
struct Layer {
  std::string name;     ///< file name for messages: "hydra.toml"
  std::string text;     ///< TOML
  bool shared = false;  ///< whether a repository holds the file: [notify] command and webhook are refused
};

/// A configuration and all complaints ("hydra.toml:3:19", expectation, nearest known key); no errors: valid.
struct Loaded {
  model::Config config;
  std::vector<Error> errors;
};

/// Reads and checks the layers; a later layer overrides keys of earlier ones, also inside [agents.NAME].
/// `builtin`: the agent descriptors that layers may extend.
Loaded load(const std::vector<Layer>& layers, const std::map<std::string, model::AgentDescriptor>& builtin);

/// Moves commands and paths of a project file that lies in `directory` below the repository's root (empty:
/// the root): commands run there, paths are relative to it.
void stands_in(model::Config& config, const std::string& directory);

/// Whether load() checks the form of texts. `known` is for files of the program, whose forms a test has
/// checked.
enum class Forms : std::uint8_t { check, known };

/// Parses one agent descriptor file ("schema = 1" and one [agent.ID] table).
Result<model::AgentDescriptor> parse_descriptor(std::string_view file_name, std::string_view toml,
                                                Forms forms = Forms::check);

/// The part of a project that `hydra init` reads: paths to a limited depth, and needed texts (package.json,
/// Makefile, …).
struct ProjectFiles {
  std::vector<std::string> names;
  std::map<std::string, std::string> texts;
  /// Programs of proposed_programs() found in PATH; nullopt: not checked, all count as present.
  std::optional<std::vector<std::string>> programs{};
  /// Names of caches whose directories exist in the home directory; nullopt: not checked, all count as
  /// present.
  std::optional<std::vector<std::string>> caches{};
  /// Packages installed on the machine: "python:pytest"; nullopt: not checked.
  std::optional<std::vector<std::string>> packages{};
  std::set<std::string> no_programs{};  ///< scripts that lack the mode of a program
  std::string directory{};              ///< place of the project below the proposal's directory; empty: there
};

/// Returns every program that a proposal may call.
std::vector<std::string> proposed_programs();

/// Returns a hydra.toml for such a project and those below it, with a comment on each guess. load() always
/// accepts the text.
std::string propose(const ProjectFiles& files, const std::vector<ProjectFiles>& below = {});
/// Whether a test command can be proposed.
bool proposes_tests(const ProjectFiles& files);

/// Whether any file leads to a proposal; recognised_by() returns those files, separated by ", ".
bool recognises(const ProjectFiles& files);
std::string recognised_by(const ProjectFiles& files);

/// Returns every key with default and unit, from the table that load() checks.
std::string all_keys();
/// Returns the text of hydra.toml.example: the keys that most projects set.
std::string example();

/// Sets the source of the user's toolchains (docs/toolchains.md), read once at first use; call before that.
/// Entries with a complaint of check_toolchains() are ignored.
void toolchains_from(std::function<std::vector<TextFile>()> user);
/// Returns every mistake in `files`, with file, line and column.
std::vector<Error> check_toolchains(const std::vector<TextFile>& files);

/// Parses "claude,codex:2,gemini=MODEL" into entries with unique names. An id that is not in `known` is an
/// error that names the nearest known id.
Result<std::vector<model::AgentEntry>> parse_agents(std::string_view list,
                                                    const std::vector<std::string>& known);

/// Returns the id for a common alias: "cursor" -> "cursor-agent", "agy" -> "antigravity"; other names
/// unchanged.
std::string_view canonical_agent(std::string_view name);

/// Returns the ids of all agents in `config`, sorted.
std::vector<std::string> known_agents(const model::Config& config);

/// Returns the agent of a judge without a command ("NAME" or "NAME=MODEL"); the entry has no name in the
/// race.
model::AgentEntry judge_entry(const model::Config& config, const model::JudgeConfig& judge);

/// Drops descriptors that a race of `named` does not start; keeps those of [selection] testers and judges.
/// Keeps all if [selection] testers cannot be parsed.
void keep_agents(model::Config& config, const std::vector<model::AgentEntry>& named);

}  // namespace hydra::config
