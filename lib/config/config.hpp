// config: hydra.toml -> model::Config, with file, line and column for every complaint. Pure: text in, values
// out.
#pragma once

#include "base/result.hpp"
#include "base/text_file.hpp"
#include "model/config.hpp"
#include "model/race_spec.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// One layer of configuration, lowest first: built-in descriptors, user file, project file, command line.
struct Layer {
  std::string name;     ///< file name for messages: "hydra.toml"
  std::string text;     ///< TOML
  bool shared = false;  ///< comes with a repository: what would act for its author outside of every sandbox
                        ///< is refused ([notify] command and webhook)
};

/// All complaints, one Error each ("hydra.toml:3:19", what was expected, nearest known key). Empty: fine.
struct Loaded {
  model::Config config;
  std::vector<Error> errors;
};

/// Reads and checks the layers; later ones override earlier ones key by key, [agents.NAME] tables too.
/// `builtin` are the agent descriptors that layers may extend.
Loaded load(const std::vector<Layer>& layers, const std::map<std::string, model::AgentDescriptor>& builtin);

/// For a project file that stands in `directory` below the repository's root (empty: at the root): its
/// commands run there, and its paths are relative to it.
void stands_in(model::Config& config, const std::string& directory);

/// Whether the forms of texts (patterns, names, places) are checked, or known: a test has read the file,
/// which is part of the program.
enum class Forms : std::uint8_t { check, known };

/// One agent descriptor file ("schema = 1" and one [agent.ID] table): the built-in ones.
Result<model::AgentDescriptor> parse_descriptor(std::string_view file_name, std::string_view toml,
                                                Forms forms = Forms::check);

/// What a repository contains, as far as `hydra init` cares: names of files at its top level (and of a few
/// below it: "vendor/bundle", "build/CMakeCache.txt", what lies right in tests/ and the like), and their
/// texts where they are needed (package.json, pyproject.toml, Makefile, …).
struct ProjectFiles {
  std::vector<std::string> names;
  std::map<std::string, std::string> texts;
  /// Programs that are in PATH, out of proposed_programs(); absent: nobody looked, all are taken to be there.
  std::optional<std::vector<std::string>> programs{};
  /// Names of caches whose directories exist in the home directory; absent as above.
  std::optional<std::vector<std::string>> caches{};
  /// Packages that the machine itself has: "python:pytest", "gem:rspec"; absent: nobody looked.
  std::optional<std::vector<std::string>> packages{};
};

/// Every program that a proposal may call.
std::vector<std::string> proposed_programs();

/// A hydra.toml for such a project, with a comment on each guess. Always valid for load().
std::string propose(const ProjectFiles& files);

/// Is there anything that a proposal can be made of? And by which files it was found, with ", " between.
bool recognises(const ProjectFiles& files);
std::string recognised_by(const ProjectFiles& files);

/// hydra.toml.example's text: every key with default and unit. Generated from the same table as load()
/// checks.
std::string example();

/// Where the user's own toolchains come from (docs/toolchains.md); asked once, when one is needed first. To
/// be set before that. What check_toolchains() complains about is left out.
void toolchains_from(std::function<std::vector<TextFile>()> user);
/// Every mistake in `files`, with its file, line and column.
std::vector<Error> check_toolchains(const std::vector<TextFile>& files);

/// "claude,codex:2,gemini=MODEL" -> entries with unique names. `known` are the ids; unknown ones are errors
/// that name the nearest known one.
Result<std::vector<model::AgentEntry>> parse_agents(std::string_view list,
                                                    const std::vector<std::string>& known);

/// The id that a common other name stands for: "cursor" -> "cursor-agent", "agy" -> "antigravity"; other
/// names unchanged.
std::string_view canonical_agent(std::string_view name);

/// The ids of all agents that `config` describes, sorted.
std::vector<std::string> known_agents(const model::Config& config);

/// The agent of a judge that has no command ("NAME" or "NAME=MODEL"); without a name in the race.
model::AgentEntry judge_entry(const model::Config& config, const model::JudgeConfig& judge);

/// Forgets the descriptors of all agents that a race of `named` does not start: theirs, those of [selection]
/// testers and of judges stay. All stay where [selection] testers can't be read.
void keep_agents(model::Config& config, const std::vector<model::AgentEntry>& named);

}  // namespace hydra::config
