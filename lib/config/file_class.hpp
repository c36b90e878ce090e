// config: files that nobody writes by hand: lock files, generated and vendored ones. The diff size counts
// them by rule and shows them apart. Pure (reliability reference, row E22).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

enum class FileClass {
  written,    ///< by people or agents: counts
  lock,       ///< a package manager's lock file
  generated,  ///< by a tool: minified, protocol stubs, snapshots of a build, linguist-generated
  vendored,   ///< others' code kept in the repository, linguist-vendored
};
std::string_view name(FileClass kind);

/// The rules of one base. Attributes are the base's: a candidate's own do not hide its lines.
class FileClasses {
 public:
  /// One .gitattributes of the base: where it stands ("" for the root, "web" for web/.gitattributes) and its
  /// text.
  struct Attributes {
    std::string directory, text;
  };
  explicit FileClasses(std::span<const Attributes> attributes = {});
  [[nodiscard]] FileClass of(std::string_view path) const;

 private:
  struct Rule {
    std::string directory, pattern;
    bool anchored = false;
    FileClass kind = FileClass::written;
    bool value = true;  ///< "-linguist-generated": it is written by hand
  };
  std::vector<Rule> rules_;  // later ones win
};

/// Lines of one changed path, as a diff counts them.
struct CountedLines {
  std::string path;
  std::int64_t added = 0, removed = 0;
};

/// A diff by class. `written` is what counts as the size of the change.
struct WeighedDiff {
  struct Sum {
    std::int64_t files = 0, added = 0, removed = 0;
  };
  Sum written, lock, generated, vendored;
  std::vector<std::string> set_apart;  ///< "package-lock.json (lock, +1200 -30)", at most 50
};
/// Rule: lines of lock, generated and vendored files count nothing, unless nothing else was changed: then all
/// count.
WeighedDiff weigh_diff(std::span<const CountedLines> files, const FileClasses& classes);

}  // namespace hydra::config
