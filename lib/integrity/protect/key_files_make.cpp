#include "integrity/protect/key_blocks.hpp"
#include "integrity/protect/key_files.hpp"
#include "integrity/protect/makefile.hpp"

#include <algorithm>
#include <unordered_set>

namespace hydra::integrity {
namespace {

/// Variables that select the shell of every recipe, or change how make behaves.
bool governs_all(std::string_view variable) {
  return variable == "SHELL" || variable == ".SHELLFLAGS" || variable == "MAKE" || variable == "MAKEFLAGS" ||
         variable == ".RECIPEPREFIX";
}

std::vector<Block> blocks_of(std::string_view text, const MakeChecks& checks) {
  std::vector<Block> out;
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
bool has_new_indirection(std::string_view base, std::string_view candidate) {
  std::unordered_set<std::string_view> known;
  for (const auto line : lines(base)) known.insert(trim(line));
  const auto all = lines(candidate);
  return std::any_of(all.begin(), all.end(), [&](std::string_view line) {
    return is_indirect_make(line) && !known.contains(trim(line));
  });
}

}  // namespace

Result<RestoredKeys> restore_makefile(std::string_view base, std::string_view candidate,
                                      const CheckCommands& commands) {
  const auto checks = make_checks(base, commands);
  if (checks.targets.empty()) return RestoredKeys{std::string(candidate), {}};
  const auto before = blocks_of(base, checks);
  auto out = put_back(before, blocks_of(candidate, checks), candidate, "",
                      [](std::string_view name) { return !name.empty(); });
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

}  // namespace hydra::integrity
