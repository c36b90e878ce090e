#include "cli/mcp/tools.hpp"

#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/explain_block.hpp"
#include "cli/render/leaderboard_block.hpp"
#include "cli/render/live_table.hpp"

#include <algorithm>

namespace hydra::cli {
namespace {

constexpr std::size_t kDiffBytes = 200u << 10;

Json string_of(const char* description) { return {{"type", "string"}, {"description", description}}; }
Json truth_of(const char* description) { return {{"type", "boolean"}, {"description", description}}; }
Json list_of(const char* description) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}
Json texts_of(const char* description) {
  auto schema = list_of(description);
  schema["type"] = {"string", "array"};
  return schema;
}
Json count_of(const char* description, int low, int high) {
  return {{"type", "integer"}, {"description", description}, {"minimum", low}, {"maximum", high}};
}

const char* const kRace = "Id of a race, or a unique prefix of one; empty: the last race of the repository";
const char* const kAgent = "Name of an agent in the race, as codex or codex#2; empty: the winner";

// Adds the directory to a tool's properties, since one server may serve many projects.
Json taking(Json properties) {
  properties["directory"] =
      string_of("Absolute path in the git repository (default: where the server was started)");
  return properties;
}

Json changing(bool destructive, bool open_world) {
  return {{"readOnlyHint", false},
          {"destructiveHint", destructive},
          {"idempotentHint", false},
          {"openWorldHint", open_world}};
}

Json race_properties() {
  return taking(
      {{"task", string_of("The task of the agents, in full: they see nothing else of this conversation")},
       {"agents", texts_of("NAME[:TIMES][=MODEL], a list or with commas between, as claude,codex:2 "
                           "(default: those configured, else all signed-in ones)")},
       {"attempts", count_of("Run each agent so often", 1, 20)},
       {"rounds", count_of("Rounds: after each, agents are told what their results fail, and go on", 1, 10)},
       {"timeout", string_of("Wall time of each agent: 90s, 30m, 1h30m")},
       {"base", string_of("Commit that the agents start from (default: HEAD)")},
       {"include_dirty", truth_of("Start from the checkout with its uncommitted changes")},
       {"base_fails", truth_of("Race although no test of the base passes")},
       {"budget_usd", string_of("Stop an agent that has cost so many dollars")},
       {"race_budget_usd", string_of("Dollars of all agents together")},
       {"kind", string_of("Kind of task: bugfix, feature, docs, tests")},
       {"wait", truth_of("Answer when the race has ended, with progress meanwhile; cancelling the request "
                         "then cancels the race. Default: answer at once with the race's id")}});
}

Json merge_properties() {
  return taking(
      {{"race", string_of(kRace)},
       {"agent", string_of(kAgent)},
       {"squash", truth_of("One commit without the agent's history")},
       {"message", string_of("Message of the merge commit")},
       {"without", list_of("New files of the result to leave out, or directories")},
       {"with_generated", truth_of("Bring in new generated, vendored and usually ignored files, too")},
       {"allow", list_of("Kinds of changes that need the user's word, as merge_preview names them")}});
}

Result<McpAnswer> mcp_status(McpCall& call) {
  HYDRA_TRY(const auto target, mcp_race_target(call));
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto view, get<wire::Status>(client, target));
  McpAnswer out;
  out.structured = {
      {"race", view.race}, {"state", name(view.state)}, {"winner", view.winner}, {"agents", Json::array()}};
  for (const auto& agent : view.agents)
    out.structured["agents"].push_back({{"agent", agent.agent},
                                        {"state", name(agent.state)},
                                        {"elapsed_seconds", agent.elapsed_ms / 1000},
                                        {"lines_added", agent.diff.lines_added},
                                        {"lines_removed", agent.diff.lines_removed}});
  out.text = "Race " + view.race + ": " + std::string(name(view.state)) + "\n" +
             join(live_table(view, Style{}, 0, 0), "\n");
  return out;
}

// Returns the named agent, else the winner of the race, else its first agent.
Result<AgentRef> agent_or_winner(McpCall& call, client::Client& client) {
  HYDRA_TRY(const auto target, mcp_race_target(call, "/results"));
  HYDRA_TRY(const auto view, get<wire::Results>(client, target));
  auto agent = call.text("agent");
  if (agent.empty()) agent = view.winner;
  if (agent.empty() && !view.agents.empty()) agent = view.agents.front().agent;
  if (agent.empty()) return Error{Errc::not_found, "this race has no agents", view.race, {}};
  return AgentRef{view.race, std::move(agent)};
}

Result<McpAnswer> mcp_explain(McpCall& call) {
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto ref, agent_or_winner(call, client));
  HYDRA_TRY(const auto body, client.call("GET", race_path(ref.race, "explain", ref.agent)));
  HYDRA_TRY(auto block, explain_block(body, Style{}));
  return McpAnswer{.text = std::move(block)};
}

Result<McpAnswer> mcp_diff(McpCall& call) {
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto ref, agent_or_winner(call, client));
  std::string query;
  for (const auto* name : {"against", "path"})
    if (const auto value = call.text(name); !value.empty())
      query += (query.empty() ? "?" : "&") + std::string(name) + "=" + client::url_encode(value);
  HYDRA_TRY(const auto body, client.call("GET", race_path(ref.race, "diff", ref.agent) + query));
  McpAnswer out;
  out.text = sanitize(std::string_view(body).substr(0, kDiffBytes), true);
  if (body.empty()) out.text = ref.agent + " changed nothing.";
  if (body.size() > kDiffBytes)
    out.text += "\n(cut after " + std::to_string(kDiffBytes) + " of " + std::to_string(body.size()) +
                " bytes: name a path)";
  out.links.push_back({"hydra://races/" + ref.race + "/diff/" + client::url_encode(ref.agent),
                       "diff of " + ref.agent, "text/x-diff"});
  return out;
}

Result<McpAnswer> mcp_leaderboard(McpCall& call) {
  HYDRA_TRY(auto client, call.context().daemon(std::chrono::minutes(10)));
  const auto by = call.text("by");
  std::string query = "?by=" + client::url_encode(by.empty() ? "agent" : by);
  for (const auto* name : {"kind", "suite"})
    if (const auto value = call.text(name); !value.empty())
      query += "&" + std::string(name) + "=" + client::url_encode(value);
  if (!call.text("directory").empty()) {
    HYDRA_TRY(const auto place, call.directory());
    query += "&repository=" + client::url_encode(find_repository(place).value_or(place).string());
  }
  HYDRA_TRY(const auto body, client.call("GET", "/v1/leaderboard" + query));
  HYDRA_TRY(auto table, leaderboard_text(body, Style{}));
  return McpAnswer{.text = std::move(table)};
}

// Returns the read-only tools.
std::vector<McpTool> tools_that_look() {
  const auto one_agent = taking({{"race", string_of(kRace)}, {"agent", string_of(kAgent)}});
  auto diff = one_agent;
  diff["against"] = string_of("Another agent of the race, to compare two results (default: the base)");
  diff["path"] = string_of("Only this file");
  const auto race = taking({{"race", string_of(kRace)}});
  auto waiting = race;
  waiting["wait"] = truth_of("Answer when the race has ended, with progress meanwhile");
  const auto table =
      taking({{"by", string_of("Rows are: agent, model, version or label:KEY (default: agent)")},
              {"kind", string_of("Only tasks of this kind: bugfix, feature, docs")},
              {"suite", string_of("Only races of this suite")}});
  return {
      {"status", "Status of a race", "Current step of each agent of a race.", race, mcp_status},
      {"results", "Results of a race", "Points, ranks and the winner of a race.", waiting, mcp_results},
      {"explain", "Explain a result",
       "Why a result got its score: build, each test that changed, lint, size, what was restored "
       "or looks like tampering.",
       one_agent, mcp_explain},
      {"diff", "Changes of an agent", "A result as a unified diff.", diff, mcp_diff},
      {"merge_preview", "Preview a merge",
       "Preview of merging a result into the checked-out branch: conflicts, files, changes that need the "
       "user's consent. Changes nothing.",
       merge_properties(), mcp_merge_preview},
      {"leaderboard", "Leaderboard",
       "Which agent is best over all ended races, how sure that is, and what it costs.", table,
       mcp_leaderboard},
  };
}

std::vector<McpTool> make_tools() {
  if (in_a_run(process_env())) return tools_that_look();
  auto merging = merge_properties();
  merging["confirm"] =
      truth_of("The user has said yes to this merge. Counts only where the client cannot ask");
  std::vector<McpTool> tools{
      {"race",
       "Race coding agents",
       "Give a task to several coding agents, each in its own git worktree, then build, test, lint and rank "
       "what they made. Costs what the agents cost. Nothing is merged.",
       race_properties(),
       mcp_race,
       changing(false, true),
       {"task"}},
      {"merge", "Merge a result",
       "Merge a result into the checked-out branch. The user is asked first; where the client cannot ask, "
       "`confirm` must be true, and only after the user said so. `hydra merge --undo` reverts it.",
       merging, mcp_merge, changing(true, false)},
      {"cancel",
       "Cancel a race",
       "Stop a race, or one agent of it. The work so far is kept.",
       taking({{"race", string_of(kRace)}, {"agent", string_of("Only this agent; empty: the whole race")}}),
       mcp_cancel,
       changing(true, false),
       {"race"}},
  };
  for (auto& tool : tools_that_look()) tools.push_back(std::move(tool));
  return tools;
}

bool right_type(const Json& schema, const Json& value) {
  if (const auto& types = member(schema, "type"); types.is_array())
    return std::any_of(types.begin(), types.end(), [&](const Json& each) {
      return right_type({{"type", each}}, value);
    });
  const auto type = text(schema, "type");
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array")
    return value.is_array() &&
           std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); });
  return value.is_number_integer() && value >= member(schema, "minimum") &&
         value <= member(schema, "maximum");
}

std::string words_of(const Json& type) {
  return type.is_string() ? type.get<std::string>() : "string or array";
}

}  // namespace

const std::vector<McpTool>& mcp_tools() {
  static const auto kTools = make_tools();
  return kTools;
}

const McpTool* find_mcp_tool(std::string_view name) {
  const auto& tools = mcp_tools();
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const auto& tool) { return tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

Json mcp_tool_json(const McpTool& tool) {
  Json schema{{"type", "object"}, {"properties", tool.properties}, {"additionalProperties", false}};
  if (!tool.required.empty()) schema["required"] = tool.required;
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", std::move(schema)},
          {"annotations", tool.annotations}};
}

Result<void> check_mcp_arguments(const McpTool& tool, const Json& arguments) {
  for (const auto& name : tool.required)
    if (!arguments.contains(name)) return Error{Errc::usage, tool.name + " needs `" + name + "`", {}, {}};
  for (const auto& [name, value] : arguments.items()) {
    const auto& schema = member(tool.properties, name.c_str());
    if (schema.is_null()) {
      std::vector<std::string> known;
      for (const auto& [each, unused] : tool.properties.items()) known.push_back(each);
      return Error{Errc::usage,
                   tool.name + " does not take `" + sanitize(name) + "`",
                   {},
                   "it takes: " + join(known, ", ")};
    }
    if (!right_type(schema, value))
      return Error{Errc::usage,
                   "`" + name + "` must be of type " + words_of(member(schema, "type")),
                   {},
                   text(schema, "description")};
  }
  return {};
}

Result<std::string> mcp_race_target(const McpCall& call, std::string_view tail) {
  HYDRA_TRY(const auto place, call.directory());
  const auto race = call.text("race");
  if (race.empty() && !find_repository(place))
    return Error{Errc::usage, "not in a git repository", place.string(), "name a race, or give `directory`"};
  return race_target(race, place, tail);
}

}  // namespace hydra::cli
