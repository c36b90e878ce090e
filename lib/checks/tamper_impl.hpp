// checks, inside only: what the finders of tampering share. Pure.
#pragma once

#include "checks/tamper.hpp"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hydra::checks {

/// Collects signals within the limits.
class Signals {
 public:
  explicit Signals(TamperReport& report) : report_(report) {}
  void add(SignalKind kind, Severity severity, std::string_view path, std::int64_t line,
           std::string_view excerpt, std::string reason);

 private:
  TamperReport& report_;
  std::map<std::pair<std::string, SignalKind>, std::size_t> counts_;
};

/// What a text is written in, as far as the rules tell languages apart.
enum class Language {
  none,
  python,
  script,
  go,
  rust,
  c,
  jvm,
  dotnet,
  ruby,
  php,
  swift,
  shell,
  make,
  cmake,
  configuration
};
Language language_of(std::string_view path);
/// The same; "src/area", which Node and shells run without an extension: the language of a file of the base
/// that differs by its extension only.
Language language_beside(std::string_view path, const BaseTree& base);

/// Where a text stands: the same line means different things there.
enum class Role { product, test, hook };

struct TextLine {
  std::int64_t number = 0;  ///< from 1
  std::string_view text;    ///< trimmed
  std::size_t indent = 0;   ///< blanks before it; a tab counts one
};

/// The texts of one changed file, as lines that came and lines that went. Lines that were only moved are in
/// neither.
struct TextDiff {
  const ChangedFile* file = nullptr;
  Language language = Language::none;
  Role role = Role::product;
  bool is_new = false;  ///< the base has no such file
  bool permitted =
      false;  ///< a test that [evaluation] unprotected gives to the candidates: its edits are to be seen
  std::vector<TextLine> candidate;
  std::vector<std::size_t> added;  ///< indices into `candidate`
  std::vector<TextLine> removed;   ///< of the base
  /// Lines of all product files that came and hand something on: "return x"; null: not asked for.
  const std::vector<std::string_view>* handed_on = nullptr;
};

/// One line that is a comment as a whole.
bool is_comment(std::string_view line, Language language);
/// Does `word` stand in the text with no letter, digit or '_' beside it?
bool has_name(std::string_view text, std::string_view word);

/// By path alone: protected paths, files left out, mtimes, deleted tests, shadowed tools.
void find_in_paths(const TamperInput& input, Signals& signals);
/// By what was added and removed in texts; counts inline suppressions.
void find_in_texts(const TamperInput& input, Signals& signals, std::int64_t& suppressions);
/// In the agent's tool calls.
void find_in_calls(const TamperInput& input, Signals& signals);

/// Inside find_in_texts(), one family of rules each.
void find_exits_and_hooks(const TextDiff& diff, Signals& signals);
void find_skips_and_selection(const TextDiff& diff, Signals& signals);
void find_cmake_tests(const TextDiff& diff, Signals& signals);
/// Rules of a Makefile that other rules could take the place of.
void find_make_rules(const TextDiff& diff, const TamperInput& input, Signals& signals);
/// A manifest that takes the runner from another place.
void find_runner_sources(const TextDiff& diff, const ProtectedPaths& rules, Signals& signals);
void find_assertions(const TextDiff& diff, Signals& signals);
/// Product code that ends the run, reaches into the runner or reads tests by other names.
void find_disguises(const TextDiff& diff, Signals& signals);
/// Tests that stand in product files.
void find_inline_assertions(const TextDiff& diff, Signals& signals);
std::int64_t find_suppressions(const TextDiff& diff, Signals& signals);

}  // namespace hydra::checks
