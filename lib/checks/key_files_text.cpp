#include "base/strings.hpp"
#include "checks/command_words.hpp"
#include "checks/key_files.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::checks {
namespace {

/// A file cut into blocks that belong to a name; "" for what belongs to none.
struct Block {
  std::string name, text;
};

/// The candidate's blocks, those that `wanted` names replaced by the base's (all of one name at the place of
/// the first). Blocks that only the base has come at the end.
template <class Wanted>
RestoredKeys put_back(const std::vector<Block>& base, const std::vector<Block>& candidate,
                      std::string_view text, std::string_view prefix, Wanted wanted) {
  const auto collect = [&](const std::vector<Block>& blocks) {
    std::map<std::string, std::string> out;
    for (const auto& block : blocks)
      if (wanted(block.name)) out[block.name] += block.text;
    return out;
  };
  auto before = collect(base), after = collect(candidate);
  RestoredKeys out;
  std::set<std::string> different;
  const auto same = [](const std::map<std::string, std::string>& map, const std::string& key,
                       const std::string& value) {
    const auto found = map.find(key);
    return found != map.end() && trim(found->second) == trim(value);
  };
  for (const auto& [name, value] : before)
    if (!same(after, name, value)) different.insert(name);
  for (const auto& [name, value] : after)
    if (!before.contains(name)) different.insert(name);
  if (different.empty()) {
    out.text = text;
    return out;
  }
  std::set<std::string> written;
  for (const auto& block : candidate) {
    if (!different.contains(block.name)) {
      out.text += block.text;
    } else if (written.insert(block.name).second && before.contains(block.name)) {
      out.text += before[block.name];
      if (!out.text.ends_with('\n')) out.text += '\n';
    }
  }
  for (const auto& name : different) {
    out.keys.push_back(sanitize(std::string(prefix) + name));
    if (!written.contains(name) && before.contains(name)) {
      if (!out.text.empty() && !out.text.ends_with('\n')) out.text += '\n';
      out.text += before[name];
      if (!out.text.ends_with('\n')) out.text += '\n';
    }
  }
  return out;
}

/// Lines with their ends.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto size = end == std::string_view::npos ? text.size() : end + 1;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

std::vector<Block> ini_blocks(std::string_view text) {
  std::vector<Block> out(1);
  for (const auto line : whole_lines(text)) {
    const auto shown = trim(line);
    if (line.starts_with('[') && shown.ends_with(']'))
      out.push_back({std::string(trim(shown.substr(1, shown.size() - 2))), {}});
    out.back().text += line;
  }
  return out;
}

/// A rule, its recipe and nothing else is a block; the name is its first target.
std::vector<Block> make_blocks(std::string_view text, const std::set<std::string>& targets) {
  std::vector<Block> out(1);
  bool in_rule = false, continued = false;
  for (const auto line : whole_lines(text)) {
    const bool recipe = line.starts_with('\t') || continued;
    continued = trim(line).ends_with('\\');
    if (recipe || (in_rule && trim(line).empty())) {
      out.back().text += line;
      continue;
    }
    std::string name;
    const auto colon = line.find(':');
    if (!line.starts_with('#') && !line.starts_with('.') && colon != std::string_view::npos &&
        line.find('=') > colon + 1)
      for (const auto word : split(line.substr(0, colon), ' '))
        if (targets.contains(std::string(trim(word)))) name = trim(word);
    if (in_rule || !name.empty()) out.push_back({name, {}});
    in_rule = !name.empty();
    out.back().text += line;
  }
  return out;
}

}  // namespace

Result<RestoredKeys> restore_ini(std::string_view base, std::string_view candidate) {
  return put_back(ini_blocks(base), ini_blocks(candidate), candidate, "", [](std::string_view name) {
    for (const std::string_view known :
         {"tool:pytest", "pytest", "coverage:", "flake8", "mypy", "pylint", "isort", "pycodestyle",
          "pydocstyle", "pep8", "tox:", "tool:nox", "yapf", "nosetests", "aliases", "bandit", "behave"})
      if (name.starts_with(known)) return true;
    return false;
  });
}

Result<RestoredKeys> restore_makefile(std::string_view base, std::string_view candidate,
                                      const CheckCommands& commands) {
  std::set<std::string> targets;
  for (const auto* text : {&commands.test, &commands.lint})
    for (const auto& call : command_calls(*text))
      for (const auto& target : call.targets)
        if (!target.empty()) targets.insert(target);
  // The default target is the build as a rule; without a name nothing is taken back.
  return put_back(make_blocks(base, targets), make_blocks(candidate, targets), candidate, "target ",
                  [&](const std::string& name) { return targets.contains(name); });
}

}  // namespace hydra::checks
