// integrity, inside only: what the finders of tampering share. Pure.
#pragma once

#include "base/strings.hpp"
#include "integrity/report/tamper.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace hydra::integrity {

using Text = std::string_view;
using Words = std::initializer_list<Text>;

inline bool has(Text text, Text part) { return text.find(part) != Text::npos; }
template <class List>
bool has_any(Text text, const List& parts) {
  return std::any_of(std::begin(parts), std::end(parts), [&](Text part) { return has(text, part); });
}
inline bool has_any(Text text, Words parts) { return has_any<Words>(text, parts); }

/// Collects signals within the limits. The limits hold for each severity by itself: what is harmless must not
/// crowd out what blocks.
class Signals {
 public:
  explicit Signals(TamperReport& report) : report_(report) {}
  void add(SignalKind kind, Severity severity, std::string_view path, std::int64_t line,
           std::string_view excerpt, std::string reason);

 private:
  TamperReport& report_;
  std::map<std::tuple<std::string, SignalKind, Severity>, std::size_t> counts_;
  std::map<Severity, std::size_t> kept_;
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
Language language_beside(std::string_view path, const trees::BaseTree& base);

/// Where a text stands: the same line means different things there.
enum class Role { product, test, hook };

struct TextLine {
  std::int64_t number = 0;  ///< from 1; what stands behind a lone carriage return has the same
  std::string_view text;    ///< trimmed
  std::size_t indent = 0;   ///< blanks before it; a tab counts one
  bool comment = false;     ///< as a whole
};

/// Lines of a text that are not blank. A byte order mark is taken off, UTF-16 is read as such (`decoded`
/// holds what it became), and what else ends a line in this language does so here.
std::vector<TextLine> text_lines(std::string_view text, Language language,
                                 std::unique_ptr<std::string>& decoded);

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
  std::vector<std::size_t> added;                      ///< indices into `candidate`
  std::vector<TextLine> removed;                       ///< of the base
  std::unique_ptr<std::string> decoded_base, decoded;  ///< what lines of UTF-16 texts are views of
};

/// By path alone: protected paths, files left out, mtimes, deleted tests, shadowed tools.
void find_in_paths(const TamperInput& input, Signals& signals);
/// By what was added and removed in texts; counts inline suppressions.
void find_in_texts(const TamperInput& input, Signals& signals, std::int64_t& suppressions);
/// In the agent's tool calls.
void find_in_calls(const TamperInput& input, Signals& signals);

/// Inside find_in_texts(), one family of rules each.
void find_skips(const TextDiff& diff, Signals& signals);
/// A manifest that takes packages from another place than the registry.
void find_other_sources(const TextDiff& diff, Signals& signals);
/// A lock file that takes packages from a host which the base's does not name.
void find_other_hosts(const ChangedFile& file, Signals& signals);
void find_assertions(const TextDiff& diff, Signals& signals);
/// Tests that stand in product files.
void find_inline_assertions(const TextDiff& diff, Signals& signals);
std::int64_t find_suppressions(const TextDiff& diff, Signals& signals);

}  // namespace hydra::integrity
