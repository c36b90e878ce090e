// race: values of a race's secrets, to be redacted; in memory only. A restarted daemon knows those in its
// environment, the configuration and sign-in files (docs/adapters.md, "What it sees of your environment").
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

/// Values and their names, longest value first; no value is shorter than 8 bytes. Forms of a value in JSON
/// strings, URLs and base64 are included if they differ.
using Secrets = std::vector<std::pair<std::string, std::string>>;

/// Returns the variables of an environment that an agent's descriptor, their name or their value marks as
/// secret.
Secrets secrets_of(const model::RaceSpec& spec, const SecretEnv& environment);

/// The daemon's secrets of all races. In memory only; thread-safe.
class KnownSecrets {
 public:
  /// `starter`: environment of the process that started this daemon, with values of keys that an earlier
  /// daemon knew.
  explicit KnownSecrets(SecretEnv starter = {}) : starter_(std::move(starter)) {}

  /// Returns the secrets of a race: from agents started by this daemon, `environment`, the daemon's variables
  /// under the race's names, the race's configuration, and sign-in files (docs/adapters.md).
  Secrets of_race(const model::RaceSpec& spec, const SecretEnv& environment);
  /// Remembers the environment or renewed sign-in of an agent; the newest 256 races are kept.
  void remember(const model::RaceSpec& spec, const SecretEnv& environment);
  /// Returns a variable of the daemon or its starter; nullopt: neither has it.
  [[nodiscard]] std::optional<std::string> of_starter(const std::string& name) const;

 private:
  struct OfRace {
    std::string race;
    SecretEnv environment;
    std::set<std::string> sign_in;  ///< values of sign-in files, renewed ones in addition to earlier ones
  };
  [[nodiscard]] std::optional<OfRace> kept(const std::string& race) const;

  const SecretEnv starter_;
  mutable std::mutex mutex_;
  std::deque<OfRace> races_;
};

/// Replaces each value, plain or as in a JSON string, by "[redacted NAME]". Linear in the text for each
/// secret.
std::string without_secrets(std::string_view text, const Secrets& secrets);

/// Redacts the texts of an event that people read. Texts that the race depends on (names, commits, the task)
/// stay.
model::EventBody without_secrets(model::EventBody body, const Secrets& secrets);

/// Returns the names of secrets contained in these bytes, sorted.
std::vector<std::string> secrets_in(std::string_view bytes, const Secrets& secrets);

/// Returns how many final bytes of the text may begin a value whose rest is still to come.
std::size_t begun_secret(std::string_view text, const Secrets& secrets);

}  // namespace hydra::race
