// integrity, inside only: code shared by the finders of tampering. Pure.
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

/// Collects findings within the limits. Limits apply to each severity separately, so that harmless findings
/// can't displace those that a person should see.
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
  std::size_t indent = 0;   ///< leading blanks; a tab counts one
};

/// The texts of one changed file, as added and removed lines. Moved lines are in neither list.
struct TextDiff {
  const ChangedFile* file = nullptr;
  bool test = false;  ///< the file judges the candidate, or configures a judge
  std::vector<TextLine> added, removed;
};

/// "requirements-dev.txt": the only ".txt" files that pip reads.
bool is_requirements(Text path);
/// Finds packages of a manifest that the base does not have, or takes from elsewhere.
void find_dependencies(const TextDiff& diff, Findings& findings);
/// A lock file that takes packages from a host that the base's file does not name.
void find_other_hosts(const ChangedFile& file, Findings& findings);

}  // namespace hydra::integrity
