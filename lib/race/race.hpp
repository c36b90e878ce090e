// race: a race in the daemon's memory: its fold, and transient state of the running daemon.
#pragma once

#include "adapters/adapters.hpp"
#include "config/ecosystem.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "race/agents/agent_files.hpp"
#include "race/agents/usage_file.hpp"
#include "race/layout.hpp"
#include "race/limits/slots.hpp"
#include "race/state/state.hpp"
#include "race/state/watch.hpp"
#include "trees/identity.hpp"
#include "trees/workspace.hpp"

#include <boost/asio/steady_timer.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hydra::race {

/// Transient state of a running agent; never stored.
struct Live {
  std::unique_ptr<adapters::StreamReader> reader;
  std::int64_t offset = 0;
  bool skipped = false;  ///< a part of the log was gone before it was read
  Watch watch;
  bool stopping = false;       ///< a stop was asked for
  bool told_unpriced = false;  ///< the note that the dollar budget can't be applied was given
  std::int64_t usage_at_ms = 0;
  std::size_t usage_hash = 0;  ///< hash of the usage file's last content
  bool usage_running = false;
  UsageLogSizes usage_log_sizes;
  model::DiffStat diff;
  std::int64_t diff_at_ms = 0;
  bool diff_running = false;
  std::vector<std::array<std::int64_t, 3>> growth;  ///< [Unix time, lines added, removed], the newest 60
};

/// An agent that is queued or runs.
struct AgentQueueEntry {
  enum class Stage { sign_in, provider, files, running };
  Stage stage = Stage::provider;
  bool shared_sign_in = false;  ///< the sign-in may have been renewed by its previous holder
  Holding held;                 ///< its sign-in, its place among all agents
};

/// Why check workspaces can't be made.
struct SubjectProblem {
  std::string reason;
  std::string attempt;  ///< attempt of the failed command
  std::optional<model::Advice> advice;
  bool cancelled = false;  ///< a user cancelled it
};

/// A race in memory: its fold and transient state of the daemon.
struct Race {
  Race(const fs::path& state_directory, const std::string& id) : layout(state_directory, id) {}

  State state;
  Layout layout;
  std::optional<git::Store> store;
  std::shared_ptr<trees::WorkspaceProvider> workspaces;
  std::shared_ptr<trees::Surroundings> surroundings = std::make_shared<trees::Surroundings>();
  std::shared_ptr<integrity::KnownRules> rules = std::make_shared<integrity::KnownRules>();
  SecretEnv secrets;
  std::unique_ptr<SlotPool> own_check_slots;  ///< [limits] checks; null: the daemon's slots
  std::map<std::string, Live> live;
  std::map<model::Subject, std::set<std::string>> running_checks;  ///< keys at the executor
  std::string baseline_key;
  config::EcosystemSet tools;  ///< ecosystems of the base; valid once with_template() has called back
  bool tools_known = false;
  std::string template_digest;  ///< template that `workspaces` use; protected from eviction
  using OnTemplate = std::function<void(const std::optional<SubjectProblem>&)>;
  std::vector<OnTemplate> template_waiters;
  std::map<std::string, AgentQueueEntry> queue;     ///< by agent
  std::map<std::string, std::int64_t> retry_at_ms;  ///< agents with an automatic retry: Unix time
  std::map<std::string, std::string> wants_room;    ///< by agent, "" for the race: retried work, and why
  std::optional<adapters::PriceTable> prices;
  std::unique_ptr<boost::asio::steady_timer> preflight_timer;  ///< agents begin, though the base's checks run
  std::unique_ptr<boost::asio::steady_timer> green_timer;      ///< the grace time of `--until green`
};
using RacePtr = std::shared_ptr<Race>;

/// Applies the limits on concurrent checks: [limits], and a cluster's window.
void set_limits(Race& race);

}  // namespace hydra::race
