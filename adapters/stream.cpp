// adapters: an agent's output, line by line, by the rules of its descriptor. Nothing of a line is kept but
// what the summary needs; a line that is still open is the only thing held.
#include "adapters/adapters.hpp"
#include "adapters/classify.hpp"
#include "adapters/json_rules.hpp"
#include "base/strings.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace hydra::adapters {
namespace {

constexpr std::size_t kTextLimit = 4096;
constexpr std::size_t kLineLimit = 200;

/// The end of `text`, at most `limit` bytes of whole characters.
std::string tail(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  text.remove_prefix(text.size() - limit);
  while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xC0u) == 0x80u) text.remove_prefix(1);
  return std::string(text);
}

std::string head(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0u) == 0x80u) --limit;
  return std::string(text.substr(0, limit));
}

std::string one_line(std::string_view text) {
  return head(sanitize(trim(head(text, 4 * kLineLimit))), kLineLimit);
}

std::vector<When> all_of(const std::vector<model::JsonWhen>& list) { return {list.begin(), list.end()}; }
std::vector<Pointer> pointers(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

}  // namespace

struct StreamReader::State {
  explicit State(const model::AgentDescriptor& d)
      : rules(d.stream),
        session_when(rules.session_when),
        retry_when(rules.retry_when),
        terminal_when(rules.terminal_when),
        terminal_ok(rules.terminal_ok),
        denied_when(rules.denied_when),
        progress(all_of(rules.progress)),
        error_when(all_of(rules.error_when)),
        session_path(rules.session_path),
        retry_status(rules.retry_status),
        retry_text(rules.retry_text),
        error_text(rules.error_text),
        error_status(rules.error_status),
        terminal_text(rules.terminal_text),
        denied_path(rules.denied_path),
        text_paths(pointers(rules.text_paths)),
        tool_paths(pointers(rules.tool_paths)),
        usage(rules.usage),
        fallback(rules.usage_fallback) {
    sum.structured = rules.format != model::StreamFormat::text;
    if (!rules.retry_regex.empty()) {
      RE2::Options options;
      options.set_log_errors(false);
      retry_regex = std::make_unique<RE2>(rules.retry_regex, options);
    }
  }

  void feed(std::string_view bytes);
  void line(std::string_view text);
  void text_line(std::string_view text);
  void json_line(std::string_view text);
  void event(const Json& json);
  bool retry(const Json& json);
  void error_from(const Json& json);
  void finish();

  model::StreamRules rules;
  When session_when, retry_when, terminal_when, terminal_ok, denied_when;
  std::vector<When> progress, error_when;
  Pointer session_path, retry_status, retry_text, error_text, error_status, terminal_text, denied_path;
  std::vector<Pointer> text_paths, tool_paths;
  UsageReader usage, fallback;
  std::unique_ptr<RE2> retry_regex;

  StreamSummary sum;
  std::string open_line;  ///< begin of the line that has no end yet
  bool skipping = false;  ///< the open line is longer than the limit
  std::string candidate;  ///< json_last: the last line that looks like an object; json_whole: all output
  bool overflow = false;  ///< json_whole: more than the limit
  std::string last_line, tool;
  std::int64_t progress_count = 0;
  int auth_retries = 0;
};

void StreamReader::State::feed(std::string_view bytes) {
  sum.bytes += bytes.size();
  if (rules.format == model::StreamFormat::json_whole) {
    overflow = overflow || candidate.size() + bytes.size() > rules.max_line_bytes;
    if (overflow)
      candidate.clear();
    else
      candidate += bytes;
    return;
  }
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto piece = bytes.substr(0, end);
    if (!skipping && open_line.size() + piece.size() > rules.max_line_bytes) {
      skipping = true;
      open_line = std::string();  // gives the memory back
    }
    if (end == std::string_view::npos) {
      if (!skipping) open_line += piece;
      return;
    }
    if (skipping) {
      ++sum.log_lines;
      skipping = false;
    } else if (open_line.empty()) {
      line(piece);
    } else {
      open_line += piece;
      const std::string whole = std::exchange(open_line, {});
      line(whole);
    }
    bytes.remove_prefix(end + 1);
  }
}

void StreamReader::State::line(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (rules.format == model::StreamFormat::text) {
    text_line(text);
  } else if (trim(text).starts_with('{')) {
    if (rules.format == model::StreamFormat::json_last)
      candidate = text;
    else
      json_line(text);
  } else if (!trim(text).empty()) {
    ++sum.log_lines;
  }
}

void StreamReader::State::text_line(std::string_view text) {
  ++sum.events;
  ++progress_count;
  sum.final_text += tail(text, kTextLimit);
  sum.final_text += '\n';
  if (sum.final_text.size() > 4 * kTextLimit) sum.final_text = tail(sum.final_text, kTextLimit);
  // A progress bar overwrites its line with CR: what stands there last is what a terminal would show.
  if (const auto shown = one_line(text.substr(text.rfind('\r') + 1)); !shown.empty()) last_line = shown;
}

void StreamReader::State::json_line(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) json = Json::parse(to_utf8(text), nullptr, false);
  if (!json.is_object()) {
    ++sum.log_lines;
    return;
  }
  event(json);
}

bool StreamReader::State::retry(const Json& json) {
  if (!retry_when.holds(json)) return false;
  const std::string text = text_at(retry_text, json);
  if (retry_regex && !(retry_regex->ok() && RE2::PartialMatch(text, *retry_regex))) return false;
  sum.retry_text = head(text, kTextLimit);
  sum.retry_status = status_at(retry_status, json);
  if (!sum.retry_status) sum.retry_status = status_in_text(text);
  const bool auth = sum.retry_status == 401 || sum.retry_status == 403;
  auth_retries = auth ? auth_retries + 1 : 0;
  return true;
}

void StreamReader::State::error_from(const Json& json) {
  sum.error_text = head(text_at(error_text, json), kTextLimit);
  sum.status = status_at(error_status, json);
}

void StreamReader::State::event(const Json& json) {
  ++sum.events;
  const bool is_retry = retry(json);
  const bool is_progress = !is_retry && (progress.empty() || any_holds(progress, json));
  const bool is_terminal = terminal_when.holds(json);
  const bool is_error = any_holds(error_when, json);
  if (is_progress) {
    ++progress_count;
    auth_retries = 0;
    sum.retry_status.reset();
    sum.retry_text.clear();
  }
  if (session_when.empty() || session_when.holds(json))
    if (const auto id = text_at(session_path, json); !id.empty())
      sum.session = head(sanitize(id), kLineLimit);
  if (is_progress || is_retry || is_terminal || is_error) {
    for (const auto& path : text_paths) {
      const auto text = text_at(path, json);
      if (trim(text).empty()) continue;
      if (is_progress) sum.final_text = tail(to_utf8(text), kTextLimit);
      last_line = one_line(text);
      break;
    }
    for (const auto& path : tool_paths)
      if (const auto name = text_at(path, json); !name.empty()) {
        tool = one_line(name);
        break;
      }
  }
  if (is_terminal) {
    sum.terminal = true;
    sum.terminal_ok = terminal_ok.empty() || terminal_ok.holds(json);
    if (const auto text = text_at(terminal_text, json); !text.empty())
      sum.final_text = tail(to_utf8(text), kTextLimit);
    if (!sum.terminal_ok) error_from(json);
  }
  if (is_error) {
    sum.error = true;
    error_from(json);
  }
  if (denied_when.holds(json)) {
    const Json* list = denied_path.find(json);
    sum.denied = list != nullptr && list->is_array() && !list->empty();
  }
  usage.read(json);
  fallback.read(json);
}

void StreamReader::State::finish() {
  if (rules.format != model::StreamFormat::json_whole) {
    if (skipping)
      ++sum.log_lines;
    else if (!open_line.empty())
      line(std::exchange(open_line, {}));
    skipping = false;
  }
  if (overflow) ++sum.log_lines;
  if (!trim(candidate).empty()) json_line(std::exchange(candidate, {}));
  overflow = false;
}

StreamReader::StreamReader(const model::AgentDescriptor& descriptor)
    : state_(std::make_unique<State>(descriptor)) {}
StreamReader::~StreamReader() = default;
StreamReader::StreamReader(StreamReader&&) noexcept = default;
StreamReader& StreamReader::operator=(StreamReader&&) noexcept = default;

void StreamReader::feed(std::string_view bytes) { state_->feed(bytes); }
void StreamReader::finish() { state_->finish(); }

StreamSummary StreamReader::summary() const {
  StreamSummary sum = state_->sum;
  if (!sum.structured) sum.final_text = tail(to_utf8(trim(sum.final_text)), kTextLimit);
  const auto& main = state_->usage;
  const auto& other = state_->fallback;
  sum.usage = main.usage();
  // A killed run has no last word, and a run that hit its budget reports zeros beside the right money.
  if (other.counted() && !main.counted()) {
    sum.usage = other.usage();
    if (main.usage().cost_usd) sum.usage.cost_usd = main.usage().cost_usd;
  }
  return sum;
}

StreamReader::View StreamReader::view() const {
  View view;
  view.last_line = state_->last_line;
  view.tool = state_->tool;
  view.events = state_->sum.events;
  view.progress = state_->progress_count;
  view.terminal = state_->sum.terminal;
  view.auth_retries = state_->auth_retries;
  view.usage = summary().usage;
  return view;
}

bool denied(const StreamReader& stream) { return stream.summary().denied; }

}  // namespace hydra::adapters
