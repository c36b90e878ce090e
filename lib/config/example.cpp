// config: hydra.toml.example and `hydra config --all`, generated from the table of keys. Settings begin with
// "#key", prose with "# ".
#include "config/config.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace hydra::config {
namespace {

constexpr std::size_t kWidth = 116;

/// The keys that most projects set.
constexpr std::array<std::string_view, 12> kOften{
    "scoring.weights",
    "scoring.build_command",
    "scoring.test_command",
    "scoring.lint_command",
    "scoring.timeout_per_check_seconds",
    "scoring.thresholds.auto_merge_minimum",
    "workspace.setup",
    "workspace.copy",
    "workspace.share",
    "workspace.outputs",
    "limits.budget_usd",
    "race.agents",
};

/// Returns `text` as comment lines of at most kWidth columns.
std::string comment(std::string_view text) {
  std::string out = "#";
  std::size_t column = 1;
  while (!text.empty()) {
    const auto end = text.find(' ');
    const auto word = text.substr(0, end);
    if (column + 1 + word.size() > kWidth) {
      out += "\n#";
      column = 1;
    }
    out += ' ';
    out += word;
    column += 1 + word.size();
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out + "\n";
}

std::string range_words(const Rule& rule) {
  if (rule.max == std::numeric_limits<double>::infinity()) return {};
  return fmt::format("{}{} to {}", rule.above_min ? "above " : "", rule.min, static_cast<double>(rule.max));
}

/// Returns "# Doc. [s, above 0 to 86400; default: none]" and "#key = value".
template <class Root>
std::string entry(const Key<Root>& key, std::string_view name, Root& defaults) {
  std::string value = to_toml(key.at(defaults));
  const bool none = value.empty() || !key.sample.empty();
  if (none && !key.sample.empty()) value = key.sample;
  std::string notes(key.unit);
  if (const auto range = range_words(key.rule); !range.empty()) notes += (notes.empty() ? "" : ", ") + range;
  if (none) notes += notes.empty() ? "default: none" : "; default: none";
  std::string text(key.doc);
  if (!notes.empty()) text += fmt::format(" [{}]", notes);
  return comment(text) + fmt::format("#{} = {}\n", name, value);
}

/// Returns the weights as one inline table, as in the specification.
std::string weights_entry(model::Config& defaults) {
  std::string inside;
  for (const auto& key : config_keys()) {
    constexpr std::string_view prefix = "scoring.weights.";
    if (!key.path.starts_with(prefix)) continue;
    inside += fmt::format("{} {} = {}", inside.empty() ? "" : ",", key.path.substr(prefix.size()),
                          to_toml(key.at(defaults)));
  }
  return comment(
             "Weight of each dimension, and of [[judges]]; at least 0 each, not all 0. They are scaled to "
             "100 together.") +
         fmt::format("#weights = {{{} }}\n", inside);
}

std::string agents_section() {
  std::string out =
      "\n# Your own agents. The command alone is enough: the output is then plain text and exit code 0 is "
      "success.\n"
      "# A table named as a built-in agent (`hydra agents` lists them) changes only the keys it has.\n"
      "# See docs/adapters.md.\n"
      "#[agents.my-agent]\n";
  model::AgentDescriptor defaults;
  for (const auto& key : agent_keys()) out += entry(key, key.path, defaults);
  return out;
}

std::string judges_section() {
  std::string out =
      "\n# A judge scores each result of a race from 0 to 1, blind; one table for each judge. "
      "See "
      "docs/selection.md.\n"
      "#[[judges]]\n";
  model::JudgeConfig defaults;
  for (const auto& key : judge_keys()) {
    if (key.path == "agent")
      out += comment(fmt::format("{} [default: none]", key.doc)) + "# agent = \"claude\"\n";
    else
      out += entry(key, key.path, defaults);
  }
  return out;
}

std::string prices_section() {
  std::string out =
      "\n# Prices of models, for agents that report no cost: an estimate, and marked as one. These win over "
      "the "
      "built-in table.\n"
      "#[prices.\"my-model\"]\n";
  model::Price defaults;
  for (const auto& key : price_keys()) {
    auto shown = key;
    if (shown.path != "input" && shown.path != "output") shown.sample = "0.3";
    out += entry(shown, key.path, defaults);
  }
  return out;
}

/// Returns all keys of config_keys(), or those of kOften, by their sections.
std::string sections(bool all) {
  std::string out;
  model::Config defaults;
  std::string section;
  bool weights = false;
  for (const auto& key : config_keys()) {
    const bool weight = key.path.starts_with("scoring.weights.");
    const auto path = weight ? std::string_view("scoring.weights") : key.path;
    if ((!all && std::find(kOften.begin(), kOften.end(), path) == kOften.end()) || (weight && weights))
      continue;
    const auto dot = path.rfind('.');
    if (path.substr(0, dot) != section) {
      section = path.substr(0, dot);
      out += fmt::format("\n[{}]\n", section);
    }
    out += weight ? weights_entry(defaults) : entry(key, path.substr(dot + 1), defaults);
    weights = weights || weight;
  }
  return out;
}

constexpr std::string_view kUnits = "# Times are in seconds, sizes in bytes, scores in points of 0 to 100.\n";

}  // namespace

std::string example() {
  return "# hydra.toml: the keys that most projects set, with their defaults. Remove the # before a key to "
         "set it.\n"
         "# `hydra config --all` lists every key.\n" +
         std::string(kUnits) + sections(false);
}

std::string all_keys() {
  return "# hydra.toml: every key with its default. Remove the # before a key to set it.\n"
         "# A user's own defaults are in ~/.config/hydra/config.toml; a project's hydra.toml wins over them, "
         "the command\n"
         "# line over both.\n" +
         std::string(kUnits) + sections(true) + judges_section() + agents_section() + prices_section();
}

}  // namespace hydra::config
