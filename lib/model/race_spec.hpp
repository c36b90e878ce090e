// model: everything that a race is about, frozen when it starts.
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

/// The user's repository as it was when the race started (core recipes, section 1). Paths are absolute and
/// real.
struct RepositoryFacts {
  std::string root;          ///< top level of the user's checkout
  std::string subdirectory;  ///< where the user stood, relative to root; may be empty
  std::string git_dir;
  std::string common_dir;
  std::string object_format;  ///< "sha1" or "sha256"
  std::string base;           ///< commit id that agents start from
  std::string base_tree;
  std::string head_ref;  ///< "refs/heads/main"; empty: detached HEAD
  std::string head;      ///< commit id of HEAD when the race started
  std::string user_name, user_email;
  std::string origin;  ///< URL of the user's remote of that name, without a password; empty: none
  std::vector<std::pair<std::string, std::string>> conversion;  ///< frozen filters, line ends, ignore case
  std::string excludes_file;                                    ///< user's core.excludesFile; may be empty
  std::vector<std::string> alternates;  ///< object directories that the user's own alternates name
  bool shallow = false;
  bool partial = false;  ///< a promisor remote
  bool sparse = false;
  bool safe_directory = false;  ///< owned by somebody else and allowed by the user's configuration
  bool has_submodules = false;
  std::vector<std::string> empty_submodules;  ///< those of the base that no clone of the user's can fill
  std::uint64_t file_count = 0;               ///< entries of the base tree
  std::vector<std::string>
      dirty;  ///< paths changed in the user's checkout that the base does not have (at most 100)
  bool included_dirty = false;  ///< base is a snapshot commit of the dirty checkout
};

/// One runner of a race. "codex:2" makes two entries: codex and codex-2; `--attempts 2` makes two attempts of
/// each: codex#1, codex#2.
struct AgentEntry {
  std::string name;   ///< unique in the race, in any letter case, [A-Za-z0-9-] and of an attempt #N: the name
                      ///< in branches
  std::string id;     ///< key of Config::agents
  std::string model;  ///< may be empty
  std::string entry{};  ///< whose attempt it is: "codex"; empty: it is the only one
  int attempt = 1;
  /// It sees the task and no result, and writes tests only ([selection] testers): no candidate.
  bool tester = false;
  /// Its entry: its own name where it is the only attempt.
  [[nodiscard]] const std::string& entry_name() const { return entry.empty() ? name : entry; }
};

/// What the task is about (`hydra race --kind`): which changes count as work on it.
enum class TaskKind {
  code,
  docs,    ///< documentation and comments are the work
  tests,   ///< tests are the work: what they notice is what counts
  bugfix,  ///< a test that fails on the base is part of the work
};
template <>
inline constexpr auto kWords<TaskKind> = words<TaskKind>("code", "docs", "tests", "bugfix");

struct RaceSpec {
  std::string id;
  std::int64_t created_ms = 0;  ///< Unix time
  std::string task;             ///< the prompt; any bytes but NUL, valid UTF-8
  RepositoryFacts repository;
  Config config;                   ///< config.agents holds the descriptors of this race's agents only
  std::vector<AgentEntry> agents;  ///< in the order in which they were asked for
  std::vector<std::pair<std::string, std::string>>
      environment;                        ///< frozen, without secrets: PATH, HOME, LANG, …
  std::vector<std::string> secret_names;  ///< names of variables that live in memory only
  bool fresh_baseline = false;            ///< ignore the cache of baseline evidence
  std::string token;                      ///< 128 random bits: attempt tokens are derived from it
  Isolation isolation{};                  ///< what the sandbox mode came to on this machine
  std::string isolation_note;             ///< why it is "none" under mode auto; may be empty
  std::string image{};  ///< of a container: its id, "sha256:…", as it was resolved once for the race
  TreeRung tree_rung{};
  std::string hidden_source;              ///< where the user keeps the hidden tests; empty: none
  std::string hidden_digest;              ///< of their paths and bytes
  std::vector<std::string> hidden_tests;  ///< their paths in the tree, sorted
  std::string verifies;      ///< the race whose stored results are checked again; empty: a race of its own
  bool preflight = false;    ///< agents wait until the baseline has shown that checks can work here
  int rounds = 1;            ///< how often each agent may work on its result (`hydra race --rounds`); >= 1
  bool until_green = false;  ///< `hydra race --until green`: the others stop when one result is enough
  bool check_only = false;   ///< `hydra check`: the baseline alone, no agents
  std::string kind{};        ///< of task, as asked for ("bugfix"); empty: its words decide
  std::map<std::string, std::string> labels{};    ///< of the user's own
  std::map<std::string, std::string> versions{};  ///< of agents' programs, by id, where a probe knew them
};

/// Whether agents and checks of this race are isolated at all.
inline bool sandboxed(const RaceSpec& spec) { return spec.isolation > Isolation::none; }
/// Whether in a container: then what is not bound is the image's, not the machine's.
inline bool contained(const RaceSpec& spec) {
  return spec.isolation == Isolation::podman || spec.isolation == Isolation::docker;
}

/// What a race of this kind takes for work; any other kind ("feature") is about code.
TaskKind task_kind(const RaceSpec& spec);

}  // namespace hydra::model
