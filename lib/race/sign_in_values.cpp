#include "race/sign_in_values.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "race/agent_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace hydra::race {
namespace {

constexpr std::size_t kLeastValue = 16, kLongestValue = 8192, kMost = 64;
constexpr std::size_t kMaxSignInFile = 256u << 10;

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
  // Helper programs and addresses have such names, too: "apiKeyHelper", "token_uri".
  if (value.starts_with('/') || value.starts_with('~') || value.starts_with('$') ||
      (value.find("://") != std::string_view::npos && value.find('@') == std::string_view::npos))
    return;
  if (value.size() < kLeastValue || value.size() > kLongestValue || !plain || values.size() >= kMost) return;
  if (std::find(values.begin(), values.end(), value) == values.end()) values.emplace_back(value);
}

// Iterative: foreign depth must not become ours.
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

std::vector<std::string> secret_values_of(std::string_view text) {
  std::vector<std::string> values;
  const auto node = nlohmann::json::parse(text, nullptr, false, true);  // some CLIs write comments
  if (node.is_discarded())
    take_lines(text, values);
  else
    take_json(node, values);
  return values;
}

std::vector<std::string> sign_in_values(const model::RaceSpec& spec) {
  std::set<fs::path> files;
  for (const auto& [id, descriptor] : spec.config.agents) files.merge(sign_in_files(spec, descriptor));
  std::vector<std::string> values;
  for (const auto& file : files)
    if (const auto text = read_file(file, kMaxSignInFile); text.ok())
      for (const auto& value : secret_values_of(*text)) take(values, value);
  return values;
}

}  // namespace hydra::race
