// cli: the files of a suite's run: its description, and each race, noted before the race is requested.
// Outcomes are in the daemon's history, so SIGKILL of all processes loses nothing (docs/suites.md, "Resume").
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::cli {

struct BenchRun {
  std::string id;      ///< run id; sorts by time
  std::string suite;   ///< name of the suite
  std::string source;  ///< absolute path of the suite
  std::string agents;  ///< value of --agents
  int attempts = 1;
  std::vector<std::string> tasks;
  std::string repositories, test_command;  ///< members of suite::ReadOptions
  bool validation = false;
  std::map<std::string, std::string> digests{};   ///< suite::digest_of() of each task
  std::map<std::string, std::string> versions{};  ///< of the agents by id, by their probes when the run began
  std::map<std::string, std::string> labels{};    ///< labels set by the user
};

class BenchStore {
 public:
  /// `state`: Hydra's state directory.
  explicit BenchStore(const std::filesystem::path& state) : root_(state / "suites") {}

  [[nodiscard]] std::filesystem::path directory(const std::string& run) const { return root_ / run; }
  [[nodiscard]] std::filesystem::path task(const std::string& run, const std::string& name) const {
    return root_ / run / "tasks" / name;
  }
  /// Writes the run; durable on return.
  Result<void> create(const BenchRun& run) const;
  /// Returns all runs, oldest first; unreadable runs are left out.
  [[nodiscard]] std::vector<BenchRun> runs() const;
  Result<BenchRun> read(const std::string& run) const;
  /// Notes that `race` will be requested for `task`; durable on return.
  Result<void> note_race(const std::string& run, const std::string& task, const std::string& race) const;
  /// Returns the directories of all runs, unreadable ones included.
  [[nodiscard]] std::vector<std::filesystem::path> directories() const;
  /// Returns (task, race) in order. A line torn by a crash is left out, since its race was never requested.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> races(const std::string& run) const;

 private:
  std::filesystem::path root_;
};

}  // namespace hydra::cli
