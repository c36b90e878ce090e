// race: the files that an agent's run finds beside its workspace: prompt, private home, seeded configuration.
// Some of them are copies of credentials. Blocking.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"
#include "race/layout.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hydra::race {

struct AgentState;
using SecretEnv = std::map<std::string, std::string>;

/// The directories below `home` that the descriptor's home_cache names, at most 16; links are not followed.
std::vector<std::filesystem::path> cached_directories(const model::AgentDescriptor& descriptor,
                                                      const std::filesystem::path& home);

/// What the newest attempt is asked to do: the task, or the prompt of its retry.
std::string prompt_of(const model::RaceSpec& spec, const AgentState& agent);

/// Makes what an agent needs beside its workspace, from nothing.
Result<void> prepare_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// The same over what an earlier attempt left: its sessions stay; prompt and sign-in are those of now.
Result<void> lay_out_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// After the race: what a later `hydra retry` needs to go on with the agent's session stays, without the
/// copies of credentials, and so does a renewed sign-in that could not be carried back; all else is moved to
/// the trash.
void close_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Whether a later attempt can go on with this agent's session: its CLI can, and the session is known.
bool resumable(const model::RaceSpec& spec, const AgentState& agent);

/// The user's file of which this run has a copy that its CLI may rewrite: runs of the same one must not be
/// alive together, whatever else they sign in by. The first of several; empty: none.
std::string shared_sign_in(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// The user's files that sign a CLI in, or may: where they are, whether they exist or not.
std::set<fs::path> sign_in_files(const model::RaceSpec& spec, const model::AgentDescriptor& descriptor);

/// A seeded file: where it comes from, and its copy that the run sees.
struct Seeded {
  std::string source;  ///< relative to the user's HOME
  fs::path from;       ///< the same as a path, where the XDG variables have moved it to; may lead over links
  fs::path copy;
  fs::path copy_root;     ///< what is below it is the run's: links in there are foreign
  bool optional = false;  ///< may be missing
  bool rotating = false;  ///< a sign-in that its CLI may rewrite
};
std::vector<Seeded> seeded_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

}  // namespace hydra::race
