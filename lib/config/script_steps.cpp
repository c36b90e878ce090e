// config: the steps of a package's scripts (package.json, composer.json, deno.json). A proposal runs the unit
// tests and the linters, not all that a script does.
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "config/propose.hpp"
#include "config/toolchains.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::config {
namespace {

enum class StepKind : std::uint8_t { other, test, lint, change };  // change: a linter that changes files

struct Step {
  std::string script;  ///< script that does this alone; empty: none
  std::string command;
  StepKind kind = StepKind::other;
  std::string_view add{};  ///< options by which the runner names every test
};
using Steps = std::vector<Step>;

bool contains(const Texts& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool says(std::string_view command, std::string_view word) {
  return word.empty() ||
         (" " + std::string(command) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

/// Returns the rest of an entry "program option" of a list of programs; null: the list lacks the program.
std::optional<std::string_view> option_of(const Texts& list, std::string_view program,
                                          std::string_view command) {
  std::optional<std::string_view> option;
  for (const auto entry : list)
    if (const auto end = std::min(entry.find(' '), entry.size()); entry.substr(0, end) == program)
      if (!option || !says(command, *option)) option = entry.substr(std::min(end + 1, entry.size()));
  return option;
}

void classify(Step& step) {
  const auto& all = toolchains();
  for (const auto word : split(step.command, ' ')) {
    const auto name = base_name(word).substr(0, base_name(word).find(".js"));
    if (const auto add = option_of(all.testers, name, {})) {
      step.kind = StepKind::test;
      step.add = *add;
    } else if (const auto looks = option_of(all.linters, name, step.command)) {
      const bool fixes = std::any_of(all.fixes.begin(), all.fixes.end(),
                                     [&](std::string_view fix) { return says(step.command, fix); });
      step.kind = fixes || !says(step.command, *looks) ? StepKind::change : StepKind::lint;
    }
    for (const auto& runner : all.runners)
      if (contains(runner.programs, name) && (runner.verb.empty() || says(step.command, runner.verb))) {
        step.kind = StepKind::test;
        if (step.command.find("--reporter") == std::string::npos) step.add = runner.add;
      }
    const bool before = word.starts_with('-') || word.find('=') != std::string_view::npos ||
                        word.ends_with("js") || word == "node" || word == "@php" || word == "php" ||
                        contains(all.wrappers, word);
    if (step.kind != StepKind::other || !before) return;
  }
}

/// Returns the scripts that a command runs: "npm run x", "run-s a b:*", "@x".
std::vector<std::string> called(const Scripts& scripts, const std::string& command) {
  std::vector<std::string> out;
  const auto plain = replace_all(replace_all(command, "\"", ""), "'", "");
  const auto words = split(plain, ' ');
  const bool several = words[0] == "run-s" || words[0] == "run-p" || words[0].starts_with("npm-run-all");
  for (const auto& [name, text] : scripts)
    if (command == "@" + name || command == "deno task " + name ||
        (several && std::any_of(words.begin() + 1, words.end(), [&, &own = name](std::string_view word) {
           return match_component(word, own);
         })))
      out.push_back(name);
  // In other packages of a workspace the scripts are others.
  if (command.find("-filter") == std::string::npos && command.find(" -r ") == std::string::npos &&
      command.find("workspace") == std::string::npos)
    for (const auto& call : command_calls(command))
      for (const auto& name : call.package_scripts)
        if (scripts.contains(name)) out.push_back(name);
  return out;
}

Steps steps_of(const Scripts& scripts, const std::string& name, int depth = 0) {
  Steps out;
  const auto script = scripts.find(name);
  constexpr int kMostDepth = 4;
  // The script of `npm init` fails by design.
  if (script == scripts.end() || depth > kMostDepth ||
      script->second.find("no test specified") != std::string::npos)
    return out;
  const auto text = replace_all(script->second, "&&", "\n");
  const auto commands = lines(text);
  for (const auto command : commands) {
    const std::string own(trim(command));
    const auto next = called(scripts, own);
    for (const auto& other : next) {
      const auto more = other == name ? Steps() : steps_of(scripts, other, depth + 1);
      out.insert(out.end(), more.begin(), more.end());
    }
    if (!next.empty() && next.front() != name) continue;
    classify(out.emplace_back(Step{commands.size() == 1 ? name : "", own}));
  }
  if (depth == 0 && out.size() == 1) out.front().script = name;
  return out;
}

/// Whether the step is more than unit tests, or does not end.
bool is_special(const Step& step) {
  auto words = step.script + " " + step.command;
  std::replace_if(
      words.begin(), words.end(),
      [](char c) { return std::string_view(":-_./").find(c) != std::string_view::npos; }, ' ');
  const auto& special = toolchains().special;
  return std::any_of(special.begin(), special.end(),
                     [&](std::string_view word) { return says(words, word); });
}

/// Returns the steps of a kind in the named scripts, else a script that is such a step alone.
Steps steps_of_kind(const Scripts& scripts, StepKind kind, std::initializer_list<const char*> names) {
  Steps out;
  for (const auto* name : names)
    for (auto& step : steps_of(scripts, name))
      if (step.kind == kind) out.push_back(std::move(step));
  for (auto it = scripts.begin(); it != scripts.end() && out.empty(); ++it)
    if (const auto steps = steps_of(scripts, it->first);
        steps.size() == 1 && steps.front().kind == kind && !is_special(steps.front()))
      out = steps;
  std::stable_partition(out.begin(), out.end(), [](const Step& step) { return !is_special(step); });
  return out;
}

/// Returns a script as a whole if it is one step, or its steps are unknown and change nothing.
std::optional<Step> whole(const Scripts& scripts, const char* name, StepKind kind) {
  const auto steps = steps_of(scripts, name);
  const auto has = [&](StepKind one) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.kind == one; });
  };
  if (steps.empty() || has(StepKind::change) || (steps.size() > 1 && has(kind))) return std::nullopt;
  return steps.size() == 1 ? steps.front() : Step{name, {}};
}

}  // namespace

void take_scripts(const Scripts& scripts, const ScriptTool& tool, Proposal& p) {
  const bool dashes = tool.run == "npm run" || tool.run == "composer run";
  const auto run = [&](const Step& step) -> Guess {
    const auto add = step.add.empty() ? "" : " " + std::string(step.add);
    if (!step.script.empty()) {
      const auto command = tool.run + " " + step.script;
      return {
          (command == "npm run test" ? "npm test" : command) + (dashes && !add.empty() ? " --" : "") + add,
          fmt::format("script \"{}\" of {}", step.script, tool.manifest)};
    }
    // Assignments stay in front: X='a b' npx ava.
    const auto command = replace_all(step.command, "@php ", "php ");
    std::size_t at = 0;
    for (auto end = command.find(' '); end != std::string::npos; end = command.find(' ', end + 1)) {
      const auto word = command.substr(at, end - at);
      if (word.find('=') == std::string::npos) break;
      if (std::count(word.begin(), word.end(), '\'') % 2 == 0) at = end + 1;
    }
    const auto program = split(std::string_view(command).substr(at), ' ').front();
    const bool found = program == "node" || program == "php" || program.find('/') != std::string_view::npos;
    return {command.substr(0, at) + (found ? "" : tool.inside) + command.substr(at) + add,
            "a step of a script of " + tool.manifest};
  };
  auto test = whole(scripts, "test", StepKind::test);
  if (const auto tests = test ? Steps() : steps_of_kind(scripts, StepKind::test, {"test"}); !tests.empty())
    test = tests.front();
  if (test) p.test = run(*test);
  const auto lint = whole(scripts, "lint", StepKind::lint);
  const auto steps = lint ? Steps{*lint} : steps_of_kind(scripts, StepKind::lint, {"lint", "test"});
  for (const auto& step : steps)
    p.lint =
        &step == &steps.front() ? run(step) : Guess{p.lint->value + " && " + run(step).value, p.lint->why};
}

}  // namespace hydra::config
