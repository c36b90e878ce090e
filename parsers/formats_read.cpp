// Reads a file of formats into rows, with every error. Views of names point into Formats::tools and
// Formats::runners, whose elements do not move.
#include "parsers/formats.hpp"
#include "parsers/markers.hpp"
#include "tables/values.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using tables::Node;
using tables::Value;

constexpr std::string_view kHint = "docs/toolchains.md describes these files";
constexpr int kLatest = 9, kFarthest = 20, kSurest = 65;

constexpr std::string_view kSummaryKinds[] = {"last", "each", "no_tests", "build_failed", "crashed", "start"};
constexpr std::string_view kLintKinds[] = {"finding", "inside",    "per_file", "context",
                                           "known",   "clean",     "total",    "last_total",
                                           "capped",  "own_total", "crash",    "config"};
constexpr std::string_view kStatuses[] = {"passed", "failed", "skipped", "error"};  ///< in TestStatus order
constexpr std::string_view kSections[] = {"totals", "status", "findings", "formatter", "failures"};

class FormatReader : tables::Values {
 public:
  FormatReader(std::string_view name, Formats& out, std::vector<Error>& errors)
      : Values(name, kHint, errors), out_(out) {}

  void read(const Value& file, FormatPart part) {
    for (const auto value : file) {
      const auto name = value.key();
      if (part != FormatPart::all && part != part_of(name)) continue;
      if (name == "tests")
        tools(value, [this](const Value& t) { runner(t); });
      else if (name == "lint")
        tools(value, [this](const Value& t) { linter(t); });
      else if (name == "json")
        rows(value, [this](const Value& t) { json(t); });
      else if (name == "severity")
        severities(value);
      else if (name == "words")
        word_lists(value);
      else if (name == "families")
        families(value);
      else
        unknown(value, "");
    }
  }

 private:
  static FormatPart part_of(std::string_view name) {
    if (name == "tests") return FormatPart::tests;
    return name == "words" ? FormatPart::words : FormatPart::lint;
  }
  template <class Each>
  void tools(const Value& value, Each each) {
    if (!value.is(Node::table)) return complain(value, "expected a table of tools");
    for (const auto tool : value)
      if (tool.is(Node::table))
        each(tool);
      else
        complain_of_key(tool, "'" + std::string(tool.key()) + "' is a table: write its keys below it");
  }
  Severity severity(const Value& value) {
    constexpr Severity kAll[] = {Severity::error, Severity::warning, Severity::note};
    return kAll[one_of(value, {"error", "warning", "note"})];
  }
  std::optional<Pattern> pattern(const Value& node, Pattern::Of of) {
    std::string problem = "expected a pattern";
    auto compiled =
        node.is(Node::text) ? Pattern::compile(node.text(), of, problem) : std::optional<Pattern>();
    if (!compiled) complain(node, problem);
    return compiled;
  }
  template <class Kinds>
  static std::optional<std::size_t> kind_of(const Kinds& kinds, std::string_view word) {
    const auto at = std::find(std::begin(kinds), std::end(kinds), word);
    if (at == std::end(kinds)) return std::nullopt;
    return static_cast<std::size_t>(at - std::begin(kinds));
  }

  // ---- test runners ----

  void runner(const Value& table) {
    const auto name = table.key();
    const std::string_view format = *out_.runners.emplace(name).first;
    for (const auto node : table)
      if (node.key() == "summaries")
        rows(node, [&](const Value& t) { summary(format, t); });
      else if (node.key() == "failure")
        rows(node, [&](const Value& t) { sign(format, t, out_.failure_signs); });
      else if (node.key() == "cases")
        rows(node, [&](const Value& t) { test_case(format, t); });
      else if (node.key() == "markers")
        markers(format, node);
      else if (node.key() == "begun")
        rows(node, [&](const Value& t) { sign(format, t, out_.begin_signs); });
      else
        unknown(node, "tests." + std::string(name));
  }

  void summary(std::string_view format, const Value& table) {
    SummaryRow row;
    row.format = format;
    const auto before = errors_.size();
    bool good = false;
    for (const auto node : table) {
      if (const auto kind = kind_of(kSummaryKinds, node.key())) {
        row.kind = static_cast<SummaryRow::Kind>(*kind);
        good = row.kind == SummaryRow::Kind::start ? !(row.begin = text(node)).empty() : lines(node, row);
      } else if (node.key() == "needs") {
        row.needs = text(node);
      } else if (node.key() == "late") {
        row.late = number(node, kLatest);
      } else if (node.key() == "confidence") {
        row.confidence = number(node, kSurest);
      } else {
        unknown(node, "tests." + std::string(format) + ".summaries");
      }
    }
    if (good) return out_.summaries.push_back(std::move(row));
    if (errors_.size() == before) complain(table, "a row needs one of the keys last, each, start, …");
  }

  bool lines(const Value& node, SummaryRow& row) {
    const auto add = [&](const Value& line) {
      SummaryRow::Line out;
      auto text = line.is(Node::text) ? line.text() : std::string_view{};
      out.optional = !row.lines.empty() && text.starts_with('?');
      if (out.optional) text.remove_prefix(1);
      std::string problem = "expected a pattern";
      // An empty pattern matches an empty line.
      auto compiled = line.is(Node::text) ? Pattern::compile(text, Pattern::Of::tests, problem)
                                          : std::optional<Pattern>();
      if (!compiled) return complain(line, problem);
      out.pattern = std::move(*compiled);
      row.lines.push_back(std::move(out));
    };
    std::size_t wanted = 1;
    if (node.is(Node::list)) {
      wanted = 0;
      for (const auto line : node) add(line), ++wanted;
    } else {
      add(node);
    }
    if (row.lines.empty() || row.lines.size() != wanted) return false;
    if (!row.lines[0].pattern.ops().empty()) return true;
    complain(node, "the first line of a summary is not empty");
    return false;
  }

  void markers(std::string_view format, const Value& node) {
    auto& to = out_.markers[std::string(format)];
    for (auto& marker : texts(node))
      if (marker.size() < kMarkerBytes || marker.find('\n') != std::string::npos)
        complain(node, "a marker has at least four bytes on one line");
      else
        to.push_back(std::move(marker));
  }

  void test_case(std::string_view format, const Value& table) {
    CaseRow row;
    const auto before = errors_.size();
    bool good = false;
    for (const auto node : table) {
      if (const auto status = kind_of(kStatuses, node.key())) {
        row.status = static_cast<model::TestStatus>(*status);
        auto compiled = pattern(node, Pattern::Of::lint);
        if ((good = compiled.has_value())) row.pattern = std::move(*compiled);
      } else if (node.key() == "timed") {
        row.timed = flag(node);
      } else {
        unknown(node, "tests." + std::string(format) + ".cases");
      }
    }
    if (good) return out_.cases[format].push_back(std::move(row));
    if (errors_.size() == before) complain(table, "a case needs one of the keys passed, failed, …");
  }

  void sign(std::string_view format, const Value& table, std::vector<Sign>& to) {
    Sign sign;
    sign.format = format;
    const auto before = errors_.size();
    for (const auto node : table) {
      if (node.key() == "begins")
        sign.text = text(node);
      else if (node.key() == "ends")
        sign.end = text(node);
      else if (node.key() == "is" || node.key() == "within")
        sign.where = node.key() == "is" ? Sign::Where::whole : Sign::Where::within, sign.text = text(node);
      else
        unknown(node, "tests." + std::string(format));
    }
    if (!sign.end.empty()) {
      sign.where = sign.text.empty() ? Sign::Where::ends : Sign::Where::both;
      if (sign.text.empty()) std::swap(sign.text, sign.end);
    }
    if (!sign.text.empty()) return to.push_back(std::move(sign));
    if (errors_.size() == before) complain(table, "a line needs begins, ends, is or within");
  }

  // ---- linters ----

  void linter(const Value& table) {
    const auto name = table.key();
    const std::string_view tool = *out_.tools.emplace(name == "common" ? std::string_view{} : name).first;
    for (const auto node : table) {
      const auto named = [&](std::vector<NamedTool>& to) {
        for (auto& t : texts(node)) to.push_back({std::move(t), tool});
      };
      if (const auto section = kind_of(kSections, node.key()))
        rows(node, [&](const Value& t) { lint_row(tool, t, out_.lint[*section]); });
      else if (node.key() == "speaks_of")
        named(out_.endings);
      else if (node.key() == "lists")
        named(out_.listers);
      else if (node.key() == "lists_files")
        named(out_.listed);
      else if (node.key() == "prints_diffs" && flag(node))
        out_.differs.push_back(tool);
      else if (node.key() != "prints_diffs")
        unknown(node, "lint." + std::string(name));
    }
  }

  void lint_row(std::string_view tool, const Value& table, std::vector<LintRow>& to) {
    LintRow row;
    row.tool = tool;
    const auto before = errors_.size();
    bool good = false;
    for (const auto node : table) {
      if (const auto kind = kind_of(kLintKinds, node.key())) {
        row.kind = static_cast<LintRow::Kind>(*kind);
        auto compiled = pattern(node, Pattern::Of::lint);
        if ((good = compiled.has_value())) row.pattern = std::move(*compiled);
      } else if (node.key() == "follow") {
        row.follow = pattern(node, Pattern::Of::lint);
      } else if (node.key() == "within") {
        row.within = number(node, kFarthest);
      } else if (node.key() == "late") {
        row.late = number(node, kLatest);
      } else if (node.key() == "severity") {
        row.severity = severity(node);
      } else if (node.key() == "by_code") {
        row.by_code = flag(node);
      } else if (node.key() == "twice") {
        row.twice = flag(node);
      } else {
        unknown(node, "lint." + std::string(tool));
      }
    }
    if (good && errors_.size() == before) return to.push_back(std::move(row));
    if (errors_.size() == before) complain(table, "a row needs one of the keys finding, known, clean, …");
  }

  // ---- reports ----

  void json(const Value& table) {
    JsonShape s;
    fill(table, "json",
         {{"tool", &s.tool},
          {"keys", &s.keys},
          {"list", &s.list},
          {"severity", [&](const Value& v) { s.severity = severity(v); }},
          {"from_zero", &s.from_zero},
          {"by_code", &s.by_code}});
    if (!has<std::string>(table, {&s.tool, &s.keys}, "a shape needs tool and keys")) return;
    out_.tools.insert(s.tool);
    out_.json.push_back(std::move(s));
  }

  // ---- words ----

  void severities(const Value& table) {
    static constexpr std::pair<std::string_view, Severity> kWeights[] = {
        {"errors", Severity::error}, {"warnings", Severity::warning}, {"notes", Severity::note}};
    if (!table.is(Node::table)) return complain(table, "expected a table");
    for (const auto list : table)
      if (std::none_of(std::begin(kWeights), std::end(kWeights),
                       [&](const auto& w) { return w.first == list.key(); }))
        unknown(list, "severity");
    for (const auto& [key, weight] : kWeights)
      for (const auto list : table)
        if (list.key() == key)
          for (auto& word : texts(list))
            if (!word.empty()) out_.severities.push_back({std::move(word), weight});
  }
  void word_lists(const Value& table) {
    if (!table.is(Node::table)) return complain(table, "expected a table of lists");
    for (const auto list : table) {
      auto& to = out_.words[std::string(list.key())];
      for (auto& word : texts(list)) to.push_back(std::move(word));
    }
  }
  void families(const Value& node) {
    if (!node.is(Node::list)) return complain(node, "expected a list of lists");
    for (const auto family : node) out_.families.push_back(texts(family));
  }

  Formats& out_;
};

}  // namespace

void read_format(const tables::Value& file, FormatPart part, Formats& out, std::vector<Error>& errors) {
  FormatReader(file.key(), out, errors).read(file, part);
}

}  // namespace hydra::parsers
