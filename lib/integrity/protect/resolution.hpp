// integrity, inside only: names that a run of the base's tests finds outside of the project: the languages'
// own libraries, installed packages, headers of the system. A new file that would be found first takes the
// place of one (docs/integrity.md, "Names by resolution"). The tools say which names there are, not a list.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace hydra::integrity {

/// What a Python file would be imported as, and the directory that has to stand on the import path for it.
struct PythonModule {
  std::string_view name, place;
  bool before_source = false;  ///< a package or extension module: found before NAME.py of the same directory
};
/// Without a name: the file is no module.
PythonModule python_module(std::string_view path);

struct ResolutionQuestion {
  std::filesystem::path checkout;       ///< the user's, for what is installed in it; empty: nothing is
  std::function<std::string()> python;  ///< the interpreter that a command names; empty: python3
  /// Texts of the base's tests, and of the files that tell Node's tools where to look for names; one after
  /// the other. Asked at most once each; absent: none.
  std::function<std::string()> tests, settings;
  std::string path = "/usr/bin:/bin";  ///< PATH of the checks: their interpreters say which names there are
};

class Resolution {
 public:
  explicit Resolution(ResolutionQuestion question);
  /// "a module of the language": what a new file of this path would take the place of; empty: nothing. Each
  /// tool is asked once, when the first such file comes. From any thread.
  std::string_view taken_by(std::string_view path);

  using Names = std::set<std::string, std::less<>>;  ///< in lower case: a checkout may not tell cases apart
 private:
  ResolutionQuestion question_;
  std::mutex mutex_;
  std::map<std::string_view, Names> known_;  // by the name of the way
};

}  // namespace hydra::integrity
