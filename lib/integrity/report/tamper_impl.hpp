// integrity, inside only: what the finders of tampering share. Pure.
#pragma once

#include "base/strings.hpp"
#include "integrity/report/tamper.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace hydra::integrity {

using Text = std::string_view;

inline bool has(Text text, Text part) { return text.find(part) != Text::npos; }
template <class List>
bool has_any(Text text, const List& parts) {
  return std::any_of(std::begin(parts), std::end(parts), [&](Text part) { return has(text, part); });
}

/// Collects findings within the limits. The limits hold for each severity by itself: what is harmless must
/// not crowd out what a person should look at.
class Findings {
 public:
  explicit Findings(TamperReport& report) : report_(report) {}
  void add(Text rule, Severity severity, Text path, std::int64_t line, Text text, std::string reason);

 private:
  TamperReport& report_;
  std::map<std::tuple<std::string, std::string, Severity>, std::size_t> counts_;
  std::map<Severity, std::size_t> kept_;
};

struct TextLine {
  std::int64_t number = 0;  ///< from 1
  Text text;                ///< trimmed
  std::size_t indent = 0;   ///< blanks before it; a tab counts one
};

/// The texts of one changed file, as lines that came and lines that went. Lines that were only moved are in
/// neither.
struct TextDiff {
  const ChangedFile* file = nullptr;
  bool test = false;  ///< it judges the candidate, or configures what does
  std::vector<TextLine> added, removed;
};

/// In the agent's tool calls.
void find_in_calls(const TamperInput& input, Findings& findings);
/// By what was added and removed in texts; counts inline suppressions.
void find_in_texts(const TamperInput& input, Findings& findings, std::int64_t& suppressions);

/// "requirements-dev.txt": read by pip, as no other ".txt" is.
bool is_requirements(Text path);
/// Inside find_in_texts(): a manifest that takes packages from another place than the registry.
void find_other_sources(const TextDiff& diff, Findings& findings);
/// A lock file that takes packages from a host which the base's does not name.
void find_other_hosts(const ChangedFile& file, Findings& findings);
/// Inline suppressions added, less those taken away.
std::int64_t find_suppressions(const TextDiff& diff, Findings& findings);

}  // namespace hydra::integrity
