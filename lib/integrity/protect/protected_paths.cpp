#include "integrity/protect/protected_paths.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "integrity/protect/makefile.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace hydra::integrity {
namespace {

using config::names_one_of;
using config::toolchains;

/// Calls `each` for every directory above a path, outermost first, without the root.
template <class Each>
void each_directory(std::string_view path, Each each) {
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    each(path.substr(0, slash));
}

/// Indexed patterns of all toolchains: every path of a base is looked up, some of them often.
struct Known {
  config::PatternIndex found_tests, listed_tests, rows;
  Known() {
    found_tests.add(toolchains().found_tests);
    listed_tests.add(toolchains().listed_tests);
    for (std::size_t i = 0; i < toolchains().protected_rows.size(); ++i)
      rows.add(toolchains().protected_rows[i].patterns, i);
  }
  /// Rows in the table's order.
  [[nodiscard]] std::vector<const config::ProtectedRow*> rows_of(std::string_view path) const {
    auto numbers = rows.of(path);
    std::sort(numbers.begin(), numbers.end());
    std::vector<const config::ProtectedRow*> found;
    for (const auto number : numbers) found.push_back(&toolchains().protected_rows[number]);
    return found;
  }
};
const Known& known() {
  static const Known made;
  return made;
}

bool named_like_a_test(std::string_view path) {
  return known().found_tests.names(path) || known().listed_tests.names(path);
}

bool is_one_of(const config::Texts& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool is_certain_test_directory(std::string_view name) {
  return is_one_of(toolchains().test_directories, name);
}
bool is_usual_test_directory(std::string_view name) {
  return is_one_of(toolchains().usual_directories, name);
}

/// Returns whether only some keys of the file concern checks.
bool is_restored_by_key(std::string_view path) {
  const auto rows = known().rows_of(path);
  return std::any_of(rows.begin(), rows.end(),
                     [](const auto* row) { return row->on_change == RestoreAction::keys; });
}

/// Returns whether a tool's build files also list the tests' sources: a new test file can't be removed then.
bool lists_sources(const config::EcosystemSet& set) {
  return std::any_of(set.begin(), set.end(), [](const auto* tool) { return tool->lists_sources; });
}

/// Words of a shell line, without quotes, brackets and redirections.
std::vector<std::string_view> split_words(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r\"'`()<>|;&!";
  std::vector<std::string_view> out;
  for (std::size_t at = 0; (at = line.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
    const auto end = std::min(line.find_first_of(kBetween, at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end;
  }
  return out;
}

/// Returns whether a script's name says that it checks things; other scripts may be the product itself.
/// `any_shell`: a shell script that a check command runs counts by that alone.
bool sounds_like_a_check(std::string_view path, bool any_shell) {
  constexpr std::array<std::string_view, 14> kWords{"test", "check",    "spec",    "verify", "lint",
                                                    "ci",   "validate", "scripts", "tools",  "script",
                                                    "hack", "runner",   "quality", "smoke"};
  const auto lower = to_lower(path);
  if (any_shell && (lower.ends_with(".sh") || lower.ends_with(".bash") || lower.ends_with(".bats")))
    return true;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= lower.size(); ++i) {
    if (i < lower.size() && (std::isalnum(static_cast<unsigned char>(lower[i])) != 0)) continue;
    const auto word = std::string_view(lower).substr(begin, i - begin);
    for (const auto known : kWords)
      if (word == known || (known.size() > 3 && (word.starts_with(known) || word.ends_with(known))))
        return true;
    begin = i + 1;
  }
  return false;
}

/// Arguments of `diff`, `cmp` or `comm` in a line, without the commands whose output they compare: "sh a.sh |
/// diff - b.txt" and "diff <(sh a.sh) b.txt" run the product.
std::string arguments_of_comparison(std::string_view line) {
  std::size_t at = std::string_view::npos;
  for (const std::string_view program : {"diff ", "cmp ", "comm "})
    if (const auto found = line.find(program);
        found < at && (found == 0 || std::isalnum(static_cast<unsigned char>(line[found - 1])) == 0))
      at = found;
  if (at == std::string_view::npos) return {};
  std::string out;
  int depth = 0;
  for (std::size_t i = at; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '(') ++depth;
    if (depth == 0 && (c == '|' || c == ';' || c == '&' || c == ')')) break;
    if (depth == 0) out += c;
    if (c == ')') --depth;
  }
  return out;
}

/// Files of the base that a check script compares output with: "diff expected/area.txt -"; with variables
/// ("expected/$name.txt") the whole directory. Sources are never such files.
std::vector<std::string> compared_files(std::string_view script, const trees::BaseTree& base) {
  constexpr std::size_t kMostFiles = 2000;
  std::vector<std::string> out;
  for (const auto line : lines(script)) {
    const auto compared = arguments_of_comparison(line);
    for (auto word : split_words(compared)) {
      for (const std::string_view here : {"$PWD/", "${PWD}/", "./"})
        if (word.starts_with(here)) word.remove_prefix(here.size());
      const auto variable = word.find_first_of("$*");
      if (variable == std::string_view::npos) {
        if (base.tracks(word) && !is_source(word)) out.emplace_back(word);
        continue;
      }
      const auto slash = word.substr(0, variable).rfind('/');
      if (slash == std::string_view::npos || !base.tracks_below(word.substr(0, slash))) continue;
      for (const auto& path : base.paths())
        if (path.starts_with(word.substr(0, slash + 1)) && out.size() < kMostFiles) out.push_back(path);
    }
  }
  return out;
}

}  // namespace

bool is_source(std::string_view path) {
  constexpr std::string_view kEnds[] = {".py",      ".pyi",     ".js",      ".jsx",
                                        ".mjs",     ".cjs",     ".ts",      ".tsx",
                                        ".mts",     ".cts",     ".vue",     ".svelte",
                                        ".go",      ".rs",      ".c",       ".cc",
                                        ".cpp",     ".cxx",     ".h",       ".hh",
                                        ".hpp",     ".hxx",     ".inl",     ".m",
                                        ".java",    ".kt",      ".kts",     ".scala",
                                        ".groovy",  ".gradle",  ".cs",      ".fs",
                                        ".vb",      ".rb",      ".php",     ".swift",
                                        ".sh",      ".bash",    ".bats",    ".mk",
                                        ".mak",     ".am",      ".cmake",   "CMakeLists.txt",
                                        "Makefile", "makefile", "Rakefile", "Gemfile"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return path.ends_with(end); });
}

std::string_view name(ProtectedKind kind) {
  constexpr std::array<std::string_view, 8> kNames{
      "test file",    "test configuration",        "runner hook",
      "check script", "continuous integration",    "lint configuration",
      "build file",   "protected by configuration"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view name(RestoreAction action) {
  constexpr std::array<std::string_view, 4> kNames{"base", "remove", "keys", "flag"};
  return kNames.at(static_cast<std::size_t>(action));
}

ProtectedPaths::ProtectedPaths(ProtectionContext context) : context_(std::move(context)) {
  const auto& base = *context_.base;
  make_resolution();
  lists_sources_ = lists_sources(base.ecosystems());
  std::unordered_set<std::string> packages{""}, usual, with_tests;
  std::unordered_set<std::string> seen;
  for (const auto& path : base.paths()) {
    has_python_tests_ = has_python_tests_ || (path.ends_with(".py") && named_like_a_test(base_name(path)));
    for (const auto* tool : base.ecosystems())
      if (names_one_of(tool->markers, path)) packages.emplace(directory_of(path));
    std::string_view deepest;
    each_directory(path, [&](std::string_view directory) {
      if (is_usual_test_directory(base_name(directory))) {
        usual.emplace(directory);
        deepest = directory;
      }
    });
    if (!deepest.empty() && named_like_a_test(base_name(path)))
      each_directory(path, [&](std::string_view directory) {
        if (is_usual_test_directory(base_name(directory))) with_tests.emplace(directory);
      });
  }
  for (const auto& directory : usual) {
    const auto above = std::string(directory_of(directory));
    // Maven and Gradle keep tests in src/test, below the root of a package.
    const bool at_root = packages.contains(above) ||
                         (base_name(above) == "src" && packages.contains(std::string(directory_of(above))));
    (at_root || with_tests.contains(directory) ? test_directories_ : other_directories_).insert(directory);
  }
  read_command(context_.commands.test, RestoreAction::base, 0);
  read_command(context_.commands.lint, RestoreAction::base, 0);
  read_command(context_.commands.build, RestoreAction::flag, 0);
}

void ProtectedPaths::read_command(std::string_view command, RestoreAction scripts, int depth) {
  for (const auto& call : config::command_calls(command)) {
    programs_.insert(std::string(base_name(call.program)));
    if (interpreter_.empty() && call.program.find('$') == std::string::npos &&
        base_name(call.program).starts_with("python") &&
        (call.program.starts_with('/') || call.program.find('/') == std::string::npos))
      interpreter_ = call.program;
    if (call.program.find('/') == std::string::npos) searched_.insert(call.program);
    if (!call.script.empty()) {
      const auto path = call.script;
      const bool whole = scripts == RestoreAction::base && sounds_like_a_check(path, !in_script_);
      // A script that a check script runs is most likely the product under test.
      if (!is_restored_by_key(path) && (whole || !in_script_))
        scripts_.try_emplace(
            path, Protection{ProtectedKind::check_script, whole ? RestoreAction::base : RestoreAction::flag,
                             whole ? "run by a command of the checks"
                                   : "run by a command, and perhaps the product itself"});
    }
    // Scripts called by a script of the base may belong to the checks as well.
    if (const auto& path = call.script; (path.ends_with(".sh") || path.ends_with(".bash")) && depth < 4 &&
                                        context_.base_text && context_.base->tracks(path))
      if (const auto text = context_.base_text(path)) {
        const bool outer = std::exchange(in_script_, true);
        read_command(*text, scripts, depth + 1);
        in_script_ = outer;
        if (scripts == RestoreAction::base)
          for (const auto& data : compared_files(*text, *context_.base))
            scripts_.try_emplace(data, Protection{ProtectedKind::test_file, RestoreAction::base,
                                                  "what a check script compares with"});
      }
    if (!call.package_scripts.empty() && depth < 4)
      for (const auto& inner : call.package_scripts) read_package_scripts(inner, scripts, depth + 1);
    if (!call.targets.empty() && depth < 4 && context_.base_text)
      for (const auto* file : {"GNUmakefile", "makefile", "Makefile"}) {
        if (!context_.base->tracks(file)) continue;
        if (const auto text = context_.base_text(file)) {
          // "$(PYTHON) run_tests.py" names a script too.
          const auto definitions = make_definitions(make_parts(*text));
          for (const auto& line : make_recipes(*text, call.targets))
            read_command(make_expanded(line, definitions), scripts, depth + 1);
        }
        break;
      }
  }
}

void ProtectedPaths::read_package_scripts(std::string_view script, RestoreAction scripts, int depth) {
  if (!context_.base_text || !context_.base->tracks("package.json")) return;
  const auto text = context_.base_text("package.json");
  if (!text) return;
  for (const auto& command : config::package_commands(*text, script)) read_command(command, scripts, depth);
}

bool ProtectedPaths::in_test_directory(std::string_view path) const {
  bool found = false;
  each_directory(path, [&](std::string_view directory) {
    const auto own = base_name(directory);
    if (is_certain_test_directory(own) || test_directories_.contains(std::string(directory))) found = true;
    // A test directory that the base lacks can't contain product code yet.
    if (is_usual_test_directory(own) && !other_directories_.contains(std::string(directory)) &&
        !context_.base->tracks_below(directory))
      found = true;
  });
  return found;
}

bool ProtectedPaths::is_test(std::string_view path) const {
  return named_like_a_test(path) || in_test_directory(path);
}

std::optional<Protection> ProtectedPaths::built_in(std::string_view path) const {
  if (const auto found = scripts_.find(std::string(path)); found != scripts_.end()) return found->second;
  if (auto hook = shadows(path)) return hook;
  const auto called = [this](std::string_view program) { return programs_.contains(std::string(program)); };
  for (const auto* row : known().rows_of(path))
    if (row->programs.empty() || std::any_of(row->programs.begin(), row->programs.end(), called))
      return Protection{row->kind, row->on_change, std::string(row->reason)};
  const bool found_by_name = known().found_tests.names(path);
  if (found_by_name && path.find("/main/") == std::string_view::npos)
    return Protection{ProtectedKind::test_file, RestoreAction::base, "named like a test"};
  if (is_only_for_tests(path))
    return Protection{ProtectedKind::test_file, RestoreAction::base, "a library that only tests import"};
  const bool listed = known().listed_tests.names(path), below = in_test_directory(path);
  if (!listed && !below) return std::nullopt;
  Protection test{ProtectedKind::test_file, RestoreAction::base,
                  below ? "in a directory of tests" : "named like a test"};
  // Removing a new file would break the build if a build file lists it or a parent module names it.
  if (!context_.base->tracks(path) && (lists_sources_ || (listed && !below))) {
    test.on_change = RestoreAction::flag;
    test.reason = "a new test that a build file or module may list";
  }
  return test;
}

std::optional<Protection> ProtectedPaths::of(std::string_view path) const {
  if (covered_by(context_.protect, path))
    return Protection{ProtectedKind::user, RestoreAction::base, "[evaluation] protected"};
  if (covered_by(context_.unprotect, path)) return std::nullopt;
  return built_in(path);
}

std::vector<ProtectedPath> ProtectedPaths::all() const {
  std::vector<ProtectedPath> out;
  for (const auto& path : context_.base->paths())
    if (auto protection = of(path)) out.push_back({path, *std::move(protection)});
  return out;
}

RestorePlan plan_restore(std::span<const trees::Change> changes, const ProtectedPaths& rules) {
  RestorePlan plan;
  std::map<std::string, RestoreStep> steps;  // keyed by path
  const auto& base = rules.base();
  const auto add = [&](const std::string& path, bool gone) {
    auto protection = rules.of(path);
    const bool tracked = base.tracks(path);
    if (!protection) return;
    RestoreStep step{path, protection->on_change, protection->kind, std::move(protection->reason), tracked};
    if (step.action == RestoreAction::base && !tracked) step.action = RestoreAction::remove;
    // A deleted file has no keys to restore and nothing to flag: a deleted package.json is restored whole, a
    // deleted build file stays deleted and is named.
    if (gone && step.action == RestoreAction::keys) step.action = RestoreAction::base;
    if (gone && !tracked) return;
    if (step.kind == ProtectedKind::test_file && !gone) plan.own_tests = true;
    steps.insert_or_assign(path, std::move(step));
  };
  for (const auto& change : changes) {
    if (change.kind == trees::ChangeKind::renamed) add(change.from, true);
    add(change.path, change.kind == trees::ChangeKind::deleted);
  }

  // Removes entries in the way of a restored path: a file or link at the place of a directory of the base, or
  // a directory at the place of a file of the base.
  std::unordered_set<std::string> restored, above;
  for (const auto& [path, step] : steps)
    if (step.action == RestoreAction::base) {
      restored.insert(path);
      each_directory(path, [&](std::string_view directory) { above.emplace(directory); });
    }
  for (const auto& change : changes) {
    if (change.kind == trees::ChangeKind::deleted || base.tracks(change.path)) continue;
    bool in_the_way = above.contains(change.path);
    each_directory(change.path, [&](std::string_view directory) {
      in_the_way |= restored.contains(std::string(directory));
    });
    if (in_the_way)
      steps.insert_or_assign(change.path,
                             RestoreStep{change.path, RestoreAction::remove, ProtectedKind::test_file,
                                         "stands in the place of a protected path", false});
  }

  for (auto& [path, step] : steps) plan.steps.push_back(std::move(step));
  const auto rank = [](RestoreAction action) {
    return action == RestoreAction::remove ? -1 : static_cast<int>(action);
  };
  std::stable_sort(plan.steps.begin(), plan.steps.end(), [&](const RestoreStep& a, const RestoreStep& b) {
    return rank(a.action) < rank(b.action);
  });
  return plan;
}

}  // namespace hydra::integrity
