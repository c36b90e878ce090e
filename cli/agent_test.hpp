// cli: `hydra agents test NAME`: one tiny run of an agent against its configured model, in a throw-away
// repository, and what it shows: does it start, sign in, edit a file, end, and say what it used?
#pragma once

#include "cli/context.hpp"
#include "cli/render/views.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// One thing that has to work. `ok`: yes, no, or nothing: it did not get so far.
struct TestStep {
  std::string name;  ///< installed, starts, signs in, edits a file, ends, usage known
  std::optional<bool> ok;
  std::string detail;  ///< what was seen; hostile
};

struct AgentTest {
  std::string agent, model, version, race;
  std::string outcome, error_class, remedy;  ///< remedy: empty when everything works
  bool ok = false;                           ///< usage may be unknown all the same
  std::vector<TestStep> steps;
  model::Usage tokens;
  std::optional<double> cost_usd;
  bool cost_estimated = false;
  double duration_seconds = 0;
};

/// What the results of the tiny race say of its one agent. Pure. `protocol`: no results.
Result<AgentTest> judge_agent_test(std::string_view results_json);
/// As `hydra agents test --json` prints it.
std::string to_json(const AgentTest& test);

struct AgentTestOptions {
  std::string agent;  ///< NAME or NAME=MODEL
  std::string timeout, sandbox;
  bool json = false;
};
/// Runs it. The exit code: 0 it works, 1 it does not.
Result<int> run_agent_test(const AgentTestOptions& options, Context& context);

}  // namespace hydra::cli
