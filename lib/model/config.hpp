// model: the content of hydra.toml with its defaults. `config` reads it; a race freezes it at its start.
#pragma once

#include "model/agent_descriptor.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::model {

/// Weights of docs/scoring.md: finite, >= 0, and not all 0 (docs/scoring.md, H10).
struct Weights {
  double build = 30;
  double tests = 30;
  double lint = 15;
  double diff_size = 15;
  double speed = 10;
  double judges = 0;  ///< of [[judges]] and people (docs/selection.md); not in the specification
};

/// Points in [0, 100]; comparisons are strict and unrounded (docs/scoring.md, H14).
struct Thresholds {
  double auto_merge_minimum = 85.0;
  double fail_maximum = 30.0;
};

/// Order of eligible results (docs/scoring.md, H23).
enum class Order {
  evidence,   ///< tests and evidence points first, the composite within a tie
  composite,  ///< composite alone: the specification's plain order
};
template <>
inline constexpr auto kWords<Order> = words<Order>("evidence", "composite");

struct ScoringConfig {
  Weights weights;
  std::optional<std::string> build_command;  ///< run by `sh -c`; absent: dimension not configured
  std::optional<std::string> test_command;
  std::optional<std::string> lint_command;
  /// Files that the tests write below {reports} ($HYDRA_REPORTS), as "{reports}/junit.xml"; the last
  /// component may have '*'. Reports are preferred to the output.
  std::vector<std::string> test_reports;
  double timeout_per_check_seconds = 120;  ///< > 0, <= 86400
  Thresholds thresholds;
  /// Whether a change without an effect counts (docs/scoring.md, H13 and H25). Only suites set this member.
  bool allow_trivial = false;
  Order order = Order::evidence;  ///< key: [evaluation] order
};

enum class CheckPlace { fresh, in_place };
template <>
inline constexpr auto kWords<CheckPlace> = words<CheckPlace>("fresh", "in_place");
/// The directories of agents: one checkout each, or one overlay layer each over a shared checkout of the
/// base.
enum class Worktrees { automatic, checkout, overlay };
template <>
inline constexpr auto kWords<Worktrees> = words<Worktrees>("auto", "checkout", "overlay");

/// Home of an agent in a sandbox: with the user's instructions, skills and commands, or plain; automatic:
/// plain for tasks of suites.
enum class AgentHome { automatic, user, plain };
template <>
inline constexpr auto kWords<AgentHome> = words<AgentHome>("auto", "user", "plain");

struct WorkspaceConfig {
  CheckPlace checks = CheckPlace::fresh;  ///< in_place: in the agent's directory after its capture (weaker)
  Worktrees worktrees = Worktrees::automatic;
  AgentHome home = AgentHome::automatic;
  /// Directory of commands, relative to the repository's root: that of hydra.toml; empty: the root.
  std::string directory;
  std::optional<std::string> setup;  ///< run by `sh -c` in the template; again after a changed manifest
  bool setup_network = false;        ///< the set-up may use the network even if checks may not
  std::vector<std::string> copy;     ///< paths of the user's checkout, copied into every workspace (".env")
  std::vector<std::string>
      share;  ///< dependency directories of the user's checkout, copied into the template
  /// Build results as patterns of base/glob.hpp: kept warm, removed where a candidate deletes sources.
  std::vector<std::string> outputs;
  std::optional<std::string> warm;  ///< run by `sh -c` in the template after the build
  std::optional<std::string> run;   ///< run by `sh -c` for `hydra try`; listens on $PORT
  std::vector<std::string> caches;  ///< names of config/ecosystem.hpp, or "~/PATH"
  /// Further paths that checks and agents may read, relative to the repository or absolute.
  std::vector<std::string> read;
  /// Variables of set-up, checks and agents: "NAME=VALUE", or the NAME of a variable of the user's shell.
  std::vector<std::string> env;
  std::vector<std::string> env_pass;  ///< further variables of the user's shell, by NAME or PREFIX_*
  /// "PLACE=SOURCE": shows SOURCE, a path in the tree (".": commands run in PLACE), a host path (read-only)
  /// or {reports}, at PLACE; a missing SOURCE is skipped. Only suites set it (docs/suites.md), hydra.toml
  /// cannot.
  std::vector<std::string> mounts;
};

struct LimitsConfig {
  double agent_timeout_seconds = 1800;  ///< wall clock of one agent; > 0
  int agents = 32;                      ///< agents at once, over all races of the daemon; 0: no limit
  int checks = 0;                       ///< checks at once; 0: number of cores
  std::uint64_t memory_bytes = 0;       ///< per agent and per check; 0: no limit
  int processes = 4096;                 ///< per agent and per check; 0: no limit
  std::uint64_t disk_bytes = 0;         ///< growth of the files that one agent or check writes; 0: no limit
  int disk_free_mib = 512;  ///< MiB of each disk that jobs must leave free at least; 0: no such reserve
  double disk_gib = 0;      ///< GiB of races and templates beyond which no new race starts; 0: no limit
  double budget_usd = 0;    ///< US dollars of one agent, over all its attempts; 0: no limit
  std::uint64_t budget_tokens = 0;       ///< adapters::counted_tokens() of one agent; 0: no limit
  double race_budget_usd = 0;            ///< US dollars of all agents of a race; 0: no limit
  std::uint64_t race_budget_tokens = 0;  ///< tokens of all agents of a race; 0: no limit
  /// Seconds without progress after which an agent is stopped; 0: no limit; absent: 900 for JSON Lines
  /// streams, else no limit.
  std::optional<double> idle_timeout;
  int per_provider = 4;  ///< agents of one provider at once, over all races; 0: no limit
  int retries = 0;       ///< automatic retries of one agent after a rate limit or provider error; 0 to 5
  double retry_delay_seconds = 30;  ///< delay before the first retry; doubles with each; >= 0
};

/// How much work is spent on making a result trustworthy (docs/integrity.md).
enum class Verify {
  fast,      ///< protected paths restored; one run only
  standard,  ///< also the agent's own tests when it changed protected ones, and a rerun of failures
  strict,    ///< also a second run of every result from nothing
};
template <>
inline constexpr auto kWords<Verify> = words<Verify>("fast", "standard", "strict");
struct EvaluationConfig {
  Verify verify = Verify::standard;
  std::vector<std::string> protected_paths,
      unprotected_paths;              ///< globs; unprotected: exceptions from the built-in set
  std::optional<std::string> hidden;  ///< directory of hidden tests, laid over the tree for checks only
  /// Whether findings of the tamper report count; suites, whose checks nobody can change, only show them.
  bool findings_count = true;
  double budget = 1;  ///< time of cross tests and twins, to that of the results' checks; 0: none run
};

/// Whether cross tests and changed tests may run at all.
inline bool asks_further(const EvaluationConfig& config) {
  return config.verify == Verify::strict || (config.verify == Verify::standard && config.budget > 0);
}

/// [selection]: measurements that tell right results from wrong ones (docs/selection.md).
struct SelectionConfig {
  std::vector<std::string> testers;  ///< agents that see the task but no result, and write tests only
};

/// [[judges]]: a command or an agent's CLI that scores each result of a race from 0 to 1 (docs/selection.md).
struct JudgeConfig {
  std::string name;                    ///< [a-z0-9-], unique
  std::optional<std::string> command;  ///< run by `sh -c` in the result's tree; absent: `agent`
  std::string agent;                   ///< "NAME" or "NAME=MODEL"; empty: `command`
  std::string rubric;                  ///< criteria for the judge; may be empty
  double stake = 1;                    ///< weight of the judge's score; > 0
  double budget_usd = 0;  ///< US dollars of all its judgements in a race; checked before each; 0: no limit
};

enum class SandboxMode { required, automatic, off };
template <>
inline constexpr auto kWords<SandboxMode> = words<SandboxMode>("required", "auto", "off");

/// The sandbox's engine: bubblewrap on the machine's own files, or a container engine with an image.
enum class SandboxEngine { bwrap, podman, docker };
template <>
inline constexpr auto kWords<SandboxEngine> = words<SandboxEngine>("bwrap", "podman", "docker");

struct SandboxConfig {
  SandboxMode mode = SandboxMode::required;
  bool check_network = false;      ///< checks may use the network
  std::vector<std::string> read;   ///< paths bound read-only in addition ("~/.cargo"); ~ is the user's home
  std::vector<std::string> write;  ///< paths bound writable for agents in addition; every result names them
  /// Absolute paths hidden from agents and checks. Only suites set this member; hydra.toml has no key for it.
  std::vector<std::string> hide;
  SandboxEngine isolation = SandboxEngine::bwrap;
  /// For podman and docker: a name that the engine has or can pull, or a path ("./Containerfile", absolute)
  /// that builds the image.
  std::optional<std::string> image;
};

/// The place of jobs: this machine or a cluster (docs/cluster.md).
enum class Placement { local, slurm };
template <>
inline constexpr auto kWords<Placement> = words<Placement>("local", "slurm");

struct ExecutionConfig {
  Placement placement = Placement::local;
  int window = 0;  ///< jobs that Slurm has at once, over all races; Hydra sets it by the partition
  std::vector<std::string> sbatch;     ///< options of sbatch: "--partition=main"
  std::optional<std::string> scratch;  ///< directory on each node's own disk, for worktrees
};

/// The confidence word below which no result is merged automatically (docs/selection.md).
enum class EvidenceFloor { any, some, good };
template <>
inline constexpr auto kWords<EvidenceFloor> = words<EvidenceFloor>("any", "some", "good");

enum class MergeStyle { merge, squash, ff_only };
template <>
inline constexpr auto kWords<MergeStyle> = words<MergeStyle>("merge", "squash", "ff_only");

struct MergeConfig {
  bool automatic = false;  ///< key `auto`: merge a winner above auto_merge_minimum
  MergeStyle style = MergeStyle::merge;
  EvidenceFloor auto_merge_evidence = EvidenceFloor::some;
  std::optional<std::string> message;  ///< {task}, {agent}, {branch}, {score} are replaced
};

/// Notifications about the end of a race. Their text comes from Hydra and the user, never from an agent.
struct NotifyConfig {
  std::vector<std::string> command;  ///< argv; receives the end as JSON on its standard input
  std::string webhook;               ///< http or https URL that receives the same JSON by POST; empty: none
};

/// How a competition's weights follow from its scores, and how they decay (docs/suites.md). The order is
/// that of scoring::term.
enum class StandingsStrategy { linear, winner_takes_all, quadratic, ranked };
template <>
inline constexpr auto kWords<StandingsStrategy> = words<StandingsStrategy>("linear", "winner_takes_all",
                                                                           "quadratic", "ranked");
enum class DecayCurve { linear, exponential };
template <>
inline constexpr auto kWords<DecayCurve> = words<DecayCurve>("linear", "exponential");
/// A running competition, with the specification's defaults. Only `hydra standings` reads it; no race freezes
/// it.
struct StandingsConfig {
  std::vector<std::string> competitions;  ///< "KIND=ALPHA", or a suite's name; empty: one over everything
  std::vector<std::string> stakes;        ///< "VALIDATOR=STAKE"; other validators have stake 1
  int min_validators = 3;
  double min_stake_fraction = 0.3;
  double outlier_threshold = 3.5;
  StandingsStrategy strategy = StandingsStrategy::linear;
  int top_n = 1;  ///< for winner_takes_all
  double cap = 0.5;
  double improvement = 0.02;
  int grace_epochs = 10;
  DecayCurve decay = DecayCurve::linear;
  double decay_rate = 0.05;
  double max_burn = 80;  ///< percent
};

/// Weights of the bounded reward (docs/scoring.md, "Reward"). `hydra export` reads them; no race freezes
/// them.
struct RewardWeights {
  double damage_dealt = 0.5;      ///< >= 0
  double damage_received = -0.7;  ///< <= 0
  double survival = 0.1;          ///< [-2, 2]
  double wasted_action = -0.02;   ///< <= 0
  double death_penalty = -1.0;    ///< [-2, -1]
};

/// US dollars per million tokens.
struct Price {
  double input = 0;
  double output = 0;
  std::optional<double> cache_read;   ///< absent: as input
  std::optional<double> cache_write;  ///< absent: as input
};

/// Whether agents wait for the baseline's checks.
enum class Preflight {
  automatic,  ///< until these checks have once worked in this repository
  always,
  never,
};
template <>
inline constexpr auto kWords<Preflight> = words<Preflight>("auto", "always", "never");

struct Config {
  ScoringConfig scoring;
  WorkspaceConfig workspace;
  EvaluationConfig evaluation;
  SelectionConfig selection;
  LimitsConfig limits;
  SandboxConfig sandbox;
  ExecutionConfig execution;
  MergeConfig merge;
  NotifyConfig notify;
  RewardWeights reward;
  StandingsConfig standings;
  std::vector<JudgeConfig> judges;             ///< [[judges]]; of the last configuration file that has any
  Preflight preflight = Preflight::automatic;  ///< [race] preflight
  std::vector<std::string> default_agents;     ///< [race] agents = ["claude", "codex:2"]
  std::map<std::string, AgentDescriptor>
      agents;                           ///< [agents.NAME]: complete descriptors after merging with built-ins
  std::map<std::string, Price> prices;  ///< [prices.MODEL]: over the built-in table
};

}  // namespace hydra::model
