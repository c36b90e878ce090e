#include "adapters/json_rules.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace hydra::adapters {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000'000'000;
constexpr double kMostMoney = 1e9;

bool scalar_equals(const Json& value, const std::string& text) {
  if (value.is_string()) return value.get_ref<const std::string&>() == text;
  if (value.is_boolean()) return text == (value.get<bool>() ? "true" : "false");
  if (value.is_number() || value.is_null()) return value.dump() == text;
  return false;
}

std::optional<double> number_at(const Pointer& pointer, const Json& json, double most) {
  const Json* value = pointer.find(json);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double number = value->get<double>();
  if (!(number >= 0) || number > most) return std::nullopt;
  return number;
}

std::optional<std::int64_t> count_at(const Pointer& pointer, const Json& json) {
  const auto number = number_at(pointer, json, static_cast<double>(kMostTokens));
  if (!number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

template <class T>
void add(std::optional<T>& sum, const std::optional<T>& more) {
  if (!more) return;
  sum = sum.value_or(T{}) + *more;
  if constexpr (std::is_integral_v<T>) sum = std::min<T>(*sum, kMostTokens);
}

}  // namespace

Pointer::Pointer(std::string_view text) {
  if (text.empty()) return;
  for (const auto part : split(text.substr(1), '/'))
    parts_.push_back(replace_all(replace_all(std::string(part), "~1", "/"), "~0", "~"));
}

const Json* Pointer::find(const Json& json) const {
  if (parts_.empty()) return nullptr;
  const Json* at = &json;
  for (const auto& part : parts_) {
    if (at->is_object()) {
      const auto it = at->find(part);
      if (it == at->end()) return nullptr;
      at = &*it;
    } else if (at->is_array()) {
      const auto index = parse_int(part);
      if (!index || static_cast<std::size_t>(*index) >= at->size()) return nullptr;
      at = &(*at)[static_cast<std::size_t>(*index)];
    } else {
      return nullptr;
    }
  }
  return at;
}

When::When(const model::JsonWhen& when) {
  for (const auto& c : when) conditions_.emplace_back(Pointer(c.pointer), c.equals);
}

bool When::holds(const Json& json) const {
  return !conditions_.empty() && std::all_of(conditions_.begin(), conditions_.end(), [&](const auto& c) {
    const Json* value = c.first.find(json);
    return value != nullptr && scalar_equals(*value, c.second);
  });
}

bool any_holds(const std::vector<When>& list, const Json& json) {
  return std::any_of(list.begin(), list.end(), [&](const When& w) { return w.holds(json); });
}

std::string text_at(const Pointer& pointer, const Json& json) {
  const Json* value = pointer.find(json);
  if (value == nullptr || value->is_null()) return {};
  if (value->is_string()) return value->get<std::string>();
  return value->dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<int> status_at(const Pointer& pointer, const Json& json) {
  const Json* value = pointer.find(json);
  if (value == nullptr) return std::nullopt;
  std::optional<std::int64_t> number;
  if (value->is_number_integer()) number = value->get<std::int64_t>();
  if (value->is_string()) number = parse_int(value->get_ref<const std::string&>());
  if (!number || *number < 100 || *number > 999) return std::nullopt;
  return static_cast<int>(*number);
}

UsageReader::UsageReader(const model::UsageRule& rule)
    : mode_(rule.mode),
      when_(rule.when),
      input_(rule.input),
      output_(rule.output),
      cache_read_(rule.cache_read),
      cache_write_(rule.cache_write),
      reasoning_(rule.reasoning),
      cost_(rule.cost_usd),
      input_includes_cache_(rule.input_includes_cache),
      output_excludes_reasoning_(rule.output_excludes_reasoning) {}

void UsageReader::read(const Json& json) {
  if (mode_ == model::UsageMode::none || !when_.holds(json)) return;
  const model::Usage found = extract(json);
  if (mode_ == model::UsageMode::last) {
    usage_ = found;
    return;
  }
  add(usage_.input, found.input);
  add(usage_.output, found.output);
  add(usage_.cache_read, found.cache_read);
  add(usage_.cache_write, found.cache_write);
  add(usage_.reasoning, found.reasoning);
  add(usage_.cost_usd, found.cost_usd);
}

bool UsageReader::counted() const {
  return usage_.input.value_or(0) > 0 || usage_.output.value_or(0) > 0 || usage_.cache_read.value_or(0) > 0;
}

model::Usage UsageReader::extract(const Json& json) const {
  model::Usage u;
  u.input = count_at(input_, json);
  u.output = count_at(output_, json);
  u.cache_read = count_at(cache_read_, json);
  u.cache_write = count_at(cache_write_, json);
  u.reasoning = count_at(reasoning_, json);
  u.cost_usd = number_at(cost_, json, kMostMoney);
  if (input_includes_cache_ && u.input)
    u.input = std::max<std::int64_t>(0, *u.input - u.cache_read.value_or(0) - u.cache_write.value_or(0));
  if (output_excludes_reasoning_ && u.output) u.output = *u.output + u.reasoning.value_or(0);
  return u;
}

}  // namespace hydra::adapters
