#include "integrity/protect/makefile.hpp"

#include "base/strings.hpp"
#include "config/command_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace hydra::integrity {
namespace {

using Text = std::string_view;
constexpr std::size_t kMostNames = 500;
constexpr std::size_t kMostExpanded = 4096;

bool name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

/// Variable that a line defines; empty: none.
std::string defined(Text line) {
  auto text = trim(line);
  for (bool again = true; again;) {
    again = false;
    for (const Text word : {"override ", "export ", "private ", "define "})
      if (text.starts_with(word)) text = trim(text.substr(word.size())), again = true;
  }
  std::size_t end = 0;
  while (end < text.size() && name_character(text[end])) ++end;
  if (end == 0) return {};
  const auto rest = trim(text.substr(end));
  const bool defines = rest.empty() && trim(line).find("define ") != Text::npos;
  for (const Text sign : {"=", ":=", "::=", ":::=", "?=", "+=", "!="})
    if (rest.starts_with(sign)) return std::string(text.substr(0, end));
  return defines ? std::string(text.substr(0, end)) : std::string();
}

std::vector<std::string> words(Text text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.find_first_not_of(" \t\r\n\\", at);
    if (begin == Text::npos) break;
    at = std::min(text.find_first_of(" \t\r\n\\", begin), text.size());
    out.emplace_back(text.substr(begin, at - begin));
  }
  return out;
}

/// Reads targets and prerequisites from a rule's first line; false: no rule.
bool read_rule(Text line, MakePart& part) {
  const auto colon = line.find(':');
  if (colon == Text::npos || colon == 0 || trim(line).starts_with('#')) return false;
  if (!defined(line).empty()) return false;
  part.targets = words(line.substr(0, colon));
  auto needs = line.substr(colon + 1);
  if (needs.starts_with(':')) needs.remove_prefix(1);
  needs = needs.substr(0, needs.find_first_of(";#"));
  if (needs.find('=') == Text::npos) part.needs = words(needs);
  return !part.targets.empty();
}

/// Returns whether a target makes a product: honest changes to the build must reach such targets.
bool makes_something(const std::string& target) {
  constexpr std::array<Text, 23> kNames{
      "all",   "build",   "compile",  "install",   "deps",         "setup",     "lib",  "bin",
      "dist",  "gen",     "generate", "configure", "prepare",      "bootstrap", "venv", "node_modules",
      "clean", "release", "debug",    "init",      "dependencies", "objects",   "FORCE"};
  return std::find(kNames.begin(), kNames.end(), target) != kNames.end() ||
         target.find_first_of("./%$*") != std::string::npos;
}

/// Returns whether the part is a rule of this target.
bool makes(const MakePart& part, const std::string& target) {
  return std::find(part.targets.begin(), part.targets.end(), target) != part.targets.end();
}

std::set<std::string> closed(const std::vector<MakePart>& parts, std::vector<std::string> open,
                             const std::set<std::string>& without) {
  std::set<std::string> out;
  while (!open.empty() && out.size() < kMostNames) {
    const auto target = open.back();
    open.pop_back();
    if (without.contains(target) || !out.insert(target).second) continue;
    for (const auto& part : parts)
      if (makes(part, target)) open.insert(open.end(), part.needs.begin(), part.needs.end());
  }
  return out;
}

std::vector<std::string> named_targets(Text command) {
  std::vector<std::string> out;
  for (const auto& call : config::command_calls(command))
    out.insert(out.end(), call.targets.begin(), call.targets.end());
  return out;
}

/// Reads `$(NAME)` and `${NAME}` in a program's place of a recipe.
void read_variables(Text recipe, MakeChecks& checks) {
  for (std::size_t at = recipe.find('$'); at != Text::npos && at + 2 < recipe.size();
       at = recipe.find('$', at + 1)) {
    const char bracket = recipe[at + 1];
    if (bracket != '(' && bracket != '{') continue;
    const auto end = recipe.find_first_of(")}: ,", at + 2);
    if (end == Text::npos) break;
    const auto name = std::string(recipe.substr(at + 2, end - at - 2));
    if (name.empty() || !std::all_of(name.begin(), name.end(), name_character)) continue;
    auto before = trim(recipe.substr(0, at));
    const bool first = before.empty() || Text(";|&(@-+\t").find(before.back()) != Text::npos;
    if (checks.programs.size() >= kMostNames) return;
    if (first) checks.programs.insert(name);
  }
}

/// Returns whether make joins the next line to this one: an odd number of backslashes directly before the
/// line end. A blank after them, or one more backslash, prevents that.
bool goes_on_below(Text line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::size_t count = 0;
  while (line.ends_with('\\')) line.remove_suffix(1), ++count;
  return count % 2 == 1;
}

/// Joins a line with its continuation lines, as make reads them outside of recipes: each splice is one blank.
std::string spliced(Text text) {
  std::string out;
  for (const auto line : whole_lines(text)) {
    auto part = trim(line);
    if (goes_on_below(line)) part.remove_suffix(1);
    out += std::string(trim(part)) + " ";
  }
  return out;
}

/// Lines with their continuation lines joined.
std::vector<Text> spliced_lines(Text makefile) {
  std::vector<Text> out;
  bool on = false;
  for (const auto line : whole_lines(makefile)) {
    if (on)
      out.back() = Text(out.back().data(), out.back().size() + line.size());
    else
      out.push_back(line);
    on = goes_on_below(line);
  }
  return out;
}

/// Target of a plain `make`; empty: none.
std::string default_target(const std::vector<MakePart>& parts) {
  for (const auto& part : parts)
    if (!part.targets.empty() && !part.targets.front().starts_with('.')) return part.targets.front();
  return {};
}

/// Lines of a rule's recipe: the text after its ";", and the tab-indented lines below.
std::vector<Text> recipe_of(const MakePart& part) {
  std::vector<Text> out;
  const auto all = lines(part.text);
  if (const auto beside = all.front().find(';'); beside != Text::npos)
    out.push_back(all.front().substr(beside + 1));
  std::copy_if(all.begin() + 1, all.end(), std::back_inserter(out),
               [](Text line) { return line.starts_with('\t'); });
  return out;
}

}  // namespace

std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<Text> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out.push_back(text.substr(0, end == Text::npos ? end : end + 1));
    text.remove_prefix(out.back().size());
  }
  return out;
}

std::vector<MakePart> make_parts(std::string_view makefile) {
  std::vector<MakePart> out(1);
  bool in_rule = false, in_define = false;
  for (const auto written : spliced_lines(makefile)) {
    const auto one = goes_on_below(written.substr(0, written.find('\n') + 1)) && !written.starts_with('\t')
                         ? spliced(written)
                         : std::string(written);
    const Text line = one;
    const auto shown = trim(line);
    if (in_define) {
      out.back().text += written;
      if (shown == "endef") in_define = false, out.emplace_back();
      continue;
    }
    // A tab begins a recipe only below a rule; elsewhere make reads such a line like any other.
    if (in_rule && (line.starts_with('\t') || shown.empty())) {
      out.back().text += written;
      continue;
    }
    MakePart part;
    part.variable = defined(line);
    in_rule = part.variable.empty() && read_rule(line, part);
    in_define = !part.variable.empty() && line.find("define ") != Text::npos && line.find('=') == Text::npos;
    const bool plain = !in_rule && part.variable.empty();
    if (!plain || !out.back().targets.empty() || !out.back().variable.empty()) out.push_back(std::move(part));
    out.back().text += written;
  }
  return out;
}

std::vector<std::string> make_recipes(std::string_view makefile, const std::vector<std::string>& targets) {
  constexpr std::size_t kMostTargets = 200;
  const auto parts = make_parts(makefile);
  std::vector<std::string> out, wanted = targets;
  std::set<std::string> done;
  for (std::size_t i = 0; i < wanted.size() && i < kMostTargets; ++i) {
    const auto target = wanted[i].empty() ? default_target(parts) : wanted[i];
    if (!done.insert(target).second) continue;
    for (const auto& part : parts) {
      if (!makes(part, target)) continue;
      for (auto line : recipe_of(part)) {
        line = trim(line);
        line.remove_prefix(std::min(line.find_first_not_of("@-+"), line.size()));
        if (!line.empty()) out.emplace_back(line);
      }
      wanted.insert(wanted.end(), part.needs.begin(), part.needs.end());
    }
  }
  return out;
}

MakeChecks make_checks(std::string_view base, const CheckCommands& commands) {
  MakeChecks checks;
  auto open = named_targets(commands.test);
  const auto lint = named_targets(commands.lint);
  open.insert(open.end(), lint.begin(), lint.end());
  // The default target is usually the build; without a named target nothing is restored.
  std::erase(open, std::string());
  if (open.empty()) return checks;
  const auto parts = make_parts(base);
  auto build = named_targets(commands.build);
  for (auto& target : build)
    if (target.empty()) target = default_target(parts);
  auto without = closed(parts, build, {});
  for (const auto& part : parts)
    for (const auto& need : part.needs)
      if (makes_something(need)) without.insert(need);
  for (const auto& target : open) without.erase(target);
  checks.targets = closed(parts, open, without);
  for (const auto& part : parts)
    if (std::any_of(part.targets.begin(), part.targets.end(),
                    [&](const auto& target) { return checks.targets.contains(target); }))
      for (const auto line : recipe_of(part)) read_variables(line, checks);
  // A variable's value may name another variable.
  const auto definitions = make_definitions(parts);
  for (std::size_t round = 0; round < 3; ++round)
    for (const auto& name : std::set<std::string>(checks.programs))
      if (const auto found = definitions.find(name); found != definitions.end())
        read_variables(found->second, checks);
  return checks;
}

std::map<std::string, std::string> make_definitions(const std::vector<MakePart>& parts) {
  std::map<std::string, std::string> out;
  for (const auto& part : parts) {
    if (part.variable.empty() || out.size() >= kMostNames) continue;
    const auto equals = part.text.find('=');
    if (equals != std::string::npos)
      out[part.variable] = std::string(trim(Text(part.text).substr(equals + 1, kMostExpanded)));
  }
  return out;
}

std::string make_expanded(std::string_view text, const std::map<std::string, std::string>& definitions) {
  std::string now(text.substr(0, kMostExpanded));
  for (int level = 0; level < 5; ++level) {
    std::string next;
    bool changed = false;
    for (std::size_t at = 0; at < now.size() && next.size() < kMostExpanded;) {
      const bool reference = now[at] == '$' && at + 1 < now.size();
      const bool bracket = reference && (now[at + 1] == '(' || now[at + 1] == '{');
      const auto end = bracket ? now.find_first_of(")}", at) : reference ? at + 1 : std::string::npos;
      if (!reference || end == std::string::npos) {
        next += now[at++];
        continue;
      }
      const auto begin = bracket ? at + 2 : at + 1;
      const auto found = definitions.find(now.substr(begin, bracket ? end - begin : 1));
      if (found == definitions.end())
        next += now.substr(at, end + 1 - at);
      else
        next += found->second, changed = true;
      at = end + 1;
    }
    now = next.substr(0, kMostExpanded);
    if (!changed) break;
  }
  return now;
}

bool is_indirect_make(std::string_view line) {
  const auto shown = trim(line);
  for (const Text word : {"include ", "-include ", "sinclude ", ".RECIPEPREFIX", "%:", ".DEFAULT:"})
    if (shown.starts_with(word)) return true;
  if (shown.find("$(eval") != Text::npos || shown.find("${eval") != Text::npos) return true;
  if (line.starts_with('\t') || shown.starts_with('#')) return false;
  const auto colon = shown.find(':');
  return colon != Text::npos && shown.substr(0, colon).find('$') != Text::npos && defined(shown).empty();
}

}  // namespace hydra::integrity
