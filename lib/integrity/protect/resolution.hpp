// integrity, inside only: names that a run of the base's tests resolves outside of the project: standard
// libraries, installed packages, system headers. A new file that is found first shadows such a name
// (docs/integrity.md, "Names by resolution"). The tools themselves list the names.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace hydra::integrity {

/// A Python file's import name, and the directory that must be on the import path for it.
struct PythonModule {
  std::string_view name, place;
  bool before_source = false;  ///< package or extension module: found before NAME.py in its directory
};
/// Without a name: the file is no module.
PythonModule python_module(std::string_view path);

struct ResolutionQuestion {
  std::filesystem::path checkout;       ///< the user's checkout, searched for installed packages; empty: none
  std::function<std::string()> python;  ///< interpreter that a command names; empty: python3
  /// Concatenated texts of the base's tests, and of files that configure name resolution of Node's tools.
  /// Called at most once each; absent: none.
  std::function<std::string()> tests, settings;
  std::string path = "/usr/bin:/bin";  ///< PATH of the checks: its interpreters list the names
};

class Resolution {
 public:
  explicit Resolution(ResolutionQuestion question);
  /// "a module of the language": what a new file at this path would shadow; empty: nothing. Each tool is run
  /// once, for the first file that needs it. Thread-safe.
  std::string_view taken_by(std::string_view path);

  using Names = std::set<std::string, std::less<>>;  ///< in lower case: a checkout may ignore letter case
 private:
  ResolutionQuestion question_;
  std::mutex mutex_;
  std::map<std::string_view, Names> known_;  // keyed by the name of the way
};

}  // namespace hydra::integrity
