// parsers, inside: what was read out of a linter's log so far, and the report that follows from it. Findings
// are counted exactly and kept up to a bound; a tool's own totals are compared with them.
#pragma once

#include "parsers/registry.hpp"
#include "parsers/severity.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hydra::parsers {

/// One finding as a reader sees it; the views need not outlive the call that takes them.
struct Hit {
  std::string_view tool = {};
  Severity severity = Severity::error;
  std::string_view file = {};
  std::int64_t line = 0, column = 0;
  std::string_view rule = {}, message = {};
  bool twice = false;     ///< the tool may print the same finding again: a repetition counts once
  bool per_file = false;  ///< a formatter's: one a file, however many hunks
  int certainty = 2;  ///< 1: a common shape of an unknown tool, 2: a known tool's line, 3: structured data
};

/// A tool's own figures. Unset: the line does not say.
struct Total {
  std::string_view tool = {};  ///< empty: of whatever was found before it
  std::optional<std::int64_t> errors = {}, warnings = {}, all = {};
  bool capped = false;  ///< the tool may list fewer findings than it counts
  bool last = false;    ///< a later line of the same tool replaces it (watch modes)
};

class LintReading {
 public:
  /// `only`: tools whose words count; empty: all. The views must outlive the reading.
  explicit LintReading(std::span<const std::string_view> only = {}) : only_(only) {}
  /// `line` counts from 0.
  void add(const Hit& hit, std::size_t line);
  /// Text of a tool that says how it went and is no finding; an empty tool is a wrapper's text.
  void spoke(std::string_view tool);
  /// The tool says that there is nothing.
  void clean(std::string_view tool, std::size_t line);
  /// The tool did not do its work. `strong`: whatever it found before is not all there is.
  void failed(std::string_view outcome, std::string_view tool, std::string_view why, bool strong,
              std::size_t line);
  void total(const Total& total, std::size_t line);
  void not_understood(std::string_view line);
  void cut(std::string_view why);

  /// No findings, no tool, no line that was not understood.
  bool says_nothing() const { return sums_.empty() && !unknown_ && !clean_ && outcome_.empty() && !cut_; }
  bool knows(std::string_view tool) const { return tools_.contains(tool); }
  model::LintReport report(const ExitFacts& exit) const;

 private:
  /// What one tool listed, and what it says itself.
  struct Sum {
    std::int64_t errors = 0, warnings = 0;
    std::optional<std::int64_t> said_errors, said_warnings, said_all;
    bool capped = false;
    std::int64_t found() const { return errors + warnings; }
    bool says() const { return said_errors || said_warnings || said_all; }
  };
  struct Result {
    std::int64_t errors = 0, warnings = 0;
    bool agreed = false, capped = false;
    std::vector<std::string> contradictions;
  };
  static void reconcile(const std::string& tool, const Sum& sum, Result& out);
  Result result() const;
  bool foreign(std::string_view tool);
  void believe(std::size_t line);
  std::string tool_names() const;
  model::LintReport unread(const ExitFacts& exit) const;

  std::map<std::string, Sum, std::less<>> sums_;
  std::span<const std::string_view> only_;
  std::string last_;  ///< tool of the last finding
  std::vector<model::LintFinding> findings_;
  std::vector<std::int64_t> evidence_;
  std::set<std::string, std::less<>> tools_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::string> suspicious_;
  std::string outcome_, why_;
  int certainty_ = 3;
  bool strong_ = false;  ///< the failure makes the findings worthless too
  bool clean_ = false, unknown_ = false, trouble_ = false, cut_ = false;
};

}  // namespace hydra::parsers
