#include "adapters/json_rules.hpp"

#include "adapters/adapters.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <cmath>

namespace hydra::adapters {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000'000'000;
constexpr double kMostMoney = 1e9;
constexpr std::size_t kRecent = 64;

using Kind = Found::Kind;

std::optional<double> number_at(const Pointer& pointer, const Values& values, double most) {
  const Found* value = pointer.find(values);
  if (value == nullptr || value->kind != Kind::number) return std::nullopt;
  if (!(value->number >= 0) || value->number > most) return std::nullopt;
  return value->number;
}

/// Calls `each` with every pair of corresponding members of two usages.
template <class Each>
void each_figure(model::Usage& usage, const model::Usage& other, Each each) {
  each(usage.input, other.input);
  each(usage.output, other.output);
  each(usage.cache_read, other.cache_read);
  each(usage.cache_write, other.cache_write);
  each(usage.reasoning, other.reasoning);
  each(usage.cost_usd, other.cost_usd);
}

}  // namespace

Pointer::Pointer(Interest& interest, std::string_view text) {
  if (text.empty()) return;
  for (const auto part : split(text, '|')) slots_.push_back(interest.add(part));
}

const Found* Pointer::find(const Values& values) const {
  for (const auto slot : slots_)
    if (slot < values.size() && values[slot].kind != Kind::none && values[slot].kind != Kind::null)
      return &values[slot];
  for (const auto slot : slots_)
    if (slot < values.size() && values[slot].kind == Kind::null) return &values[slot];
  return nullptr;
}

When::When(Interest& interest, const model::JsonWhen& when) {
  for (const auto& c : when) {
    std::string_view pointer = c.pointer;
    const bool optional = pointer.ends_with('?');
    if (optional) pointer.remove_suffix(1);
    std::vector<std::string> any{c.equals};
    if (c.equals.find('|') != std::string::npos)
      for (const auto part : split(c.equals, '|')) any.emplace_back(part);
    conditions_.push_back({Pointer(interest, pointer), std::move(any), optional});
  }
}

bool When::holds(const Values& values) const {
  return !conditions_.empty() && std::all_of(conditions_.begin(), conditions_.end(), [&](const auto& c) {
    const Found* value = c.pointer.find(values);
    if (value == nullptr) return c.optional;
    return std::any_of(c.any.begin(), c.any.end(),
                       [&](const auto& equals) { return value->scalar_equals(equals); });
  });
}

std::vector<When> whens(Interest& interest, const std::vector<model::JsonWhen>& list) {
  std::vector<When> all;
  for (const auto& when : list) all.emplace_back(interest, when);
  return all;
}

bool any_holds(const std::vector<When>& list, const Values& values) {
  return std::any_of(list.begin(), list.end(), [&](const When& w) { return w.holds(values); });
}

std::string text_at(const Pointer& pointer, const Values& values) {
  const Found* value = pointer.find(values);
  if (value == nullptr) return {};
  if (value->kind == Kind::text || value->kind == Kind::number) return to_utf8(value->text);
  if (value->kind == Kind::boolean) return value->truth ? "true" : "false";
  return {};
}

std::string tail_at(const Pointer& pointer, const Values& values) {
  const Found* value = pointer.find(values);
  if (value != nullptr && value->kind == Kind::text && !value->tail.empty()) {
    std::string_view tail = value->tail;
    while (!tail.empty() && (static_cast<unsigned char>(tail[0]) & 0xC0u) == 0x80u) tail.remove_prefix(1);
    return to_utf8(tail);
  }
  return text_at(pointer, values);
}

std::optional<int> status_at(const Pointer& pointer, const Values& values) {
  const Found* value = pointer.find(values);
  if (value == nullptr || (value->kind != Kind::number && value->kind != Kind::text)) return std::nullopt;
  const auto number = parse_int(value->text);
  if (!number || *number < 100 || *number > 999) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<std::int64_t> count_at(const Pointer& pointer, const Values& values) {
  const auto number = number_at(pointer, values, static_cast<double>(kMostTokens));
  if (!number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

void add_usage(model::Usage& sum, const model::Usage& more) {
  each_figure(sum, more, [](auto& all, const auto& one) {
    if (!one) return;
    all = all ? *all + *one : *one;
    if constexpr (std::is_integral_v<std::decay_t<decltype(*all)>>)
      all = std::clamp<std::int64_t>(*all, 0, kMostTokens);
  });
}

model::Usage minus_usage(model::Usage all, const model::Usage& base) {
  each_figure(all, base, [](auto& left, const auto& before) {
    if (left && before) left = std::max<std::decay_t<decltype(*left)>>(0, *left - *before);
  });
  return all;
}

UsageReader::UsageReader(Interest& interest, const model::UsageRule& rule, bool always)
    : mode_(rule.mode),
      when_(interest, rule.when),
      always_(always && rule.when.empty()),
      input_(interest, rule.input),
      output_(interest, rule.output),
      cache_read_(interest, rule.cache_read),
      cache_write_(interest, rule.cache_write),
      reasoning_(interest, rule.reasoning),
      total_(interest, rule.total),
      cost_(interest, rule.cost_usd),
      unique_(interest, rule.unique),
      input_includes_cache_(rule.input_includes_cache),
      output_excludes_reasoning_(rule.output_excludes_reasoning),
      cumulative_(rule.cumulative),
      cumulative_from_(rule.cumulative_from),
      cost_cumulative_from_(rule.cost_cumulative_from) {}

model::Usage UsageReader::since(const model::Usage& base, std::string_view version) const {
  if (cumulative_ || version_reaches(version, cumulative_from_)) return minus_usage(usage_, base);
  if (!version_reaches(version, cost_cumulative_from_)) return usage_;
  model::Usage money;
  money.cost_usd = base.cost_usd;
  return minus_usage(usage_, money);
}

void UsageReader::read(const Values& values) {
  if (mode_ == model::UsageMode::none || !(always_ || when_.holds(values))) return;
  const model::Usage found = extract(values);
  if (mode_ == model::UsageMode::last) {
    usage_ = found;
    return;
  }
  if (mode_ == model::UsageMode::max) {
    return each_figure(usage_, found, [](auto& held, const auto& now) {
      if (now && (!held || *held < *now)) held = now;
    });
  }
  if (const auto id = text_at(unique_, values); !id.empty()) {
    const auto it =
        std::find_if(recent_.begin(), recent_.end(), [&](const auto& r) { return r.first == id; });
    if (it != recent_.end()) {
      usage_ = minus_usage(usage_, it->second);
      it->second = found;
    } else {
      recent_.emplace_back(id, found);
      if (recent_.size() > kRecent) recent_.pop_front();
    }
  }
  add_usage(usage_, found);
}

bool UsageReader::counted() const {
  return usage_.input.value_or(0) > 0 || usage_.output.value_or(0) > 0 || usage_.cache_read.value_or(0) > 0;
}

model::Usage UsageReader::extract(const Values& values) const {
  model::Usage u;
  u.input = count_at(input_, values);
  u.output = count_at(output_, values);
  u.cache_read = count_at(cache_read_, values);
  u.cache_write = count_at(cache_write_, values);
  u.reasoning = count_at(reasoning_, values);
  u.cost_usd = number_at(cost_, values, kMostMoney);
  if (const auto total = count_at(total_, values); total && u.input && u.output && !u.reasoning) {
    u.reasoning = std::max<std::int64_t>(0, *total - *u.input - *u.output);
    *u.output += *u.reasoning;
  }
  if (input_includes_cache_ && u.input)
    u.input = std::max<std::int64_t>(0, *u.input - u.cache_read.value_or(0) - u.cache_write.value_or(0));
  if (output_excludes_reasoning_ && u.output) u.output = *u.output + u.reasoning.value_or(0);
  return u;
}

}  // namespace hydra::adapters
