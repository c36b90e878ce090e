// config: proposals from the rules of a Makefile and from Meson's build file.
#include "base/strings.hpp"
#include "config/propose.hpp"
#include "config/toolchains.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::config {
namespace {

/// A rule of a Makefile: "all: x y" and its recipe.
struct MakeRule {
  std::string name, text;
};

std::vector<MakeRule> make_rules(std::string_view makefile) {
  std::vector<MakeRule> rules;
  std::size_t open = 0;  // first rule of the last rule line, whose rules share the recipe
  for (const auto line : lines(makefile)) {
    if (line.starts_with('\t')) {
      for (auto i = open; i < rules.size(); ++i) rules[i].text += " " + std::string(line.substr(1));
      continue;
    }
    const auto colon = line.find(':');
    const bool rule = colon != std::string_view::npos && !line.empty() && line.front() != ' ' &&
                      line.front() != '#' && line.find_first_of("=$") > colon;
    auto rest = rule ? line.substr(colon + 1) : std::string_view();
    while (rest.starts_with(':')) rest.remove_prefix(1);
    if (!rule || rest.starts_with('=')) continue;
    open = rules.size();
    for (const auto name : split(line.substr(0, colon), ' '))
      if (!trim(name).empty())
        rules.push_back({std::string(trim(name)), std::string(rest.substr(0, rest.find('#')))});
  }
  return rules;
}

bool says_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  const auto blanks = replace_all(std::string(text), "\t", " ");  // owns the text that the parts view
  for (const auto part : split(blanks, ' '))
    if (std::find(words.begin(), words.end(), trim(part)) != words.end()) return true;
  return false;
}

/// Whether the rule builds; an "all" that also tests, formats or publishes is a pipeline.
bool is_build(const MakeRule& rule) {
  return !says_one_of(rule.text, {"test", "tests", "check", "lint", "fmt", "format", "vet", "ci", "cover",
                                  "coverage", "clean", "docker", "release", "deploy", "install", "e2e"});
}

const MakeRule* find_rule(const std::vector<MakeRule>& rules, std::string_view name) {
  const auto it = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.name == name; });
  return it == rules.end() ? nullptr : &*it;
}

/// Returns the rule of plain `make`, the first that is no special target; null if that rule is no build.
const MakeRule* default_rule(const std::vector<MakeRule>& rules) {
  for (const auto& rule : rules) {
    if (rule.name.starts_with('.') || rule.name.find('%') != std::string::npos) continue;
    const bool other = says_one_of(rule.name, {"test", "tests", "check", "lint", "help", "clean",   "install",
                                               "run",  "docs",  "doc",   "ci",   "fmt",  "format",  "usage",
                                               "dev",  "setup", "init",  "venv", "deps", "release", "dist"});
    return other || !is_build(rule) ? nullptr : &rule;
  }
  return nullptr;
}

std::optional<Guess> target(const std::vector<MakeRule>& rules, const std::string& file,
                            std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    if (find_rule(rules, name) != nullptr)
      return Guess{fmt::format("make {}", name), fmt::format("target {} of {}", name, file)};
  return std::nullopt;
}

}  // namespace

// The test command names the project, since tests of subprojects do not count.
bool propose_meson(const ProjectView& files, Proposal& p) {
  const auto project =
      files.matching("subprojects/*.wrap").empty() ? std::string() : meson_project(files.text("meson.build"));
  if (project.empty()) return true;
  p.test->value += " --suite " + project;
  p.test->why += ", without its subprojects' own tests";
  return true;
}

std::string meson_project(std::string_view text) {
  const auto at = text.find("project(");
  if (at == std::string_view::npos) return {};
  const auto parts = split(text.substr(at, 200), '\'');
  const bool plain =
      parts.size() > 2 && !parts[1].empty() && std::all_of(parts[1].begin(), parts[1].end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_' || c == '.' || c == '+';
      });
  return plain ? std::string(parts[1]) : std::string();
}

bool propose_configured_make(const ProjectView& files, Proposal& p) {
  p.test = target(make_rules(files.text("Makefile.in")), "Makefile.in", {"check", "test"});
  return true;
}

bool propose_make(const ProjectView& files, Proposal& p) {
  const auto& found = p.kind;
  const auto rules = make_rules(files.text(found));
  for (const auto* name : {"build", "all"})
    if (const auto* rule = find_rule(rules, name); rule != nullptr && is_build(*rule) && !p.build)
      p.build = Guess{fmt::format("make {}", name), fmt::format("target {} of {}", name, found)};
  if (!p.build)
    if (const auto* rule = default_rule(rules); rule != nullptr && rule->name != "all")
      p.build = Guess{"make", fmt::format("{} makes {} by default", found, rule->name)};
  p.test = target(rules, found, {"test", "check", "tests"});
  const auto* lint = find_rule(rules, "lint");
  const auto& fixes = toolchains().fixes;  // a target that repairs passes always
  if (lint && std::none_of(fixes.begin(), fixes.end(),
                           [&](std::string_view fix) { return says_one_of(lint->text, {fix}); }))
    p.lint = target(rules, found, {"lint"});
  return true;
}

}  // namespace hydra::config
