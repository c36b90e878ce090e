// Readers for otherwise unknown tools: workflow commands, unified diffs, lists of paths.
#include "parsers/formats.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

/// Returns a property of "::error file=a.js,line=3,col=5,title=x::message".
std::string_view property(std::string_view list, std::string_view key) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    auto part = list.substr(0, end);
    eat_blanks(part);
    if (eat(part, key) && eat(part, "=")) return part;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return {};
}

std::string_view lister_of(std::string_view command) {
  for (const auto& l : lint_data().listers)
    if (contains(command, l.text)) return l.tool;
  return {};
}

/// Returns the formatter that printed a diff, by command or file; "diff": unknown.
std::string_view differ_of(std::string_view command, std::string_view file) {
  for (const auto tool : lint_data().differs)
    if (contains(command, tool)) return tool;
  if (file.ends_with(".go")) return "gofmt";
  if (file.ends_with(".sh")) return "shfmt";
  return "diff";
}

std::string_view without_diff_decoration(std::string_view file) {
  file = trim_end(file.substr(0, std::min(file.find('\t'), file.size())));
  eat_end(file, " (original)");
  eat_end(file, " (before)");
  eat_end(file, ":before");
  for (const std::string_view start : {"a/", "old/", "original/"})
    if (eat(file, start)) break;
  eat_end(file, ".orig");
  return file;
}

}  // namespace

std::size_t read_annotations(LintScan& scan) {
  auto line = scan.line();
  eat_blanks(line);
  Hit hit;
  hit.tool = "github";
  if (eat(line, "::error")) {
    hit.severity = Severity::error;
  } else if (eat(line, "::warning")) {
    hit.severity = W;
  } else if (eat(line, "::notice") || eat(line, "::debug") || eat(line, "::group") ||
             eat(line, "::endgroup") || eat(line, "::add-matcher") || eat(line, "::remove-matcher") ||
             eat(line, "::set-output")) {
    hit.severity = Severity::note;
  } else {
    return 0;
  }
  if (!line.empty() && line[0] != ' ' && line[0] != ':') return 0;
  const auto end = line.find("::");
  if (end == std::string_view::npos) return 0;
  const auto list = line.substr(0, end);
  hit.message = line.substr(end + 2);
  hit.file = property(list, "file");
  hit.line = leading_number(property(list, "line"));
  hit.column = leading_number(property(list, "col"));
  hit.rule = property(list, "title");
  scan.out.add(hit, scan.i);
  return 1;
}

/// Adds one warning per file. Hunk bodies are consumed too, since a body may look like any other line.
std::size_t read_diff(LintScan& scan) {
  auto line = scan.line();
  if (line.starts_with("diff ") && scan.ahead(1).starts_with("--- ")) return 1;
  if (line.starts_with("diff --git ") || (line.starts_with("index ") && contains(line, ".."))) return 1;
  // ormolu's heads are bare paths.
  const bool bare = path_like(line) && scan.ahead(1).starts_with("@@ -");
  if (!bare && (!line.starts_with("--- ") || !scan.ahead(1).starts_with("+++ "))) return 0;
  const auto file = bare ? line : without_diff_decoration(line.substr(4));
  if (file.empty()) return 0;
  Hit hit{.tool = differ_of(scan.in.command, file),
          .severity = W,
          .file = file,
          .message = "not formatted",
          .per_file = true};
  if (hit.tool == "diff" && scan.out.knows("black")) hit.tool = "black";
  scan.out.add(hit, scan.i);
  std::size_t used = bare ? 1 : 2;
  while (scan.i + used < scan.in.lines.size()) {
    auto head = scan.ahead(used);
    if (!eat(head, "@@ -")) break;
    const auto count = [&head] {
      eat_number(head);
      return eat(head, ",") ? eat_number(head).value_or(0) : std::int64_t{1};
    };
    auto removed = count();
    if (!eat(head, " +")) break;
    auto added = count();
    ++used;
    while ((removed > 0 || added > 0) && scan.i + used < scan.in.lines.size()) {
      const auto body = scan.ahead(used);
      const char c = body.empty() ? ' ' : body[0];
      if (c != '-' && c != '+' && c != ' ' && c != '\\') break;
      if (c == '-' || c == ' ') --removed;
      if (c == '+' || c == ' ') --added;
      ++used;
    }
    if (scan.ahead(used).starts_with("\\ No newline")) ++used;
  }
  return used;
}

bool source_path(std::string_view line) {
  if (line.empty() || line.size() > 1024 || line.find_first_of(" \t:,;()[]{}\"'") != std::string_view::npos)
    return false;
  return !lister_of_path(line).empty();
}

std::string_view lister_of_path(std::string_view path) {
  for (const auto& e : lint_data().listed)
    if (path.ends_with(e.text)) return e.tool;
  return {};
}

void add_listed(LintScan& scan, std::string_view tool) {
  scan.out.add({.tool = tool,
                .severity = W,
                .file = trim_end(scan.line()),
                .message = "listed: not as the formatter wants it",
                .per_file = true,
                .certainty = 1},
               scan.i);
}

/// A bare path is a finding only if the command is known to list unformatted files.
std::size_t read_listed(LintScan& scan) {
  const auto line = trim_end(scan.line());
  if (!path_like(line) || contains(line, ": ") || line.size() > 1024) return 0;
  const auto tool = lister_of(scan.in.command);
  if (tool.empty()) return 0;
  if (line.find(' ') != std::string_view::npos && !contains(line, "/")) return 0;
  add_listed(scan, tool);
  return 1;
}

}  // namespace hydra::parsers
