#include "base/strings.hpp"
#include "integrity/protect/key_files.hpp"
#include "integrity/protect/makefile.hpp"
#include "integrity/protect/protected_paths.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>
#include <vector>

namespace hydra::integrity {
namespace {

using Text = std::string_view;
constexpr std::size_t kMostBytes = 8 * 1024 * 1024;

// --- setup.cfg and Makefiles: blocks of text with a name

/// A named part of a file; "": belongs to no name.
struct Block {
  std::string name, text;
};
using Blocks = std::vector<Block>;

/// Returns the candidate's blocks, with those that `wanted` names replaced by the base's (all blocks of one
/// name at the place of the first). Blocks that only the base has are appended.
RestoredKeys put_back(const Blocks& base, const Blocks& candidate, Text text,
                      const std::function<bool(Text)>& wanted) {
  const auto collect = [&](const Blocks& blocks) {
    std::map<std::string, std::string> out;
    for (const auto& block : blocks)
      if (wanted(block.name)) out[block.name] += block.text;
    return out;
  };
  auto before = collect(base), after = collect(candidate);
  RestoredKeys out;
  std::set<std::string> different;
  for (const auto& [name, value] : before) {
    const auto found = after.find(name);
    if (found == after.end() || trim(found->second) != trim(value)) different.insert(name);
  }
  for (const auto& [name, value] : after)
    if (!before.contains(name)) different.insert(name);
  if (different.empty()) {
    out.text = text;
    return out;
  }
  const auto append = [&](const std::string& name) {
    if (!before.contains(name)) return;
    out.text += before[name];
    if (!out.text.ends_with('\n')) out.text += '\n';
  };
  std::set<std::string> written;
  for (const auto& block : candidate) {
    if (!different.contains(block.name))
      out.text += block.text;
    else if (written.insert(block.name).second)
      append(block.name);
  }
  for (const auto& name : different) {
    out.keys.push_back(sanitize(name));
    if (written.contains(name)) continue;
    if (!out.text.empty() && !out.text.ends_with('\n')) out.text += '\n';
    append(name);
  }
  return out;
}

Blocks ini_blocks(Text text) {
  Blocks out(1);
  for (const auto line : whole_lines(text)) {
    const auto shown = trim(line);
    if (line.starts_with('[') && shown.ends_with(']'))
      out.push_back({std::string(trim(shown.substr(1, shown.size() - 2))), {}});
    out.back().text += line;
  }
  return out;
}

/// Readers differ on: text after a section's name, blanks around a name, rare line ends. "#" and ";" begin a
/// comment for some readers and belong to a value for others.
bool read_in_two_ways(Text text) {
  for (const auto line : whole_lines(text)) {
    const auto shown = trim(line);
    if (shown.starts_with('[') && (!line.starts_with('[') || shown.find(']') != shown.size() - 1 ||
                                   trim(shown.substr(1, shown.size() - 2)).size() + 2 != shown.size()))
      return true;
    const auto end = line.ends_with("\r\n") ? line.size() - 2 : line.size();
    if (line.substr(0, end).find_first_of("\r\v\f\x1c\x1d\x1e") != Text::npos) return true;
  }
  return text.find("\xc2\x85") != Text::npos || text.find("\xe2\x80\xa8") != Text::npos ||
         text.find("\xe2\x80\xa9") != Text::npos;
}

Result<RestoredKeys> restore_ini(Text base, Text candidate, const CheckCommands&) {
  if (base != candidate && read_in_two_ways(candidate))
    return RestoredKeys{std::string(base), {"the whole file: its readers may differ"}};
  const auto before = ini_blocks(base), after = ini_blocks(candidate);
  // A runner plugin by entry point is installed with the package and loaded by every run.
  const auto plugs_in = [](const Blocks& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
      return block.name == "options.entry_points" && block.text.find("pytest11") != std::string::npos;
    });
  };
  const bool plugin = plugs_in(before) || plugs_in(after);
  return put_back(before, after, candidate, [&](Text name) {
    if (plugin && name == "options.entry_points") return true;
    for (const Text known :
         {"tool:pytest", "pytest", "coverage:", "flake8", "mypy", "pylint", "isort", "pycodestyle",
          "pydocstyle", "pep8", "tox:", "tool:nox", "yapf", "nosetests", "aliases", "bandit", "behave"})
      if (name.starts_with(known)) return true;
    return false;
  });
}

/// Variables that select the shell of every recipe, or change how make behaves.
bool governs_all(Text variable) {
  return variable == "SHELL" || variable == ".SHELLFLAGS" || variable == "MAKE" || variable == "MAKEFLAGS" ||
         variable == ".RECIPEPREFIX";
}

Blocks make_blocks(Text text, const MakeChecks& checks) {
  Blocks out;
  for (auto& part : make_parts(text)) {
    Block block;
    for (const auto& target : part.targets)
      if (checks.targets.contains(target) || target == ".IGNORE" || target == ".ONESHELL")
        block.name = "target " + target;
    if (!part.variable.empty() && (checks.programs.contains(part.variable) || governs_all(part.variable)))
      block.name = "variable " + part.variable;
    block.text = std::move(part.text);
    out.push_back(std::move(block));
  }
  return out;
}

/// Returns whether new lines could replace a restored definition indirectly.
bool has_new_indirection(Text base, Text candidate) {
  std::unordered_set<Text> known;
  for (const auto line : lines(base)) known.insert(trim(line));
  const auto all = lines(candidate);
  return std::any_of(all.begin(), all.end(),
                     [&](Text line) { return is_indirect_make(line) && !known.contains(trim(line)); });
}

Result<RestoredKeys> restore_makefile(Text base, Text candidate, const CheckCommands& commands) {
  const auto checks = make_checks(base, commands);
  if (checks.targets.empty()) return RestoredKeys{std::string(candidate), {}};
  const auto before = make_blocks(base, checks);
  auto out =
      put_back(before, make_blocks(candidate, checks), candidate, [](Text name) { return !name.empty(); });
  if (!has_new_indirection(base, candidate)) return out;
  // make uses the last recipe and the last value: append the base's, whatever else defines these names.
  std::string again;
  for (const auto& block : before)
    if (!block.name.empty()) again += block.text + (block.text.ends_with('\n') ? "" : "\n");
  if (again.empty()) return out;
  if (!out.text.ends_with('\n')) out.text += '\n';
  out.text += "\n" + again;
  if (out.keys.empty()) out.keys.emplace_back("rules of the checks, again at the end");
  return out;
}

// --- every kind of file

struct KeyFile {
  Text name;          ///< end of the file's name
  bool whole = true;  ///< `name` is the whole file name
  Result<RestoredKeys> (*restore)(Text base, Text candidate, const CheckCommands& commands) = nullptr;
};

Result<RestoredKeys> deno(Text base, Text candidate, const CheckCommands&) {
  return restore_members(base, candidate, {"tasks", "test", "lint", "fmt", "exclude"});
}

constexpr KeyFile kFiles[] = {
    {"package.json", true, restore_package_json},
    {"pyproject.toml", true, [](Text b, Text c, const CheckCommands&) { return restore_pyproject(b, c); }},
    {"setup.cfg", true, restore_ini},
    {"Cargo.toml", true, [](Text b, Text c, const CheckCommands&) { return restore_cargo(b, c); }},
    {"deno.json", true, deno},
    {"deno.jsonc", true, deno},
    {"composer.json", true,
     [](Text b, Text c, const CheckCommands&) {
       return restore_members(b, c, {"scripts", "autoload-dev"});
     }},
    {"akefile", false, restore_makefile},
    {".mk", false, restore_makefile},
    {".mak", false, restore_makefile}};

const KeyFile* key_file(Text path) {
  const auto own = base_name(path);
  for (const auto& file : kFiles)
    if (own.ends_with(file.name) && (!file.whole || own.size() == file.name.size())) return &file;
  return nullptr;
}

}  // namespace

bool has_restorable_keys(std::string_view path) { return key_file(path) != nullptr; }

Result<RestoredKeys> restore_keys(std::string_view path, std::string_view base, std::string_view candidate,
                                  const CheckCommands& commands) {
  if (base.size() > kMostBytes || candidate.size() > kMostBytes)
    return Error{Errc::protocol, "a file of more than 8 MiB is not restored by key", std::string(path), {}};
  if (const auto* file = key_file(path)) return file->restore(base, candidate, commands);
  return Error{Errc::unsupported, "no keys of this file are known", std::string(path), {}};
}

}  // namespace hydra::integrity
