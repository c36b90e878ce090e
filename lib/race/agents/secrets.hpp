// race: the values of a race's secrets, to be taken out of what is shown and stored. In memory only: a daemon
// that is started anew knows those that its own environment has under the stored names, the configuration's,
// and those of the sign-in files. docs/adapters.md, 'What it sees of your environment'.
#pragma once

#include "model/event.hpp"
#include "model/race_spec.hpp"
#include "race/agents/agent_files.hpp"

#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::race {

/// Values and the names that they have, the longest value first; none is shorter than 8 bytes. Where it
/// differs, a value is there as a JSON string, a URL and base64 have it, too.
using Secrets = std::vector<std::pair<std::string, std::string>>;

/// Those of an environment that an agent's descriptor, their name or their value calls secret.
Secrets secrets_of(const model::RaceSpec& spec, const SecretEnv& environment);

/// What a daemon knows of its races' secrets. In memory only; thread-safe.
class KnownSecrets {
 public:
  /// `starter`: what the environment of whoever started this daemon had: the values of keys that an earlier
  /// daemon knew.
  explicit KnownSecrets(SecretEnv starter = {}) : starter_(std::move(starter)) {}

  /// Those of a race, however it came into memory: what its agents were started with since this daemon began,
  /// `environment`, what the daemon's own environment has under the names that the race knows, what the
  /// race's configuration gives its agents, and what the sign-in files hold (docs/adapters.md).
  Secrets of_race(const model::RaceSpec& spec, const SecretEnv& environment);
  /// Remembers what an agent of this race is started with, or has renewed; the newest 256 races are kept.
  void remember(const model::RaceSpec& spec, const SecretEnv& environment);
  /// A variable as the daemon, or its starter, has it; nothing where neither does.
  [[nodiscard]] std::optional<std::string> of_starter(const std::string& name) const;

 private:
  struct OfRace {
    std::string race;
    SecretEnv environment;
    std::set<std::string> sign_in;  ///< values of sign-in files, renewed ones beside those before them
  };
  [[nodiscard]] std::optional<OfRace> kept(const std::string& race) const;

  const SecretEnv starter_;
  mutable std::mutex mutex_;
  std::deque<OfRace> races_;
};

/// The text with "[redacted NAME]" in the place of each value, plain or as a JSON string has it. Linear in
/// the text for each secret.
std::string without_secrets(std::string_view text, const Secrets& secrets);

/// The event without them, in texts that people read. What the race itself goes by (names, commits, the task)
/// is left as it is.
model::EventBody without_secrets(model::EventBody body, const Secrets& secrets);

/// Which of them stand in these bytes: names, sorted.
std::vector<std::string> secrets_in(std::string_view bytes, const Secrets& secrets);

/// How many bytes at the end of the text may be the begin of a value whose rest is still to come.
std::size_t begun_secret(std::string_view text, const Secrets& secrets);

}  // namespace hydra::race
