// model: the complete specification of a race, frozen when the race starts.
#pragma once

#include "model/config.hpp"
#include "model/machine.hpp"
#include "model/words.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::model {

/// The user's repository at the start of the race. Paths are absolute and real.
struct RepositoryFacts {
  std::string root;          ///< top level of the user's checkout
  std::string subdirectory;  ///< user's working directory, relative to root; may be empty
  std::string git_dir;
  std::string common_dir;
  std::string object_format;  ///< "sha1" or "sha256"
  std::string base;           ///< commit id that agents start from
  std::string base_tree;
  std::string head_ref;  ///< "refs/heads/main"; empty: detached HEAD
  std::string head;      ///< commit id of HEAD when the race started
  std::string user_name, user_email;
  std::string origin;  ///< URL of the remote named "origin", without a password; empty: none
  std::vector<std::pair<std::string, std::string>> conversion;  ///< frozen filters, line ends, ignore case
  std::string excludes_file;                                    ///< user's core.excludesFile; may be empty
  std::vector<std::string> alternates;  ///< object directories named by the user's own alternates
  bool shallow = false;
  bool partial = false;  ///< the repository has a promisor remote
  bool sparse = false;
  bool safe_directory = false;  ///< owned by another user and allowed by the user's configuration
  bool has_submodules = false;
  std::vector<std::string> empty_submodules;  ///< submodules of the base that no clone of the user's can fill
  std::uint64_t file_count = 0;               ///< entries of the base tree
  std::vector<std::string>
      dirty;  ///< changed paths of the user's checkout that the base does not have (at most 100)
  bool included_dirty = false;  ///< the base is a snapshot commit of the dirty checkout
  /// Untracked paths that .worktreeinclude names, as git reads its patterns: part of [workspace] copy.
  std::vector<std::string> worktree_include;
};

/// A runner of a race. "codex:2" makes two entries: codex and codex-2; `--attempts 2` makes two attempts of
/// each: codex#1, codex#2.
struct AgentEntry {
  std::string name;   ///< unique in the race regardless of letter case, [A-Za-z0-9-], #N for an attempt; used
                      ///< in branch names
  std::string id;     ///< key of Config::agents
  std::string model;  ///< may be empty
  std::string entry{};  ///< entry of this attempt: "codex"; empty: the only attempt
  int attempt = 1;
  /// A tester sees the task but no result, and writes tests only ([selection] testers): no candidate.
  bool tester = false;
  /// Returns the name of the entry; the agent's own name for the only attempt.
  [[nodiscard]] const std::string& entry_name() const { return entry.empty() ? name : entry; }
};

/// The subject of the task (`hydra race --kind`), which decides which changes count as work on the task.
enum class TaskKind {
  code,
  docs,    ///< documentation and comments are the work
  tests,   ///< tests are the work; their power to find faults counts
  bugfix,  ///< a test that fails on the base is part of the work
};
template <>
inline constexpr auto kWords<TaskKind> = words<TaskKind>("code", "docs", "tests", "bugfix");

struct RaceSpec {
  std::string id;
  std::int64_t created_ms = 0;  ///< Unix time
  std::string task;             ///< the prompt; any bytes but NUL, valid UTF-8
  RepositoryFacts repository;
  Config config;                   ///< config.agents holds only the descriptors of this race's agents
  std::vector<AgentEntry> agents;  ///< in the requested order
  std::vector<std::pair<std::string, std::string>>
      environment;  ///< frozen, without secrets: PATH, HOME, LANG, …
  std::vector<std::string>
      tools;  ///< paths of the machine's tools that a sandbox would hide, shown read-only
  std::vector<std::string> secret_names;  ///< names of variables that are kept in memory only
  bool fresh_baseline = false;            ///< ignore the cache of baseline evidence
  std::string token;                      ///< 128 random bits; attempt tokens are derived from it
  Isolation isolation{};                  ///< isolation chosen for this machine by the sandbox mode
  std::string isolation_note;             ///< why the isolation is "none" under mode auto; may be empty
  std::string image{};  ///< id of the container image, "sha256:…", resolved once for the race
  TreeRung tree_rung{};
  std::string hidden_source;              ///< directory of the user's hidden tests; empty: none
  std::string hidden_digest;              ///< digest of the hidden tests' paths and bytes
  std::vector<std::string> hidden_tests;  ///< paths in the tree, sorted
  std::string verifies;    ///< race whose stored results are checked again; empty: an ordinary race
  bool preflight = false;  ///< agents wait until the baseline has shown that checks can work here
  bool base_fails =
      false;       ///< `hydra race --base-fails`: race although the base's checks can judge no result
  int rounds = 1;  ///< number of times that each agent may work on its result (`hydra race --rounds`); >= 1
  bool until_green = false;  ///< `hydra race --until green`: others stop when one result is good enough
  bool check_only = false;   ///< `hydra check`: the baseline alone, no agents
  std::string kind{};        ///< kind of the task as asked for ("bugfix"); empty: derived from its words
  std::map<std::string, std::string> labels{};    ///< labels set by the user
  std::map<std::string, std::string> versions{};  ///< by agent id, as far as probes found them
};

/// Returns whether agents and checks of this race are isolated at all.
inline bool sandboxed(const RaceSpec& spec) { return spec.isolation > Isolation::none; }
/// Returns whether jobs run in a container: paths that are not bound are then the image's.
inline bool contained(const RaceSpec& spec) {
  return spec.isolation == Isolation::podman || spec.isolation == Isolation::docker;
}

/// Returns the kind of work of a race; any other word ("feature") means code.
TaskKind task_kind(const RaceSpec& spec);

}  // namespace hydra::model
