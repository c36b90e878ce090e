// cli: `hydra agents test NAME`: one small run of an agent with its configured model in a throw-away
// repository, and the findings: start, sign-in, edit, end, usage.
#pragma once

#include "cli/context.hpp"
#include "cli/render/views.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// A step of the test; `ok`: absent if the run did not get that far.
struct TestStep {
  std::string name;  ///< installed, starts, signs in, edits a file, ends, usage known
  std::optional<bool> ok;
  std::string detail;  ///< observation; untrusted text
};

struct AgentTest {
  std::string agent, model, version, race;
  model::Outcome outcome{};
  model::ErrorClass error_class{};
  std::string remedy;  ///< empty if everything works
  bool ok = false;     ///< true even if usage is unknown
  std::vector<TestStep> steps;
  model::Usage tokens;
  std::optional<double> cost_usd;
  bool cost_estimated = false;
  double duration_seconds = 0;
};

/// Judges the only agent in the results of the small race. Pure. `protocol`: no results.
Result<AgentTest> judge_agent_test(std::string_view results_json);
/// Returns the output of `hydra agents test --json`.
std::string to_json(const AgentTest& test);

struct AgentTestOptions {
  std::string agent;  ///< NAME or NAME=MODEL
  std::string timeout, sandbox;
  bool json = false;
};
/// Runs the test. Exit code: 0 the agent works, 1 it does not.
Result<int> run_agent_test(const AgentTestOptions& options, Context& context);

}  // namespace hydra::cli
