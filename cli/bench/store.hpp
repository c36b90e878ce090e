// cli: what a run of a suite keeps on disk: what it is, and each race that it makes, written down before it
// is asked for. What came of the races is in the daemon's history; so a SIGKILL of everything loses nothing
// (docs/suites.md, "Resume").
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::cli {

struct BenchRun {
  std::string id;      ///< sorts by time
  std::string suite;   ///< its name
  std::string source;  ///< absolute path of the suite
  std::string agents;  ///< as --agents
  int attempts = 1;
  std::vector<std::string> tasks;
  std::string repositories, test_command;  ///< suite::ReadOptions
  bool validation = false;
};

class BenchStore {
 public:
  /// `state`: Hydra's state directory.
  explicit BenchStore(const std::filesystem::path& state) : root_(state / "suites") {}

  [[nodiscard]] std::filesystem::path directory(const std::string& run) const { return root_ / run; }
  [[nodiscard]] std::filesystem::path task(const std::string& run, const std::string& name) const {
    return root_ / run / "tasks" / name;
  }
  /// Durable once it returns.
  Result<void> create(const BenchRun& run) const;
  /// All runs, oldest first. One that can't be read is left out.
  [[nodiscard]] std::vector<BenchRun> runs() const;
  Result<BenchRun> read(const std::string& run) const;
  /// Durable once it returns: "this race will be asked for, for this task".
  Result<void> note_race(const std::string& run, const std::string& task, const std::string& race) const;
  /// (task, race) in their order; a line that was cut off by a crash was never acted upon, and is left out.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> races(const std::string& run) const;

 private:
  std::filesystem::path root_;
};

}  // namespace hydra::cli
