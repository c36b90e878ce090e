// What carries tools that no other reader knows: workflow commands, unified diffs, lists of paths.
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

/// One property of "::error file=a.js,line=3,col=5,title=x::message".
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

std::int64_t number_of(std::string_view s) { return eat_number(s).value_or(0); }

struct Lister {
  std::string_view command, tool;  ///< a part of a command, or the end of a path
};

/// Commands that print the paths of files that are not formatted, and nothing else.
constexpr std::array kListers{
    Lister{"gofmt -l", "gofmt"},
    Lister{"goimports -l", "goimports"},
    Lister{"gofumpt -l", "gofumpt"},
    Lister{"gofmt -s -l", "gofmt"},
    Lister{"gofmt -l -s", "gofmt"},
    Lister{"golines -l", "golines"},
    Lister{"gci list", "gci"},
    Lister{"shfmt -l", "shfmt"},
    Lister{"shfmt -f", "shfmt"},
    Lister{"prettier -l", "prettier"},
    Lister{"prettier --list-different", "prettier"},
    Lister{"terraform fmt", "terraform"},
    Lister{"tofu fmt", "terraform"},
    Lister{"zig fmt", "zig"},
    Lister{"nixfmt", "nixfmt"},
    Lister{"nixpkgs-fmt", "nixfmt"},
    Lister{"ocamlformat", "ocamlformat"},
    Lister{"docformatter", "docformatter"},
    Lister{"rustfmt -l", "rustfmt"},
    Lister{"rustfmt --check -l", "rustfmt"},
    Lister{"cargo fmt -- -l", "rustfmt"},
    Lister{"google-java-format", "google-java-format"},
    Lister{"google-java-format -n", "google-java-format"},
    Lister{"ktfmt", "ktfmt"},
    Lister{"buf format", "buf"},
    Lister{"dfmt", "dfmt"},
    Lister{"stylua", "stylua"},
    Lister{"yapf", "yapf"},
    Lister{"clang-format", "clang-format"},
    Lister{"cmake-format", "cmake-format"},
    Lister{"gersemi", "gersemi"},
    Lister{"fourmolu", "fourmolu"},
    Lister{"ormolu", "ormolu"},
    Lister{"standard --list", "standard"},
    Lister{"buildifier -mode=check", "buildifier"},
    Lister{"perltidy", "perltidy"},
    Lister{"black -l", "black"},
    Lister{"rufo", "rufo"},
    Lister{"dprint", "dprint"},
};

std::string_view lister_of(std::string_view command) {
  for (const auto& l : kListers)
    if (contains(command, l.command)) return l.tool;
  return {};
}

/// Formatters whose diffs have no words of their own; of others "diff".
std::string_view differ_of(std::string_view command, std::string_view file) {
  for (const std::string_view tool :
       {"gofmt",      "goimports", "gofumpt",      "shfmt",        "black",        "ruff",       "isort",
        "yapf",       "autopep8",  "clang-format", "terraform",    "prettier",     "ormolu",     "fourmolu",
        "buf",        "scalafmt",  "dprint",       "php-cs-fixer", "pint",         "ktlint",     "nixfmt",
        "uncrustify", "perltidy",  "cmake-format", "stylua",       "docformatter", "swiftformat"})
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
  } else if (eat(line, "##[error]") || eat(line, "##[warning]") || eat(line, "##vso[task.logissue ")) {
    // Azure Pipelines; the first form is a total or a wrapper's text as often as a finding.
    if (!contains(scan.line(), "task.logissue ")) return 0;
    hit.tool = "azure";
    hit.severity = contains(line, "type=warning") ? W : Severity::error;
    hit.message = line;
    scan.out.add(hit, scan.i);
    return 1;
  } else {
    return 0;
  }
  if (!line.empty() && line[0] != ' ' && line[0] != ':') return 0;
  const auto end = line.find("::");
  if (end == std::string_view::npos) return 0;
  const auto list = line.substr(0, end);
  hit.message = line.substr(end + 2);
  hit.file = property(list, "file");
  hit.line = number_of(property(list, "line"));
  hit.column = number_of(property(list, "col"));
  hit.rule = property(list, "title");
  scan.out.add(hit, scan.i);
  return 1;
}

/// One warning a file. The body of a hunk is taken too: it holds anything.
std::size_t read_diff(LintScan& scan) {
  auto line = scan.line();
  if (line.starts_with("diff ") && scan.ahead(1).starts_with("--- ")) return 1;
  if (line.starts_with("diff --git ") || (line.starts_with("index ") && contains(line, ".."))) return 1;
  // ormolu's heads are bare paths.
  const bool bare = path_like(line) && scan.ahead(1).starts_with("@@ -");
  if (!bare && (!line.starts_with("--- ") || !scan.ahead(1).starts_with("+++ "))) return 0;
  const auto file = bare ? line : without_diff_decoration(line.substr(4));
  if (file.empty()) return 0;
  Hit hit;
  hit.file = file;
  hit.severity = W;
  hit.per_file = true;
  hit.message = "not formatted";
  hit.tool = differ_of(scan.in.command, file);
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
  static constexpr std::array kEndings{
      Lister{".go", "gofmt"},      Lister{".rs", "rustfmt"},       Lister{".py", "files"},
      Lister{".pyi", "files"},     Lister{".js", "prettier"},      Lister{".jsx", "prettier"},
      Lister{".mjs", "prettier"},  Lister{".cjs", "prettier"},     Lister{".ts", "prettier"},
      Lister{".tsx", "prettier"},  Lister{".vue", "prettier"},     Lister{".css", "prettier"},
      Lister{".scss", "prettier"}, Lister{".less", "prettier"},    Lister{".html", "prettier"},
      Lister{".md", "prettier"},   Lister{".json", "prettier"},    Lister{".yaml", "prettier"},
      Lister{".yml", "prettier"},  Lister{".sh", "shfmt"},         Lister{".bash", "shfmt"},
      Lister{".tf", "terraform"},  Lister{".tfvars", "terraform"}, Lister{".zig", "zig"},
      Lister{".nix", "nixfmt"},    Lister{".ml", "ocamlformat"},   Lister{".mli", "ocamlformat"},
      Lister{".c", "files"},       Lister{".h", "files"},          Lister{".cc", "files"},
      Lister{".cpp", "files"},     Lister{".hpp", "files"},        Lister{".java", "google-java-format"},
      Lister{".kt", "ktfmt"},      Lister{".rb", "files"},         Lister{".lua", "stylua"},
      Lister{".hs", "ormolu"},     Lister{".dart", "dart"},        Lister{".swift", "files"},
      Lister{".php", "files"},     Lister{".cs", "files"},         Lister{".scala", "files"},
      Lister{".proto", "buf"},     Lister{".d", "dfmt"},           Lister{".ex", "files"},
      Lister{".exs", "files"},     Lister{".pl", "files"},         Lister{".cmake", "files"},
  };
  for (const auto& e : kEndings)
    if (path.ends_with(e.command)) return e.tool;
  return {};
}

void add_listed(LintScan& scan, std::string_view tool) {
  Hit hit;
  hit.tool = tool;
  hit.file = trim_end(scan.line());
  hit.severity = W;
  hit.per_file = true;
  hit.certainty = 1;
  hit.message = "listed: not as the formatter wants it";
  scan.out.add(hit, scan.i);
}

/// A bare path: a finding only where the command is known to list such files.
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
