#include "cli/render/atif.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>

namespace hydra::cli {
namespace {

constexpr std::size_t kMostLineBytes = 8u << 20;
constexpr int kMostDepth = 64;

const OrderedJson* at(const OrderedJson& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(std::string(name)) : object.end();
  return object.is_object() && found != object.end() ? &*found : nullptr;
}

/// The first of these members that there is; "state.input" is one member inside another.
const OrderedJson* first(const OrderedJson& object, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto dot = name.find('.');
    const auto* outer = at(object, name.substr(0, dot));
    const auto* found = dot == std::string_view::npos || !outer ? outer : at(*outer, name.substr(dot + 1));
    if (found && !found->is_null()) return found;
  }
  return nullptr;
}

std::string text_of(const OrderedJson* value) {
  if (!value) return {};
  if (value->is_string()) return value->get<std::string>();
  if (!value->is_array()) return value->is_object() ? value->dump() : std::string();
  std::string text;  // a list of parts
  for (const auto& part : *value)
    text += part.is_string() ? part.get<std::string>() : text_of(at(part, "text"));
  return text;
}

bool any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Lines whose words stand in others, too: pieces of what is said whole later, and sums of what was said
/// before.
bool said_elsewhere(std::string_view type) {
  constexpr std::array<std::string_view, 7> kEnds{"_start",   "_update",  "_delta",   ".started",
                                                  ".updated", "turn_end", "agent_end"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return type.ends_with(end); });
}

class Steps {
 public:
  explicit Steps(const TrajectoryFacts& facts) {
    OrderedJson step{{"step_id", 1},
                     {"timestamp", format_utc(facts.created_ms)},
                     {"source", "user"},
                     {"message", facts.task}};
    steps_.push_back(std::move(step));
  }

  void line(const OrderedJson& event) {
    const auto type = text_of(at(event, "type"));
    if (said_elsewhere(type)) return;
    const auto* message = at(event, "message");
    const auto role = text_of(message && message->is_object() ? at(*message, "role") : at(event, "role"));
    if (message && role == "toolResult") return result(*message);
    if (const auto* content = message ? at(*message, "content") : nullptr; content && content->is_array()) {
      for (const auto& part : *content) take(part, role);
      return;
    }
    for (const auto* name : {"item", "part"})
      if (const auto* inner = at(event, name); inner && inner->is_object()) return take(*inner, role);
    take(event, role);
  }

  void say(const std::string& text) {
    if (trim(text).empty()) return;
    auto& step = agent_step();
    // What came in pieces is one message, until a tool was called.
    if (step.contains("tool_calls")) return say_in(begin(), text);
    say_in(step, text);
  }

  [[nodiscard]] OrderedJson finish() const { return steps_; }
  [[nodiscard]] std::size_t count() const { return steps_.size(); }

 private:
  static void say_in(OrderedJson& step, const std::string& text) {
    auto& message = step["message"].get_ref<std::string&>();
    message += (message.empty() ? "" : "\n") + text;
  }

  OrderedJson& begin() {
    steps_.push_back({{"step_id", steps_.size() + 1}, {"source", "agent"}, {"message", ""}});
    return steps_.back();
  }
  OrderedJson& agent_step() { return steps_.size() == 1 ? begin() : steps_.back(); }

  void take(const OrderedJson& part, const std::string& role) {
    const auto type = text_of(at(part, "type"));
    if (any_of(type, {"tool_result", "toolResult", "function_call_output"})) return result(part);
    if (any_of(type, {"tool_use", "toolCall", "tool", "tool_call", "function_call"})) return call(part, {});
    if (any_of(type, {"command_execution", "file_change", "mcp_tool_call", "web_search"}))
      return call(part, type);
    if (role == "user") return;
    if (any_of(type, {"text", "agent_message"})) return say(text_of(at(part, "text")));
    if (type == "message" && role == "assistant") say(text_of(at(part, "content")));
  }

  void call(const OrderedJson& part, const std::string& name) {
    auto id = text_of(first(part, {"callID", "tool_id", "toolCallId", "call_id", "id"}));
    if (id.empty()) id = "call_" + std::to_string(++unnamed_);
    if (known_.contains(id)) return;
    auto function = name.empty() ? text_of(first(part, {"name", "tool", "tool_name", "toolName"})) : name;
    if (function.empty()) function = "tool";
    const auto* given = first(part, {"input", "parameters", "arguments", "args", "state.input"});
    OrderedJson arguments = OrderedJson::object();
    if (given && given->is_object()) arguments = *given;
    for (const auto* member : {"command", "changes", "query"})
      if (const auto* value = at(part, member); value && !given) arguments[member] = *value;
    auto& step = agent_step();
    step["tool_calls"].push_back(
        {{"tool_call_id", id}, {"function_name", function}, {"arguments", arguments}});
    known_[id] = steps_.size() - 1;
    if (const auto* output = first(part, {"state.output", "aggregated_output"})) observe(id, text_of(output));
  }

  void result(const OrderedJson& part) {
    const auto id = text_of(first(part, {"tool_use_id", "tool_id", "toolCallId", "call_id"}));
    if (known_.contains(id)) observe(id, text_of(first(part, {"content", "output", "result"})));
  }

  void observe(const std::string& id, const std::string& content) {
    steps_[known_.at(id)]["observation"]["results"].push_back({{"source_call_id", id}, {"content", content}});
  }

  OrderedJson steps_ = OrderedJson::array();
  std::map<std::string, std::size_t> known_;  ///< place of the step of a call
  int unnamed_ = 0;
};

}  // namespace

std::string trajectory(const TrajectoryFacts& facts, std::string_view log) {
  Steps steps(facts);
  bool structured = false;
  for (const auto line : lines(log)) {
    if (line.size() > kMostLineBytes || !trim(line).starts_with('{')) continue;
    // Depth is bounded before anything of it is built.
    const auto limit = [](int depth, OrderedJson::parse_event_t, OrderedJson&) {
      return depth <= kMostDepth;
    };
    const auto event = OrderedJson::parse(line, limit, false);
    if (!event.is_object()) continue;
    structured = true;
    steps.line(event);
  }
  if (!structured) steps.say(sanitize(log, true));
  OrderedJson j{{"schema_version", "ATIF-v1.4"}, {"session_id", facts.session}};
  j["agent"] = {{"name", facts.agent}, {"version", facts.version.empty() ? "unknown" : facts.version}};
  if (!facts.model.empty()) j["agent"]["model_name"] = facts.model;
  j["steps"] = steps.finish();
  const auto extra = OrderedJson::parse(facts.extra, nullptr, false);
  OrderedJson metrics{{"total_steps", steps.count()}};
  if (const auto* cost = at(extra, "cost_usd"); cost && cost->is_number()) metrics["total_cost_usd"] = *cost;
  j["final_metrics"] = std::move(metrics);
  if (extra.is_object()) j["extra"] = extra;
  return one_line(j);
}

}  // namespace hydra::cli
