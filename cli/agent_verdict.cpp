// The judgement of `hydra agents test` on its small race, and its JSON.
#include "cli/agent_test.hpp"
#include "cli/json_fields.hpp"
#include "wire/json.hpp"

namespace hydra::cli {
namespace {

using model::Outcome;
using nlohmann::json;

/// Returns the remedy at the end of a verdict's message: "it reported an error: …; do this" -> "do this".
std::string todo(const std::string& message) {
  const auto at = message.rfind("; ");
  return at == std::string::npos ? message : message.substr(at + 2);
}

void add_steps(AgentTest& test, const std::string& message, std::int64_t files) {
  const bool completed = ended_well(test.outcome) || test.outcome == Outcome::misconfigured;
  const bool started = test.outcome != Outcome::launch_error && test.outcome != Outcome::lost;
  const bool answered = completed || files > 0 || test.tokens.output.value_or(0) > 0;
  const bool refused = test.error_class == model::ErrorClass::auth;
  test.steps.push_back({"starts", started || refused, started ? "" : message});
  std::optional<bool> signed_in;
  if (refused)
    signed_in = false;
  else if (answered)
    signed_in = true;
  test.steps.push_back({"signs in", signed_in, refused ? message : ""});
  std::optional<bool> edits;
  if (answered || completed) edits = files > 0;
  test.steps.push_back({"edits a file", edits,
                        edits && !*edits ? (completed ? "it ended and changed nothing" : message) : ""});
  std::optional<bool> ends;
  if (started && !refused) ends = completed;
  test.steps.push_back(
      {"ends", ends, ends && !*ends ? std::string(name(test.outcome)) + ": " + message : ""});
  std::optional<bool> usage;
  if (completed) usage = test.tokens.input && test.tokens.output;
  test.steps.push_back(
      {"usage known", usage, usage && !*usage ? "its output names no tokens: budgets can't count them" : ""});
}

}  // namespace

Result<AgentTest> judge_agent_test(std::string_view results_json) {
  HYDRA_TRY(const auto results, wire::from_json<wire::Results>(results_json));
  if (results.agents.empty())
    return Error{Errc::protocol, "the daemon gave no results", {}, "hydra daemon stop"};
  const auto& row = results.agents.front();
  AgentTest test;
  test.race = results.race;
  test.agent = row.agent;
  test.model = row.model;
  test.outcome = row.outcome;
  test.error_class = row.error_class;
  test.tokens = row.tokens;
  test.cost_usd = row.cost_usd;
  test.cost_estimated = row.cost_estimated;
  test.duration_seconds = row.duration_seconds.value_or(0);
  const auto files = row.diff.files_changed;
  // If the race failed before its agent started, the race's reason tells why.
  const auto& message = row.message.empty() ? results.reason : row.message;
  add_steps(test, message, files);
  const bool completed = ended_well(test.outcome);
  test.ok = completed && files > 0;
  if (!test.ok)
    test.remedy =
        completed ? "it may need a stronger model or permission to act in its `command`" : todo(message);
  return test;
}

std::string to_json(const AgentTest& test) {
  json steps = json::array();
  for (const auto& step : test.steps)
    steps.push_back({{"name", step.name}, {"ok", or_null(step.ok)}, {"detail", step.detail}});
  const json out{
      {"schema", 1},
      {"agent", test.agent},
      {"model", test.model},
      {"version", test.version},
      {"ok", test.ok},
      {"steps", steps},
      {"outcome", name(test.outcome)},
      {"class", test.error_class == model::ErrorClass::none ? json(nullptr) : json(name(test.error_class))},
      {"remedy", test.remedy},
      {"race", test.race},
      {"duration_seconds", test.duration_seconds},
      {"tokens",
       {{"input", or_null(test.tokens.input)},
        {"output", or_null(test.tokens.output)},
        {"cache_read", or_null(test.tokens.cache_read)},
        {"cache_write", or_null(test.tokens.cache_write)}}},
      {"cost_usd", or_null(test.cost_usd)},
      {"cost_estimated", test.cost_estimated}};
  return one_line(out);
}

}  // namespace hydra::cli
