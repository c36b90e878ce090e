// adapters: reads an agent's output in chunks. No line is buffered: JSON is skimmed byte by byte, of other
// lines only begin and end are kept.
#include "adapters/classify.hpp"
#include "adapters/event_reader.hpp"
#include "adapters/text_reader.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <map>

namespace hydra::adapters {
namespace {

constexpr std::size_t kLongestPrefix = 256;

}  // namespace

struct StreamReader::State {
  State(const model::AgentDescriptor& d, ReaderOptions o)
      : rules(d.stream), options(std::move(o)), events(d), skimmer(events.interest()), text(d.stream.text) {
    tally.sum.structured = rules.format != model::StreamFormat::text;
    for (const auto& prefix : rules.skip_prefixes)
      prefix_bytes = std::max(prefix_bytes, std::min(prefix.size(), kLongestPrefix));
  }

  /// Kind of the current line; `open`: too few bytes to decide.
  enum class Line { open, json, skip, other };

  void feed(std::string_view bytes);
  void piece(std::string_view bytes);
  void route();
  void json(std::string_view bytes);
  void keep(std::string_view bytes);
  void end_of_line();
  void object();
  void finish();
  [[nodiscard]] model::Usage usage() const;
  [[nodiscard]] std::optional<std::int64_t> turns() const;
  /// Returns the model named by a usage file, else by the stream; empty: neither.
  [[nodiscard]] std::string model() const;

  /// Whether an object may span several lines.
  [[nodiscard]] bool over_lines() const {
    return rules.format == model::StreamFormat::json_whole || rules.format == model::StreamFormat::json_last;
  }

  model::StreamRules rules;
  ReaderOptions options;
  EventReader events;
  JsonSkimmer skimmer;
  TextReader text;
  Tally tally;
  std::optional<FileUsage> from_file;
  std::map<std::string, UsageLogReader> usage_log;  ///< by file

  Line line = Line::open;
  std::size_t prefix_bytes = 1;
  std::uint64_t line_bytes = 0;
  std::string begin, end;           ///< begin and end of a line that is not JSON
  bool goes_on = false;             ///< whether the previous line began an object
  std::optional<Values> candidate;  ///< json_last, json_whole: last deciding object, else last object
  bool decided = false;             ///< whether `candidate` decides
};

void StreamReader::State::feed(std::string_view bytes) {
  tally.sum.bytes += bytes.size();
  while (!bytes.empty()) {
    const auto stop = bytes.find('\n');
    piece(bytes.substr(0, stop));
    if (stop == std::string_view::npos) return;
    end_of_line();
    bytes.remove_prefix(stop + 1);
  }
}

void StreamReader::State::piece(std::string_view bytes) {
  if (line == Line::open && rules.format != model::StreamFormat::text) {
    bool open = true;
    while (open) {
      if (bytes.empty()) return;
      const auto take = begin.size() < prefix_bytes ? std::min(bytes.size(), prefix_bytes - begin.size()) : 1;
      begin += bytes.substr(0, take);
      bytes.remove_prefix(take);
      line_bytes += take;
      const auto lead = lead_of(begin);
      begin.erase(0, lead.size);
      line_bytes -= lead.size;
      open = lead.open || begin.size() < prefix_bytes;
    }
    route();
  }
  // A pretty-printed object is indented except for its last line, so an unindented '{' starts another object.
  if (goes_on && !bytes.empty()) {
    goes_on = false;
    if (rules.format == model::StreamFormat::json_last && bytes.front() == '{') {
      tally.log(begin);
      begin.clear();
      line_bytes = 0;
      line = Line::open;
      return piece(bytes);
    }
  }
  line_bytes += bytes.size();
  if (line == Line::json)
    json(bytes);
  else if (line != Line::skip)
    keep(bytes);
}

/// Decides the kind of a line from its first bytes: JSON, to be skipped, or other.
void StreamReader::State::route() {
  const std::string first = std::exchange(begin, {});
  const auto known = [&](const std::string& prefix) {
    return !prefix.empty() &&
           std::string_view(first).starts_with(std::string_view(prefix).substr(0, kLongestPrefix));
  };
  if (std::any_of(rules.skip_prefixes.begin(), rules.skip_prefixes.end(), known)) {
    line = Line::skip;
  } else if (first.starts_with('{')) {
    line = Line::json;
    skimmer.begin();
    json(first);
  } else {
    line = Line::other;
    keep(first);
  }
}

void StreamReader::State::json(std::string_view bytes) {
  (void)skimmer.feed(bytes);  // a broken object is detected at the end of the line
  if (begin.size() < kLineLimit) begin += head(bytes, kLineLimit - begin.size());
}

void StreamReader::State::keep(std::string_view bytes) {
  if (begin.size() < kTextLimit) begin += bytes.substr(0, kTextLimit - begin.size());
  if (bytes.size() > 2 * kTextLimit) bytes.remove_prefix(bytes.size() - 2 * kTextLimit);
  end += bytes;
  if (end.size() > 4 * kTextLimit) end.erase(0, end.size() - 2 * kTextLimit);
}

void StreamReader::State::end_of_line() {
  if (line == Line::open && rules.format != model::StreamFormat::text && !begin.empty()) route();
  if (over_lines() && line == Line::json && skimmer.feed("\n") && !skimmer.complete()) {
    ++line_bytes;
    goes_on = true;
    return;
  }
  goes_on = false;
  const auto kind = std::exchange(line, Line::open);
  const auto bytes = std::exchange(line_bytes, 0);
  const std::string first = std::exchange(begin, {}), last = std::exchange(end, {});
  if (rules.format == model::StreamFormat::text) {
    const auto without_cr = [](std::string_view t) {
      return t.ends_with('\r') ? t.substr(0, t.size() - 1) : t;
    };
    text.line(bytes <= kTextLimit ? without_cr(first) : std::string_view(first), without_cr(last), tally);
  } else if (kind == Line::skip) {
    ++tally.sum.events;
    tally.made_progress();
  } else if (kind == Line::json && skimmer.complete() && bytes <= rules.max_line_bytes) {
    object();
  } else if (!trim(first).empty()) {
    tally.log(first);
  }
}

void StreamReader::State::object() {
  if (rules.format == model::StreamFormat::jsonl) return events.event(skimmer.values(), tally);
  const bool decides = events.decides(skimmer.values());
  if (decided && !decides) return;  // a log line after the result
  decided = decides;
  candidate = skimmer.values();
}

void StreamReader::State::finish() {
  if (line_bytes > 0 || line != Line::open) {
    end_of_line();
    if (line != Line::open) {  // an incomplete object that should have continued
      tally.log(begin);
      line = Line::open;
      line_bytes = 0;
      begin.clear();
    }
  }
  if (candidate) events.event(*std::exchange(candidate, std::nullopt), tally);
}

model::Usage StreamReader::State::usage() const {
  model::Usage usage = tally.sum.structured ? events.usage(options.resume_base) : text.usage();
  const auto file_says_more = [&](const model::Usage& file) {
    if (!tally.sum.terminal || !events.counted()) return true;
    for (const auto part : {&model::Usage::input, &model::Usage::output, &model::Usage::cache_read,
                            &model::Usage::cache_write, &model::Usage::reasoning})
      if (file.*part && !(usage.*part)) return true;
    return false;
  };
  model::Usage logged;
  for (const auto& [file, log] : usage_log)
    if (log.counted()) add_usage(logged, log.usage());
  const auto* beside = from_file ? &from_file->usage : all_tokens(logged) ? &logged : nullptr;
  if (beside != nullptr && file_says_more(*beside)) {
    const auto cost = usage.cost_usd;
    const auto& rule = from_file ? rules.usage_file.rule : rules.usage_log.rule;
    usage = rule.cumulative ? minus_usage(*beside, options.resume_base) : *beside;
    if (!usage.cost_usd) usage.cost_usd = cost;
  }
  if (!options.prices.empty())
    estimate_cost(usage, model().empty() ? options.model : model(), options.prices);
  return usage;
}

std::string StreamReader::State::model() const {
  if (from_file && !from_file->model.empty()) return from_file->model;
  // The last file by name has the agent's model, as for `usage_file`: kimi's "main" sorts after its helpers.
  for (auto log = usage_log.rbegin(); log != usage_log.rend(); ++log)
    if (!log->second.model().empty()) return log->second.model();
  return tally.sum.model;
}

std::optional<std::int64_t> StreamReader::State::turns() const {
  if (tally.sum.turns) return tally.sum.turns;
  if (tally.turns_counted > 0) return tally.turns_counted;
  return std::nullopt;
}

StreamReader::StreamReader(const model::AgentDescriptor& descriptor, ReaderOptions options)
    : state_(std::make_unique<State>(descriptor, std::move(options))) {}
StreamReader::~StreamReader() = default;
StreamReader::StreamReader(StreamReader&&) noexcept = default;
StreamReader& StreamReader::operator=(StreamReader&&) noexcept = default;

void StreamReader::feed(std::string_view bytes) { state_->feed(bytes); }
void StreamReader::finish() { state_->finish(); }

bool StreamReader::usage_file(std::string_view text) {
  model::UsageFile file = state_->rules.usage_file;
  auto found = read_usage_file(file, text);
  if (!all_tokens(found.usage)) return false;
  // A usage file that is read only at its end may have lost the line with the model.
  if (found.model.empty() && state_->from_file) found.model = state_->from_file->model;
  state_->from_file = std::move(found);
  return true;
}

void StreamReader::usage_log(std::string_view bytes, std::uint64_t offset, const std::string& file) {
  auto& logs = state_->usage_log;
  if (offset == 0) logs.erase(file);
  auto& log = logs.try_emplace(file, state_->rules.usage_log).first->second;
  if (log.bytes() == offset) log.feed(bytes);
}

StreamSummary StreamReader::summary() const {
  StreamSummary sum = state_->tally.sum;
  if (!sum.structured) {
    sum.final_text = tail(to_utf8(trim(sum.final_text)), kTextLimit);
    sum.final_head = head(to_utf8(trim(sum.final_head)), kTextLimit);
  }
  sum.log_text = to_utf8(sum.log_text);
  sum.usage = state_->usage();
  sum.turns = state_->turns();
  sum.model = state_->model();
  return sum;
}

StreamReader::View StreamReader::view() const {
  const Tally& tally = state_->tally;
  View view;
  view.last_line = tally.last_line;
  view.tool = tally.tool;
  view.events = tally.sum.events;
  view.progress = tally.progress;
  view.terminal = tally.sum.terminal;
  view.open_tasks = tally.open_tasks;
  view.open_name = tally.open_name;
  view.retries = tally.retries;
  view.auth_retries = tally.auth_retries;
  view.retry_status = tally.sum.retry_status;
  view.denied = tally.sum.denied;
  if (state_->rules.format == model::StreamFormat::jsonl && tally.sum.events == 0 &&
      !tally.sum.log_text.empty()) {
    const auto problem = setup_problem(tally.sum.log_text);
    view.asks_sign_in = problem && problem->error_class == model::ErrorClass::auth;
  }
  view.turn = state_->turns();
  view.session = tally.sum.session;
  view.model = state_->model();
  if (view.model.empty()) view.model = state_->options.model;
  view.usage = state_->usage();
  view.tokens = counted_tokens(view.usage);
  return view;
}

bool refused_for_good(const StreamReader::View& view) { return view.auth_retries >= 3; }

std::optional<std::int64_t> all_tokens(const model::Usage& usage) {
  std::optional<std::int64_t> all;
  for (const auto& part : {usage.input, usage.cache_read, usage.cache_write, usage.output})
    if (part) all = all.value_or(0) + *part;
  return all;
}

std::optional<std::int64_t> counted_tokens(const model::Usage& usage) {
  std::optional<std::int64_t> all;
  for (const auto& part : {usage.input, usage.cache_write, usage.output})
    if (part) all = all.value_or(0) + *part;
  return all;
}

bool all_denied(const StreamSummary& stream) { return stream.denied && stream.denials >= stream.tool_uses; }

}  // namespace hydra::adapters
