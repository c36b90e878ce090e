// cli: runs a suite: one race per task, several at once, until every key has a verdict. A run resumes from
// the journal and the daemon's history.
#pragma once

#include "cli/bench/race.hpp"
#include "cli/context.hpp"
#include "suite/board.hpp"
#include "suite/suite.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hydra::cli {

struct BenchPlan {
  BenchRun run;
  suite::Suite suite;                      ///< only the run's tasks that can run on this machine
  std::vector<model::AgentEntry> entries;  ///< entries without attempts
  model::Config config;
  int jobs = 1;   ///< number of races at once
  Budget budget;  ///< limits for the whole run, earlier spending included
  bool timed = false;
};

/// End of a run, besides the board.
struct BenchEnd {
  std::map<std::string, std::string> failed;  ///< tasks that could not be started, with the reason
  std::map<std::string, std::string> races;   ///< the last race of each task
  bool interrupted = false, over_budget = false;
};

/// Progress shown during a run.
struct BenchNews {
  std::string task;  ///< task that has just ended; empty: none
  std::size_t tasks_done = 0, tasks = 0, running = 0;
  std::int64_t left_ms = -1;  ///< estimated time left; -1: unknown
};
using OnBenchNews = std::function<void(const BenchNews&, const suite::Board&)>;

/// Runs each agent of the plan once for its version, so that the daemon knows the version of the next races;
/// returns those that were found, by id.
Result<std::map<std::string, std::string>> probed_versions(const BenchPlan& plan, const Context& context);

class BenchDriver {
 public:
  BenchDriver(Context& context, BenchStore store, BenchPlan plan);
  ~BenchDriver();

  /// Returns when every key has a verdict or too many lost runs, the budget is spent, or a signal came.
  /// Error: the machine cannot run the suite.
  Result<BenchEnd> carry_out(const OnBenchNews& on_news);
  [[nodiscard]] const suite::Board& board() const { return board_; }

 private:
  struct Work;
  Result<void> read_history();
  Result<std::size_t> take_page(const std::string& body, std::int64_t& next);
  Result<void> adopt();
  Result<void> fill();
  Result<bool> start(Work& work);
  Result<bool> ask(Work& work, const std::string& id, const TaskFiles& files,
                   const std::vector<model::AgentEntry>& agents);
  void close(const std::string& race);
  void tell(const std::string& task, const OnBenchNews& on_news) const;
  [[nodiscard]] bool affordable() const;
  void share_budget(model::Config& config, Work& work) const;
  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] bool wants(const Work& work) const;
  Result<std::string> call(std::string_view method, const std::string& target, const std::string& body = {});

  Context& context_;
  BenchStore store_;
  BenchPlan plan_;
  suite::Board board_;
  std::vector<std::unique_ptr<Work>> work_;
  std::map<std::string, Work*> by_race_;
  std::optional<client::Client> client_;
  bool reached_ = false;    ///< whether a daemon was reached before
  std::int64_t after_ = 0;  ///< id of the last history entry read
  std::int64_t begun_ms_ = 0, verdicts_before_ = 0;
  std::vector<std::string> ended_;  ///< tasks that ended since the last news
  BenchEnd end_;
};

}  // namespace hydra::cli
