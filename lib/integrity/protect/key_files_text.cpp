#include "base/strings.hpp"
#include "integrity/protect/key_blocks.hpp"
#include "integrity/protect/key_files.hpp"

#include <algorithm>

namespace hydra::integrity {
namespace {

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

/// Readers differ on: text after a section's name, blanks around a name, rare line ends. "#" and ";" begin a
/// comment for some readers and belong to a value for others.
bool read_in_two_ways(std::string_view text) {
  for (const auto line : whole_lines(text)) {
    const auto shown = trim(line);
    if (shown.starts_with('[') && (!line.starts_with('[') || shown.find(']') != shown.size() - 1 ||
                                   trim(shown.substr(1, shown.size() - 2)).size() + 2 != shown.size()))
      return true;
    const auto end = line.ends_with("\r\n") ? line.size() - 2 : line.size();
    if (line.substr(0, end).find_first_of("\r\v\f\x1c\x1d\x1e") != std::string_view::npos) return true;
  }
  return text.find("\xc2\x85") != std::string_view::npos ||
         text.find("\xe2\x80\xa8") != std::string_view::npos ||
         text.find("\xe2\x80\xa9") != std::string_view::npos;
}

}  // namespace

Result<RestoredKeys> restore_ini(std::string_view base, std::string_view candidate) {
  if (base != candidate && read_in_two_ways(candidate))
    return RestoredKeys{std::string(base), {"the whole file: its readers may differ"}};
  const auto before = ini_blocks(base), after = ini_blocks(candidate);
  // A runner plugin by entry point is installed with the package and loaded by every run.
  const auto plugs_in = [](const std::vector<Block>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
      return block.name == "options.entry_points" && block.text.find("pytest11") != std::string::npos;
    });
  };
  const bool plugin = plugs_in(before) || plugs_in(after);
  return put_back(before, after, candidate, "", [&](std::string_view name) {
    if (plugin && name == "options.entry_points") return true;
    for (const std::string_view known :
         {"tool:pytest", "pytest", "coverage:", "flake8", "mypy", "pylint", "isort", "pycodestyle",
          "pydocstyle", "pep8", "tox:", "tool:nox", "yapf", "nosetests", "aliases", "bandit", "behave"})
      if (name.starts_with(known)) return true;
    return false;
  });
}

}  // namespace hydra::integrity
