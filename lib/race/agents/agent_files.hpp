// race: files of an agent's run beside its workspace: prompt, private home, seeded configuration. Some are
// copies of credentials. Blocking.
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

/// Returns the path of a descriptor's file in the user's home.
std::filesystem::path path_in_home(const model::RaceSpec& spec, const std::string& relative);

/// Whether agents of the race go without their user's instructions and skills ([workspace] home).
bool plain_home(const model::RaceSpec& spec);

/// Returns the directories below `home` that the descriptor's home_cache names, at most 16; links are not
/// followed.
std::vector<std::filesystem::path> cached_directories(const model::AgentDescriptor& descriptor,
                                                      const std::filesystem::path& home);

/// Returns the prompt of the newest attempt: the task, or the prompt of its retry.
std::string prompt_of(const model::RaceSpec& spec, const AgentState& agent);

/// Creates the files that an agent needs beside its workspace, removing older ones.
Result<void> prepare_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Updates the files of an earlier attempt: sessions stay; prompt and sign-in are replaced by current ones.
Result<void> lay_out_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Cleans up after the race: files that `hydra retry` needs to resume the session stay, without copies of
/// credentials, and so does a renewed sign-in that could not be carried back; the rest is moved to the trash.
void close_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Returns whether a later attempt can resume this agent's session: the CLI supports that, and the session is
/// known.
bool resumable(const model::RaceSpec& spec, const AgentState& agent);

/// Returns the user's sign-in file that the run's CLI may rewrite in its copy; runs with the same file must
/// not overlap, whatever other sign-in they have. The first of several; empty: none.
std::string shared_sign_in(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Returns the paths of files that sign a CLI in, or may; existing or not.
std::set<fs::path> sign_in_files(const model::RaceSpec& spec, const model::AgentDescriptor& descriptor);

/// A seeded file: its source, and the copy that the run sees.
struct Seeded {
  std::string source;  ///< relative to the user's HOME
  fs::path from;       ///< absolute path of `source` after XDG variables; may contain links
  fs::path copy;
  fs::path copy_root;     ///< directory that belongs to the run; links below it are untrusted
  bool optional = false;  ///< the source may be missing
  bool rotating = false;  ///< a sign-in that the CLI may rewrite
};
std::vector<Seeded> seeded_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

}  // namespace hydra::race
