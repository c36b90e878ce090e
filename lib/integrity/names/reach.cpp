#include "base/strings.hpp"
#include "integrity/names/names.hpp"
#include "integrity/protect/test_items.hpp"
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace hydra::integrity {
namespace {

using Text = std::string_view;
using Paths = std::vector<std::string>;

constexpr std::size_t kMostAsked = 50, kMostRead = 3000;

/// Words in the name of a module that tests share.
constexpr std::array<Text, 20> kHelpers{"test",     "tests",  "testing",   "testutil",   "testutils",
                                        "testlib",  "helper", "helpers",   "support",    "fixture",
                                        "fixtures", "mock",   "mocks",     "fake",       "fakes",
                                        "stub",     "stubs",  "assertion", "assertions", "asserts"};

bool is_name_sign(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

bool holds_name(Text text, Text name) {
  for (auto at = text.find(name); at != Text::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !is_name_sign(text[at - 1])) && (end == text.size() || !is_name_sign(text[end])))
      return true;
  }
  return false;
}

std::vector<std::string> name_words(Text path) {
  std::vector<std::string> words(1);
  for (const char c : to_lower(path))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      words.back() += c;
    else
      words.emplace_back();
  return words;
}

Text stem_of(Text path) {
  const auto own = base_name(path);
  return own.substr(0, own.find('.'));
}

/// Text that is neither code nor a page of words may name files that the product opens.
bool is_read(Text path) {
  constexpr std::array<Text, 11> kOthers{".json", ".toml", ".yaml", ".yml", ".cfg",  ".ini",
                                         ".xml",  ".html", ".css",  ".mk",  ".cmake"};
  const auto own = base_name(path);
  if (own == "hydra.toml") return false;  // tasks of its agents may name anything
  return source::is_code(path) || own == "CMakeLists.txt" || own.ends_with("akefile") ||
         std::any_of(kOthers.begin(), kOthers.end(), [&](Text end) { return own.ends_with(end); });
}

class Reach {
 public:
  explicit Reach(const NamesQuestion& question) : question_(question) {}

  [[nodiscard]] bool may_be_for_tests(const std::string& path) const {
    const auto own = base_name(path);
    const bool page = own.ends_with(".md") || own.ends_with(".rst") || own.find('.') == Text::npos;
    if (path.starts_with('.') || path.find("/.") != std::string::npos) return false;
    if (page && directories_of(path).empty()) return false;
    return source::is_code(path) ? is_helper(path) : !is_read(path) || !directories_of(path).empty();
  }

  std::set<std::string> of(const Paths& asked) {
    read();
    std::set<std::string> out;
    for (const auto& path : asked)
      if (only_tests_name(path)) out.insert(path);
    return out;
  }
  /// Returns whether a string of the product has the end of this name alone, such as "*.md" or "{name}.txt".
  [[nodiscard]] bool product_makes(Text path) const {
    const auto own = base_name(path);
    const auto end = own.substr(std::min(own.rfind('.'), own.size()));
    return !end.empty() && std::any_of(files_.begin(), files_.end(), [&](const File& file) {
      return !file.is_test && source::is_code(file.path) && names_one(file, {end}, true);
    });
  }

 private:
  struct File {
    std::string path, text;
    bool is_test = false;
  };

  void read() {
    Paths paths;
    for (const auto& path : question_.base->paths())
      if (paths.size() < kMostRead && is_read(path)) paths.push_back(path);
    auto texts = question_.base_texts(paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const bool is_test = question_.is_test(paths[i]);
      if (paths[i].ends_with(".rs") && !is_test) {
        auto parts = without_test_items(texts[i]);
        files_.push_back({paths[i], std::move(parts.tests), true});
        texts[i] = std::move(parts.product);
      }
      files_.push_back({std::move(paths[i]), std::move(texts[i]), is_test});
    }
  }

  /// Returns whether a module of the base has the name of a helper and is not itself what a test is named
  /// after.
  [[nodiscard]] bool is_helper(Text path) const {
    const auto words = name_words(path);
    const bool named = std::any_of(words.begin(), words.end(), [](const auto& word) {
      return std::find(kHelpers.begin(), kHelpers.end(), word) != kHelpers.end();
    });
    if (!named) return false;
    const auto stem = to_lower(stem_of(path));
    const auto& paths = question_.base->paths();
    return std::none_of(paths.begin(), paths.end(), [&](const auto& other) {
      if (other == path || !question_.is_test(other)) return false;
      auto rest = to_lower(base_name(other));
      rest = rest.substr(0, rest.rfind('.'));
      const auto at = rest.find(stem);
      if (at == std::string::npos) return false;
      rest.erase(at, stem.size());
      for (const Text word : {"tests", "test", "spec"}) rest = replace_all(rest, word, "");
      return rest.find_first_not_of("_-.") == std::string::npos;
    });
  }

  /// Directories of the path that hold no code but tests.
  [[nodiscard]] std::vector<Text> directories_of(Text path) const {
    std::vector<Text> out;
    for (auto end = path.rfind('/'); end != Text::npos && end > 0; end = path.rfind('/', end - 1)) {
      const auto whole = path.substr(0, end + 1);
      const auto& paths = question_.base->paths();
      if (std::any_of(paths.begin(), paths.end(), [&](const auto& other) {
            return other.starts_with(whole) && source::is_code(other) && !question_.is_test(other);
          }))
        break;
      out.push_back(base_name(whole.substr(0, end)));
    }
    return out;
  }

  /// Names that a source uses for the file: of a module its own, of data also those of its directories.
  [[nodiscard]] std::vector<Text> names_of(Text path) const {
    if (!source::is_code(path)) {
      auto names = directories_of(path);
      names.push_back(base_name(path));
      return names;
    }
    constexpr std::array<Text, 4> kOfDirectory{"mod", "index", "__init__", "lib"};
    const auto stem = stem_of(path);
    const bool of_directory = path.ends_with(".go") ||
                              std::find(kOfDirectory.begin(), kOfDirectory.end(), stem) != kOfDirectory.end();
    return {of_directory ? base_name(directory_of(path)) : stem};
  }

  /// Returns whether a file names another one: data in its strings only.
  static bool names_one(const File& file, const std::vector<Text>& names, bool data) {
    const Text text = file.text;
    if (std::none_of(names.begin(), names.end(), [&](Text name) { return holds_name(text, name); }))
      return false;
    if (!data || file.is_test) return true;
    const auto scan = source::scan(file.path, text);
    if (!scan || !source::is_code(file.path)) return true;
    return std::any_of(scan->tokens.begin(), scan->tokens.end(), [&](const source::Token& token) {
      const auto own = text.substr(token.begin, token.end - token.begin);
      return token.kind == source::TokenKind::text &&
             std::any_of(names.begin(), names.end(), [&](Text name) { return holds_name(own, name); });
    });
  }

  bool only_tests_name(const std::string& path) {
    // A module that is asked for while it is looked at counts as the product's.
    const auto [found, is_new] = known_.emplace(path, false);
    if (!is_new) return found->second;
    const auto names = names_of(path);
    const bool data = !source::is_code(path);
    const auto above = directory_of(path);
    bool tests = false;
    for (const auto& file : files_) {
      if (file.path == path || (!source::is_code(file.path) && directory_of(file.path) == above)) continue;
      if (!names_one(file, names, data)) continue;
      if (!file.is_test &&
          !(source::is_code(file.path) && is_helper(file.path) && only_tests_name(file.path)))
        return false;
      tests = true;
    }
    return known_[path] = tests && tests_name_code(path);
  }

  /// Returns whether the tests name code of the base but this file.
  [[nodiscard]] bool tests_name_code(const std::string& but) const {
    return std::any_of(files_.begin(), files_.end(), [&](const File& product) {
      if (product.is_test || product.path == but || !source::is_code(product.path)) return false;
      const auto names = names_of(product.path);
      return std::any_of(files_.begin(), files_.end(), [&](const File& file) {
        return file.is_test &&
               ((file.path == product.path && !file.text.empty()) || names_one(file, names, false));
      });
    });
  }

  const NamesQuestion& question_;
  std::vector<File> files_;
  std::map<std::string, bool> known_;
};

}  // namespace

std::set<std::string> Names::only_tests_reach(const Paths& paths) {
  std::set<std::string> out;
  Reach reach(question_);
  Paths asked;
  const std::lock_guard lock(mutex_);
  for (const auto& path : paths) {
    if (const auto found = reached_.find(path); found != reached_.end()) {
      if (found->second) out.insert(path);
    } else if (asked.size() < kMostAsked && question_.base_texts && question_.base->tracks(path) &&
               reach.may_be_for_tests(path)) {
      asked.push_back(path);
    }
  }
  if (asked.empty()) return out;
  const auto found = reach.of(asked);
  for (const auto& path : asked) reached_[path] = found.contains(path);
  out.insert(found.begin(), found.end());
  return out;
}

std::set<std::string> Names::pages_of_tests(const Paths& paths) const {
  Paths asked;
  for (const auto& path : paths)
    if (asked.size() < kMostAsked && !is_read(path)) asked.push_back(path);
  if (asked.empty()) return {};
  Reach reach(question_);
  auto out = reach.of(asked);
  std::erase_if(out, [&](const auto& path) { return reach.product_makes(path); });
  return out;
}

}  // namespace hydra::integrity
