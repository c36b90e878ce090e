// integrity: what a name of a file means to the base's tests: names that they resolve outside of the project
// (standard libraries, installed packages, system headers), which a new file may shadow; and libraries that
// they alone name (docs/integrity.md, "Names by resolution").
#pragma once

#include "trees/rebuild.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

/// A Python file's import name, and the directory that must be on the import path for it.
struct PythonModule {
  std::string_view name, place;
  bool before_source = false;  ///< package or extension module: found before NAME.py in its directory
};
/// Without a name: the file is no module.
PythonModule python_module(std::string_view path);

/// Returns the texts of these files, empty where one can't be read.
using ReadTexts = std::function<std::vector<std::string>(const std::vector<std::string>&)>;

struct NamesQuestion {
  const trees::BaseTree* base = nullptr;          ///< never null; must outlive the Names
  std::function<bool(std::string_view)> is_test;  ///< tests, and scripts of the checks
  ReadTexts base_texts;                           ///< absent: none
  std::filesystem::path checkout;      ///< the user's checkout, searched for installed packages; empty: none
  std::string python;                  ///< interpreter that a command names; empty: python3
  std::string test_command;            ///< may configure the resolution of names
  std::string path = "/usr/bin:/bin";  ///< PATH of the checks: its interpreters list the names
};

/// The tools themselves list the names: each is run once, for the first file that needs it. Thread-safe.
class Names {
 public:
  explicit Names(NamesQuestion question) : question_(std::move(question)) {}
  /// "a module that tests load": what a new file at this path would shadow; empty: nothing.
  std::string_view taken_by(std::string_view path);
  /// Returns whether the path is in a directory of others' sources, and tests name its library, but no other
  /// source of the base does.
  bool is_library_of_tests(std::string_view path);
  /// Returns those of these files of the base that its tests name, or their directories, and no other source
  /// does: data, and modules with the name of a helper. None where tests name no code, since data is the
  /// product then. Reads the base's sources.
  std::set<std::string> only_tests_reach(const std::vector<std::string>& paths);
  /// Returns those of these files, none of them code or settings, that tests name and no other source does.
  [[nodiscard]] std::set<std::string> pages_of_tests(const std::vector<std::string>& paths) const;

  using Found = std::set<std::string, std::less<>>;  ///< in lower case: a checkout may ignore letter case
 private:
  NamesQuestion question_;
  std::mutex mutex_;
  std::map<std::string_view, Found> known_;  // keyed by the name of the way
  std::map<std::string, bool, std::less<>> libraries_;
  std::optional<std::string> tests_, others_;  // texts for libraries_
  std::map<std::string, bool, std::less<>> reached_;
};

}  // namespace hydra::integrity
