// config: files that nobody writes by hand: lock files, generated and vendored files. The diff size counts
// them separately. Every function is pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

enum class FileClass {
  written,    ///< written by people or agents: counts
  lock,       ///< lock file of a package manager
  generated,  ///< output of a tool: minified, protocol stubs, build snapshots, linguist-generated
  vendored,   ///< foreign code kept in the repository, linguist-vendored
};
std::string_view name(FileClass kind);

/// The rules of one base. Only the base's attributes count: a candidate cannot hide lines by its own.
class FileClasses {
 public:
  /// A .gitattributes file of the base; `directory`: "" for the root, "web" for web/.gitattributes.
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
    bool value = true;  ///< value of the attribute; "-linguist-generated" means written by hand
  };
  std::vector<Rule> rules_;  // sorted; later rules win
};

struct CountedLines {
  std::string path;
  std::int64_t added = 0, removed = 0;
};

/// A diff by class; `written` is the size of the change.
struct WeighedDiff {
  struct Sum {
    std::int64_t files = 0, added = 0, removed = 0;
  };
  Sum written, lock, generated, vendored;
  std::vector<std::string> set_apart;  ///< "package-lock.json (lock, +1200 -30)", at most 50
};
/// Sums lines by class. Lines of lock, generated and vendored files count only if no other file was changed.
WeighedDiff weigh_diff(std::span<const CountedLines> files, const FileClasses& classes);

}  // namespace hydra::config
