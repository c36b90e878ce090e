#include "adapters/sign_in_text.hpp"

#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::adapters {
namespace {

constexpr int kMostDepth = 32;
constexpr std::size_t kLeastValue = 16, kLongestValue = 8192, kMost = 64;

// Files of some CLIs execute text after `!` and expand variables after `$`.
bool plain_secret(std::string_view text) {
  const auto shown = trim(text);
  return !shown.starts_with('!') && !shown.starts_with('$') && text.find("://") == std::string_view::npos;
}

bool same_shape(const nlohmann::json& before, const nlohmann::json& after, int depth) {
  if (depth > kMostDepth) return false;
  if (before.is_number() && after.is_number()) return true;
  if (before.type() != after.type()) return false;
  if (before.is_string())
    return before == after || plain_secret(after.get_ref<const nlohmann::json::string_t&>());
  if (before.is_array()) return before == after;
  if (!before.is_object()) return true;
  if (before.size() != after.size()) return false;
  for (const auto& [key, value] : before.items()) {
    if (!after.contains(key)) return false;
    // These members give the meaning of the rest: a typed key, or a variable that receives a token.
    if ((key == "type" || key == "key") && value != after[key]) return false;
    if (!same_shape(value, after[key], depth + 1)) return false;
  }
  return true;
}

std::size_t members(const nlohmann::json& value) {
  if (!value.is_structured()) return 0;
  std::size_t count = value.is_object() ? value.size() : 0;
  for (const auto& child : value) count += members(child);
  return count;
}

// Returns a discarded value for non-JSON, too deep nesting, or duplicate members, on which readers disagree.
nlohmann::json parse_strictly(const std::string& text) {
  using json = nlohmann::json;
  std::size_t keys = 0;
  bool deep = false;
  auto parsed = json::parse(
      text,
      [&](int depth, json::parse_event_t event, json&) {
        if (event == json::parse_event_t::key) ++keys;
        deep = deep || depth > kMostDepth;
        return depth <= kMostDepth;
      },
      false);
  if (deep || parsed.is_discarded() || members(parsed) != keys) return json(json::value_t::discarded);
  return parsed;
}

bool says_secret(std::string_view name) {
  const auto lower = to_lower(name);
  constexpr std::array words{"token", "secret", "password", "passwd", "apikey", "api_key", "credential"};
  const auto ends = [&](std::string_view end) { return std::string_view(lower).ends_with(end); };
  return lower == "key" || ends("_key") || ends("-key") ||
         std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return lower.find(word) != std::string::npos; });
}

void take(std::vector<std::string>& values, std::string_view value) {
  const bool plain =
      std::none_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  // Names of helper programs and addresses look like secrets: "apiKeyHelper", "token_uri".
  if (value.starts_with('/') || value.starts_with('~') || value.starts_with('$') ||
      (value.find("://") != std::string_view::npos && value.find('@') == std::string_view::npos))
    return;
  if (value.size() < kLeastValue || value.size() > kLongestValue || !plain || values.size() >= kMost) return;
  if (std::find(values.begin(), values.end(), value) == values.end()) values.emplace_back(value);
}

// Iterative, since untrusted nesting must not use up the stack.
void take_json(const nlohmann::json& whole, std::vector<std::string>& values) {
  std::vector<std::pair<const nlohmann::json*, bool>> rest{{&whole, false}};
  while (!rest.empty()) {
    const auto [node, secret] = rest.back();
    rest.pop_back();
    if (node->is_string() && secret) take(values, node->get_ref<const std::string&>());
    if (node->is_array())
      for (const auto& item : *node) rest.emplace_back(&item, secret);
    if (node->is_object())
      for (const auto& [key, item] : node->items())
        rest.emplace_back(&item, says_secret(key) || (secret && item.is_structured()));
  }
}

void take_lines(std::string_view text, std::vector<std::string>& values) {
  for (const auto line : lines(text)) {
    const auto mark = line.find_first_of("=:");
    if (mark == std::string_view::npos) continue;
    auto name = trim(line.substr(0, mark));
    if (name.starts_with("export ")) name = trim(name.substr(7));
    auto value = trim(line.substr(mark + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    if (says_secret(name)) take(values, value);
  }
}

}  // namespace

bool same_kind_of_sign_in(const std::string& before, const std::string& after) {
  const auto was = parse_strictly(before), is = parse_strictly(after);
  return was.is_object() && is.is_object() && same_shape(was, is, 0);
}

bool renews_itself(const std::string& text) {
  const auto whole = nlohmann::json::parse(text, nullptr, false, true);
  if (!whole.is_object()) return true;
  bool has_key = false;
  std::vector<const nlohmann::json*> rest{&whole};  // iterative: nesting must not overflow the stack
  while (!rest.empty()) {
    const auto* value = rest.back();
    rest.pop_back();
    if (!value->is_structured()) continue;
    for (const auto& [key, item] : value->items()) {
      const auto name = to_lower(key);
      const bool nothing = item.is_null() || (item.is_string() && item.get_ref<const std::string&>().empty());
      const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
      if (!nothing && (has("refresh") || has("token") || has("expire"))) return true;
      has_key = has_key || (!nothing && item.is_string() && has("key"));
      rest.push_back(&item);
    }
  }
  return !has_key;  // without a key the contents are unknown
}

std::vector<std::string> secret_values_of(std::string_view text) {
  std::vector<std::string> values;
  const auto node = nlohmann::json::parse(text, nullptr, false, true);  // some CLIs write comments
  if (node.is_discarded())
    take_lines(text, values);
  else
    take_json(node, values);
  return values;
}

}  // namespace hydra::adapters
