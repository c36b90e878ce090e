// parsers, inside: the results read from a linter's log so far, and the final report. LintReading counts
// findings exactly, stores a bounded number, and compares a tool's own totals with the counts.
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

/// A finding as a reader found it; the views need not outlive the call that receives the finding.
struct Hit {
  std::string_view tool = {};
  Severity severity = Severity::error;
  std::string_view file = {};
  std::int64_t line = 0, column = 0;
  std::string_view rule = {}, message = {};
  bool twice = false;     ///< the tool may repeat the finding: repetitions count once
  bool per_file = false;  ///< a formatter's finding: one per file, however many hunks
  int certainty = 2;      ///< 1: common shape, unknown tool; 2: line of a known tool; 3: structured data
};

/// A tool's own figures. Unset: the line has no such figure.
struct Total {
  std::string_view tool = {};  ///< empty: the findings before the line
  std::optional<std::int64_t> errors = {}, warnings = {}, all = {};
  bool capped = false;  ///< the tool may list fewer findings than it counts
  bool last = false;    ///< a later line of the same tool replaces the total (watch modes)
};

class LintReading {
 public:
  /// `only`: tools that count; empty: all. The views must outlive the reading.
  explicit LintReading(std::span<const std::string_view> only = {}) : only_(only) {}
  /// `line` counts from 0.
  void add(const Hit& hit, std::size_t line);
  /// Records that a tool printed a status line without a finding; an empty tool: a wrapper's text.
  void spoke(std::string_view tool);
  /// Records that the tool reports no findings.
  void clean(std::string_view tool, std::size_t line);
  /// Records that the tool did not do its work. `strong`: the tool's earlier findings are incomplete.
  void failed(std::string_view tool, std::string_view why, bool strong, std::size_t line);
  void total(const Total& total, std::size_t line);
  void not_understood(std::string_view line);
  void cut(std::string_view why);

  /// True if the log has no findings, no tool, and only understood lines.
  bool says_nothing() const { return sums_.empty() && !unknown_ && !clean_ && !crashed_ && !cut_; }
  bool knows(std::string_view tool) const { return tools_.contains(tool); }
  model::LintReport report(const ExitFacts& exit) const;

 private:
  /// A tool's listed findings and its own figures.
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
  bool crashed_ = false;
  std::string why_;
  int certainty_ = 3;
  bool strong_ = false;  ///< the failure makes the findings worthless too
  bool clean_ = false, unknown_ = false, trouble_ = false, cut_ = false;
};

}  // namespace hydra::parsers
