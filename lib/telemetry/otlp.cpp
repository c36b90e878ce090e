#include "telemetry/otlp.hpp"

#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "telemetry/otlp_metrics.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace hydra::telemetry {
namespace {

using nlohmann::json;

constexpr std::size_t kSpansOfRequest = 50;  // a request stays below the line length of every curl
constexpr int kInternal = 1, kClient = 3;    // SpanKind
constexpr int kError = 2;                    // StatusCode

std::string nanos(std::int64_t unix_ms) { return std::to_string(unix_ms) + "000000"; }

json attribute_value(const json& value) {
  if (value.is_boolean()) return {{"boolValue", value}};
  // 64 bits are a string in the JSON encoding of protobuf.
  if (value.is_number_integer()) return {{"intValue", std::to_string(value.get<std::int64_t>())}};
  if (value.is_number()) return {{"doubleValue", value}};
  return {{"stringValue", value}};
}

/// Empty texts and nulls are left out.
json attributes_of(const json& values) {
  json out = json::array();
  for (const auto& [key, value] : values.items())
    if (!value.is_null() && !(value.is_string() && value.get_ref<const std::string&>().empty()))
      out.push_back({{"key", key}, {"value", attribute_value(value)}});
  return out;
}

json known(const std::optional<std::int64_t>& value) { return value ? json(*value) : json(); }

/// As the conventions name it, where they have a name for it.
std::string provider_name(const model::RaceSpec& spec, const model::AgentEntry& entry) {
  const auto found = spec.config.agents.find(entry.id);
  auto provider = found == spec.config.agents.end() ? std::string() : found->second.provider;
  if (const auto slash = entry.model.find('/'); provider.empty() && slash != std::string::npos)
    provider = entry.model.substr(0, slash);
  if (provider == "google") return "gcp.gemini";
  return provider.empty() ? entry.id : provider;
}

/// All input, what came from a cache and what went into one with it; absent where none of it is known.
std::optional<std::int64_t> input_tokens(const model::Usage& usage) {
  if (!usage.input && !usage.cache_read && !usage.cache_write) return std::nullopt;
  return usage.input.value_or(0) + usage.cache_read.value_or(0) + usage.cache_write.value_or(0);
}

bool went_well(model::Outcome outcome) {
  return outcome == model::Outcome::completed || outcome == model::Outcome::completed_with_warning ||
         outcome == model::Outcome::stopped;
}

/// The conventions' words for the end of a pipeline's task.
const char* check_result(model::CheckStatus status) {
  switch (status) {
    case model::CheckStatus::passed:
      return "success";
    case model::CheckStatus::failed:
      return "failure";
    case model::CheckStatus::timed_out:
      return "timeout";
    case model::CheckStatus::skipped:
      return "skip";
    default:
      return "error";
  }
}

class Conversion {
 public:
  Conversion(std::span<const model::Event> events, std::size_t first, const OtlpOptions& options)
      : options_(options), spec_(std::get<model::RaceCreated>(events.front().body).spec), first_(first) {
    trace_ = sha256_hex("hydra race " + spec_.id + " " + std::to_string(spec_.created_ms)).substr(0, 32);
    root_ = span_id("race " + std::to_string(first_));
    began_ms_ = first == 0 ? spec_.created_ms : events[first].at_ms;
    ended_ms_ = events.back().at_ms;
    for (std::size_t i = first; i < events.size(); ++i) read(events[i]);
    race_span(std::get<model::RaceEnded>(events.back().body).state);
  }

  [[nodiscard]] OtlpBodies bodies() const {
    OtlpBodies out;
    for (std::size_t at = 0; at < spans_.size(); at += kSpansOfRequest) {
      json rows = json::array();
      for (std::size_t i = at; i < std::min(at + kSpansOfRequest, spans_.size()); ++i)
        rows.push_back(spans_[i]);
      out.traces.push_back(request("Spans", "spans", std::move(rows)));
    }
    out.metrics.push_back(request("Metrics", "metrics", metrics_.json(nanos(began_ms_), nanos(ended_ms_))));
    return out;
  }

 private:
  struct Started {
    std::int64_t at_ms = 0;
    int number = 1;
  };

  [[nodiscard]] std::string span_id(const std::string& what) const {
    return sha256_hex(trace_ + " " + what).substr(0, 16);
  }

  [[nodiscard]] std::string request(const std::string& kind, const char* list, json rows) const {
    const json resource{
        {"attributes", attributes_of({{"service.name", "hydra"}, {"service.version", options_.version}})}};
    const json scope{{"name", "hydra"}, {"version", options_.version}};
    const json scopes = json::array({json{{"scope", scope}, {list, std::move(rows)}}});
    const json whole{
        {"resource" + kind, json::array({json{{"resource", resource}, {"scope" + kind, scopes}}})}};
    return whole.dump(-1, ' ', false, json::error_handler_t::replace);
  }

  void add_span(const std::string& id, const std::string& name, int kind, std::int64_t from_ms,
                std::int64_t to_ms, const json& attributes, bool failed) {
    json span{{"traceId", trace_},
              {"spanId", id},
              {"name", name},
              {"kind", kind},
              {"startTimeUnixNano", nanos(std::min(from_ms, to_ms))},
              {"endTimeUnixNano", nanos(to_ms)},
              {"attributes", attributes_of(attributes)},
              {"status", failed ? json{{"code", kError}} : json::object()}};
    if (id != root_) span["parentSpanId"] = root_;
    spans_.push_back(std::move(span));
  }

  void read(const model::Event& event) {
    if (const auto* starting = std::get_if<model::AgentStarting>(&event.body))
      started_[starting->agent] = {event.at_ms, starting->number};
    else if (const auto* ended = std::get_if<model::AgentEnded>(&event.body))
      agent_span(*ended, event.at_ms);
    else if (const auto* check = std::get_if<model::CheckEnded>(&event.body))
      check_span(check->subject, check->evidence, event);
    else if (const auto* repeated = std::get_if<model::CheckRepeated>(&event.body))
      check_span(repeated->subject, repeated->evidence, event);
    else if (const auto* result = std::get_if<model::ScoringResult>(&event.body))
      ranking_ = &result->ranking;
  }

  void agent_span(const model::AgentEnded& ended, std::int64_t at_ms) {
    const auto entry = std::find_if(spec_.agents.begin(), spec_.agents.end(),
                                    [&](const auto& each) { return each.name == ended.agent; });
    if (entry == spec_.agents.end()) return;
    const auto& verdict = ended.verdict;
    const auto& usage = verdict.usage;
    const auto provider = provider_name(spec_, *entry);
    const auto begun = started_.find(ended.agent);
    const auto from = begun == started_.end() ? at_ms - ended.job.wall_ms : begun->second.at_ms;
    const auto version = spec_.versions.find(entry->id);
    const std::string outcome(model::name(verdict.outcome));
    const auto error = went_well(verdict.outcome) ? std::string()
                       : verdict.error_class == model::ErrorClass::none
                           ? outcome
                           : std::string(model::name(verdict.error_class));
    const auto input = input_tokens(usage);
    const json attributes{{"gen_ai.operation.name", "invoke_agent"},
                          {"gen_ai.provider.name", provider},
                          {"gen_ai.agent.name", entry->id},
                          {"gen_ai.agent.version", version == spec_.versions.end() ? "" : version->second},
                          {"gen_ai.conversation.id", verdict.session},
                          {"gen_ai.request.model", entry->model},
                          {"gen_ai.response.model", verdict.model},
                          {"gen_ai.usage.input_tokens", known(input)},
                          {"gen_ai.usage.output_tokens", known(usage.output)},
                          {"gen_ai.usage.cache_read.input_tokens", known(usage.cache_read)},
                          {"gen_ai.usage.cache_creation.input_tokens", known(usage.cache_write)},
                          {"gen_ai.usage.reasoning.output_tokens", known(usage.reasoning)},
                          {"error.type", error},
                          {"hydra.race.id", spec_.id},
                          {"hydra.entry", entry->name},
                          {"hydra.attempt", begun == started_.end() ? 1 : begun->second.number},
                          {"hydra.outcome", outcome},
                          {"hydra.cost.usd", usage.cost_usd ? json(*usage.cost_usd) : json()},
                          {"hydra.cost.estimated", usage.cost_usd ? json(usage.estimated) : json()}};
    add_span(span_id("agent " + ended.job.attempt + " " + std::to_string(at_ms)), "invoke_agent " + entry->id,
             kClient, from, at_ms, attributes, !error.empty());
    const json who{{"gen_ai.operation.name", "invoke_agent"},
                   {"gen_ai.provider.name", provider},
                   {"gen_ai.agent.name", entry->id},
                   {"gen_ai.request.model", entry->model},
                   {"gen_ai.response.model", verdict.model}};
    measure_agent(who, usage, input, error, static_cast<double>(at_ms - from) / 1000);
  }

  void measure_agent(const json& who, const model::Usage& usage, const std::optional<std::int64_t>& input,
                     const std::string& error, double seconds) {
    auto timed = who;
    timed["error.type"] = error;
    metrics_.duration("gen_ai.client.operation.duration", attributes_of(timed), seconds);
    const auto tokens = [&](const char* type, const std::optional<std::int64_t>& count) {
      if (!count) return;
      auto typed = who;
      typed["gen_ai.token.type"] = type;
      metrics_.tokens("gen_ai.client.token.usage", attributes_of(typed), *count);
    };
    tokens("input", input);
    tokens("output", usage.output);
    if (usage.cost_usd) metrics_.sum("hydra.cost", "USD", attributes_of(who), *usage.cost_usd);
  }

  void check_span(const std::string& subject, const model::CheckEvidence& check, const model::Event& event) {
    if (check.cached || check.status == model::CheckStatus::skipped) return;  // nothing ran
    const std::string kind(model::name(check.dimension));
    const auto counts = check.tests ? check.tests->counts : model::TestCounts{};
    const json attributes{{"hydra.race.id", spec_.id},
                          {"hydra.subject", subject},
                          {"cicd.pipeline.task.name", kind},
                          {"cicd.pipeline.task.run.result", check_result(check.status)},
                          {"hydra.tests.passed", known(counts.passed)},
                          {"hydra.tests.failed", known(counts.failed)}};
    // A result that fails its tests is what a check is for: only one that did not do its work is an error.
    const bool lost =
        check.status != model::CheckStatus::passed && check.status != model::CheckStatus::failed;
    add_span(span_id("check " + std::to_string(event.id)), "check " + kind, kInternal,
             event.at_ms - check.wall_ms, event.at_ms, attributes, lost);
    metrics_.duration("hydra.check.duration",
                      attributes_of({{"cicd.pipeline.task.name", kind},
                                     {"cicd.pipeline.task.run.result", check_result(check.status)}}),
                      static_cast<double>(check.wall_ms) / 1000);
  }

  void race_span(model::RaceEnd end) {
    const std::string state(name(end));
    const auto winner = ranking_ == nullptr ? std::string() : ranking_->winner;
    json attributes{{"hydra.race.id", spec_.id},
                    {"hydra.race.state", state},
                    {"hydra.race.agents", static_cast<std::int64_t>(spec_.agents.size())},
                    {"hydra.race.winner", winner},
                    {"hydra.task", options_.task ? spec_.task : ""}};
    add_span(root_, "race", kInternal, began_ms_, ended_ms_, attributes, end == model::RaceEnd::failed);
    metrics_.duration("hydra.race.duration", attributes_of({{"hydra.race.state", state}}),
                      static_cast<double>(ended_ms_ - began_ms_) / 1000);
  }

  const OtlpOptions& options_;
  const model::RaceSpec& spec_;
  std::size_t first_;
  std::string trace_, root_;
  std::int64_t began_ms_ = 0, ended_ms_ = 0;
  std::map<std::string, Started> started_;
  const model::Ranking* ranking_ = nullptr;
  std::vector<json> spans_;
  OtlpMetrics metrics_;
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = static_cast<char>(c | 0x20);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    out += escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return out;
}

bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace

OtlpBodies otlp_of(const std::vector<model::Event>& events, const OtlpOptions& options) {
  if (events.empty()) return {};
  const auto* created = std::get_if<model::RaceCreated>(&events.front().body);
  if (created == nullptr || created->spec.check_only || !created->spec.verifies.empty()) return {};
  std::size_t first = 0, end = 0;  // of what came between the last two ends
  for (std::size_t i = 0; i < events.size(); ++i)
    if (std::holds_alternative<model::RaceEnded>(events[i].body)) {
      first = end == 0 ? 0 : end + 1;
      end = i;
    }
  const auto is_work = [](const model::Event& event) {
    return std::holds_alternative<model::AgentEnded>(event.body) ||
           std::holds_alternative<model::CheckEnded>(event.body);
  };
  const std::span all(events.data(), end + 1);
  // A race that went on for a measurement alone has told of itself already.
  if (end == 0 || (first > 0 && std::none_of(all.begin() + static_cast<long>(first), all.end(), is_work)))
    return {};
  return Conversion(all, first, options).bodies();
}

const std::vector<std::string>& otlp_kinds() {
  static const std::vector<std::string> kKinds{"race_created", "agent_starting", "agent_ended",
                                               "check_ended",  "check_repeated", "scoring_result",
                                               "race_ended"};
  return kKinds;
}

std::vector<std::pair<std::string, std::string>> otlp_headers(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> headers;
  for (const auto each : split(text, ',')) {
    const auto equals = each.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(trim(each.substr(0, equals)));
    auto value = percent_decoded(trim(each.substr(equals + 1)));
    const bool plain = std::all_of(value.begin(), value.end(),
                                   [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
    if (is_header_name(name) && plain) headers.emplace_back(name, std::move(value));
  }
  return headers;
}

}  // namespace hydra::telemetry
