// cli: output of a suite's run: progress, table, JSON (docs/suites.md).
#pragma once

#include "cli/bench/run.hpp"
#include "cli/render/style.hpp"

#include <string>

namespace hydra::cli {

/// Returns "[12/300] fix-parser: codex 1, claude 0" for the task that has just ended.
std::string bench_task_line(const BenchNews& news, const suite::Board& board, const Style& style);
/// Returns "12 of 300 tasks, 2 running, about 3m left, $0.42 and 120.0k tokens spent".
std::string bench_status_line(const BenchNews& news, const suite::Board& board);
std::string bench_text(const BenchPlan& plan, const BenchEnd& end, const suite::Board& board,
                       const Style& style);
/// Returns {schema, suite, run, complete, rows, tasks, …}.
std::string bench_json(const BenchPlan& plan, const BenchEnd& end, const suite::Board& board);
/// Whether every key has a verdict.
bool complete(const BenchEnd& end, const suite::Board& board);

/// Lists the tasks left out before the start: broken ones, and those that need their image.
std::string left_out_text(const suite::Suite& suite, const Style& style);

}  // namespace hydra::cli
