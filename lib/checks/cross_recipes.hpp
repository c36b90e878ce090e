// checks: the command that runs one author's test files and no others, derived from the configured test
// command: a table of test runners (docs/cross-tests.md, "What is run"). Pure: texts in, a command out.
#pragma once

#include "trees/rebuild.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Bytes of a file; absent: there is none, or it is too large.
using TextOf = std::function<std::optional<std::string>(std::string_view path)>;

struct CrossCommand {
  std::string command;  ///< for `sh -c`
  bool whole = false;   ///< no recipe: the configured command as it is, and so others' tests as well
  /// Each test in a process of its own, where one that ends the process takes the others with it; empty: not
  /// needed, or too many tests.
  std::string apart{};
};

/// `files`: the author's, relative to the tree; helpers and data among them are not named in the command.
/// `base_text` is asked for package.json and Makefile, `text_of` for Go files of the author. A command that
/// joins its parts by anything but `&&`, or a file name that is no plain word, has no recipe.
CrossCommand cross_command(const std::string& configured, const std::vector<std::string>& files,
                           const trees::BaseTree& base, const TextOf& base_text, const TextOf& text_of);

/// The command that runs these test files one by one, so that one that can't be loaded takes no other with
/// it. Empty: there is no recipe, the runner does so anyway, or the files are too many for one command line.
std::string one_by_one(const std::string& configured, const std::vector<std::string>& files,
                       const trees::BaseTree& base, const TextOf& base_text);

}  // namespace hydra::checks
