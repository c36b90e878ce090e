#include "adapters/event_reader.hpp"

#include "adapters/classify.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <utility>

namespace hydra::adapters {
namespace {

/// Copies from `other` the members that `usage` does not know.
void fill_usage(model::Usage& usage, const model::Usage& other) {
  for (const auto part : {&model::Usage::input, &model::Usage::output, &model::Usage::cache_read,
                          &model::Usage::cache_write, &model::Usage::reasoning})
    if (!(usage.*part)) usage.*part = other.*part;
}

std::string model_at(const Pointer& pointer, const Values& values) {
  return head(sanitize(text_at(pointer, values)), kLineLimit);
}

std::vector<Pointer> pointers(Interest& interest, const std::vector<std::string>& list) {
  std::vector<Pointer> all;
  for (const auto& text : list) all.emplace_back(interest, text);
  return all;
}

}  // namespace

EventReader::EventReader(const model::AgentDescriptor& descriptor) {
  const auto& rules = descriptor.stream;
  session_guard_ = rules.session_guard;
  session_when_ = When(interest_, rules.session_when);
  retry_when_ = When(interest_, rules.retry_when);
  terminal_when_ = When(interest_, rules.terminal_when);
  terminal_ok_ = When(interest_, rules.terminal_ok);
  denied_when_ = When(interest_, rules.denied_when);
  model_when_ = When(interest_, rules.model_when);
  turn_when_ = When(interest_, rules.turn_when);
  open_when_ = When(interest_, rules.open_when);
  progress_ = whens(interest_, rules.progress);
  error_when_ = whens(interest_, rules.error_when);
  resume_when_ = whens(interest_, rules.resume_when);
  tool_when_ = whens(interest_, rules.tool_when);
  session_path_ = Pointer(interest_, rules.session_path);
  retry_status_ = Pointer(interest_, rules.retry_status);
  retry_text_ = Pointer(interest_, rules.retry_text);
  error_text_ = Pointer(interest_, rules.error_text);
  error_status_ = Pointer(interest_, rules.error_status);
  stop_reason_ = Pointer(interest_, rules.stop_reason);
  error_class_ = Pointer(interest_, rules.error_class);
  terminal_text_ = Pointer(interest_, rules.terminal_text);
  denied_path_ = Pointer(interest_, rules.denied_path);
  model_path_ = Pointer(interest_, rules.model_path);
  version_path_ = Pointer(interest_, rules.version_path);
  turns_ = Pointer(interest_, rules.turns);
  open_list_ = Pointer(interest_, rules.open_list);
  open_name_ = Pointer(interest_, rules.open_name);
  text_paths_ = pointers(interest_, rules.text_paths);
  tool_paths_ = pointers(interest_, rules.tool_paths);
  usage_ = UsageReader(interest_, rules.usage);
  for (const auto& rule : rules.usage_fallbacks) fallbacks_.emplace_back(interest_, rule);
  has_retry_regex_ = !rules.retry_regex.empty();
  retry_regex_ = pattern(rules.retry_regex);
}

bool EventReader::retry(const Values& values, Tally& tally) {
  if (!retry_when_.holds(values)) return false;
  const std::string text = text_at(retry_text_, values);
  if (has_retry_regex_ && !matches(retry_regex_, text)) {
    tally.sum.complaint = head(text, kTextLimit);
    return false;
  }
  tally.sum.complaint.clear();
  tally.sum.retry_text = head(text, kTextLimit);
  tally.sum.retry_status = status_at(retry_status_, values);
  if (!tally.sum.retry_status) tally.sum.retry_status = status_in_text(text);
  const bool refused = tally.sum.retry_status == 401 || tally.sum.retry_status == 403;
  tally.auth_retries = refused ? tally.auth_retries + 1 : 0;
  ++tally.retries;
  return true;
}

/// Keeps earlier error members that a later event does not name.
void EventReader::error_from(const Values& values, Tally& tally) const {
  auto& sum = tally.sum;
  if (auto text = text_at(error_text_, values); !text.empty()) sum.error_text = head(text, kTextLimit);
  if (const auto status = status_at(error_status_, values)) sum.status = status;
  if (auto word = text_at(error_class_, values); !word.empty()) sum.error_word = head(word, kLineLimit);
}

void EventReader::shown(const Values& values, Tally& tally, bool is_progress) const {
  for (const auto& path : text_paths_) {
    const auto text = text_at(path, values);
    if (trim(text).empty()) continue;
    if (is_progress) {
      tally.sum.final_text = tail(tail_at(path, values), kTextLimit);
      tally.sum.final_head = head(text, kTextLimit);
    }
    tally.last_line = one_line(text);
    break;
  }
  for (const auto& path : tool_paths_)
    if (const auto name = text_at(path, values); !name.empty()) {
      tally.tool = one_line(name);
      break;
    }
}

bool EventReader::decides(const Values& values) const {
  return terminal_when_.holds(values) || any_holds(error_when_, values);
}

void EventReader::event(const Values& values, Tally& tally) {
  auto& sum = tally.sum;
  if (session_guard_ && !sum.session.empty() &&
      head(sanitize(text_at(session_path_, values)), kLineLimit) != sum.session) {
    tally.log("a line of another session");
    return;
  }
  ++sum.events;
  const bool is_retry = retry(values, tally);
  const bool is_progress = !is_retry && (progress_.empty() || any_holds(progress_, values));
  const bool is_terminal = terminal_when_.holds(values);
  const bool is_error = any_holds(error_when_, values);
  if (is_progress) tally.made_progress();
  if (!is_terminal && sum.terminal && any_holds(resume_when_, values)) {
    sum.terminal = sum.terminal_ok = false;
    if (!sum.error) {
      sum.error_text.clear();
      sum.error_word.clear();
      sum.status.reset();
    }
  }
  if (sum.session.empty() && (session_when_.empty() || session_when_.holds(values) || is_terminal))
    sum.session = head(sanitize(text_at(session_path_, values)), kLineLimit);
  if (sum.model.empty() && (model_when_.empty() || model_when_.holds(values)))
    sum.model = model_at(model_path_, values);
  if (version_.empty()) version_ = head(sanitize(text_at(version_path_, values)), kLineLimit);
  if (turn_when_.holds(values)) ++tally.turns_counted;
  if (open_when_.holds(values)) {
    const Found* list = open_list_.find(values);
    const bool listed = list != nullptr && list->kind == Found::Kind::array;
    tally.open_tasks = listed ? static_cast<std::int64_t>(list->size) : 0;
    tally.open_name = one_line(text_at(open_name_, values));
  }
  if (const auto turns = count_at(turns_, values)) sum.turns = turns;
  if (any_holds(tool_when_, values)) ++sum.tool_uses;
  if (is_progress || is_retry || is_terminal || is_error) shown(values, tally, is_progress);
  if (is_terminal) {
    sum.terminal = true;
    sum.terminal_ok = terminal_ok_.empty() || terminal_ok_.holds(values);
    if (const auto text = text_at(terminal_text_, values); !text.empty()) {
      sum.final_text = tail(tail_at(terminal_text_, values), kTextLimit);
      sum.final_head = head(text, kTextLimit);
    }
    if (!sum.terminal_ok) error_from(values, tally);
    const auto reason = sum.terminal_ok ? std::string() : text_at(stop_reason_, values);
    if (!reason.empty() && reason != "error")
      sum.error_text = "it stopped by itself: " + head(reason, kLineLimit);
  }
  if (is_error) {
    sum.error = true;
    error_from(values, tally);
  }
  if (denied_when_.holds(values)) {
    const Found* list = denied_path_.find(values);
    if (list != nullptr && list->kind == Found::Kind::array)
      sum.denials = static_cast<std::int64_t>(list->size);
    sum.denied = sum.denials > 0;
  }
  usage_.read(values);
  for (auto& fallback : fallbacks_) fallback.read(values);
}

model::Usage EventReader::usage(const model::Usage& resume_base) const {
  const UsageReader* counted = &usage_;
  if (!usage_.counted())
    for (const auto& fallback : fallbacks_)
      if (fallback.counted()) {
        counted = &fallback;
        break;
      }
  model::Usage usage = counted->since(resume_base, version_);
  // The lines of a killed run may hold input and output tokens separately, so the fallbacks are merged.
  if (counted != &usage_)
    for (const auto& fallback : fallbacks_)
      if (fallback.counted()) fill_usage(usage, fallback.since(resume_base, version_));
  // A run over its own budget reports zero tokens with the right cost.
  if (counted != &usage_ && usage_.usage().cost_usd)
    usage.cost_usd = usage_.since(resume_base, version_).cost_usd;
  return usage;
}

void UsageLogReader::feed(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const auto stop = bytes.find('\n');
    if (!std::exchange(begun_, true)) {
      skimmer_.begin();
      json_ = true;
    }
    if (json_) json_ = skimmer_.feed(bytes.substr(0, stop));
    if (stop == std::string_view::npos) return;
    if (json_ && skimmer_.complete()) {
      usage_.read(skimmer_.values());
      if (auto name = model_at(model_, skimmer_.values()); !name.empty()) found_model_ = std::move(name);
    }
    begun_ = false;
    bytes.remove_prefix(stop + 1);
  }
}

FileUsage read_usage_file(const model::UsageFile& file, std::string_view text) {
  Interest interest;
  UsageReader reader(interest, file.rule, true);
  const Pointer model(interest, file.model);
  JsonSkimmer skimmer(interest);
  FileUsage found;
  const auto read = [&](std::string_view piece) {
    skimmer.begin();
    if (!skimmer.feed(piece) || !skimmer.complete()) return;
    reader.read(skimmer.values());
    if (auto name = model_at(model, skimmer.values()); !name.empty()) found.model = std::move(name);
  };
  if (file.format == model::StreamFormat::json_whole) {
    read(text);
  } else {
    for (const auto line : lines(text)) read(line);
  }
  found.usage = reader.usage();
  return found;
}

}  // namespace hydra::adapters
