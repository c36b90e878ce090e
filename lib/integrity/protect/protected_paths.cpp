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

ProtectedPaths::ProtectedPaths(ProtectionContext context) : context_(std::move(context)) {
  const auto& base = *context_.base;
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
  const auto of_tests = [this](std::string_view path) {
    const auto script = scripts_.find(std::string(path));
    return is_test(path) || (script != scripts_.end() && script->second.on_change == RestoreAction::base);
  };
  names_ = std::make_unique<Names>(NamesQuestion{&base, of_tests, context_.base_texts, context_.checkout,
                                                 interpreter_, context_.commands.test, context_.path});
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

std::set<std::string> ProtectedPaths::only_tests_reach(const std::vector<std::string>& paths) const {
  std::vector<std::string> asked;
  for (const auto& path : paths)
    if (!of(path) && !covered_by(context_.unprotect, path)) asked.push_back(path);
  return names_->only_tests_reach(asked);
}

/// Returns whether the checks may run Python: runners of the project's scripts and recipes may, if the
/// project has Python.
bool ProtectedPaths::runs_python() const {
  constexpr std::array<std::string_view, 12> kRunners{"pytest",   "py.test", "tox",   "nox",
                                                      "coverage", "hatch",   "pdm",   "poetry",
                                                      "uv",       "pipenv",  "trial", "nose2"};
  const auto among = [&](auto known) { return std::any_of(programs_.begin(), programs_.end(), known); };
  const auto& tools = context_.base->ecosystems();
  const bool has_python =
      std::any_of(tools.begin(), tools.end(),
                  [](const config::Ecosystem* tool) {
                    return tool->name == "uv" || tool->name == "poetry" || tool->name == "pip";
                  }) ||
      has_python_tests_;
  const bool indirect = programs_.empty() || !scripts_.empty() || among([](std::string_view program) {
                          return program == "make" || program == "just" || program == "task" ||
                                 program == "sh" || program == "bash" || program == "npm";
                        });
  return among([&](std::string_view program) {
           return program.starts_with("python") ||
                  std::find(kRunners.begin(), kRunners.end(), program) != kRunners.end();
         }) ||
         (has_python && indirect);
}

/// Returns whether Python loads this package or extension module instead of a test or hook of the base.
bool ProtectedPaths::replaces_module(std::string_view path) const {
  const auto module = python_module(path);
  if (!module.before_source || module.name.empty()) return false;
  const auto beside = (module.place.empty() ? std::string() : std::string(module.place) + "/") +
                      std::string(module.name) + ".py";
  if (!context_.base->tracks(beside)) return false;
  const auto protection = of(beside);
  return protection && protection->on_change == RestoreAction::base;
}

/// Protection of a new file that shadows a tool of the commands or a module of the runner.
std::optional<Protection> ProtectedPaths::shadows(std::string_view path) const {
  if (context_.base->tracks(path)) return std::nullopt;
  const auto hook = [](std::string reason) {
    return Protection{ProtectedKind::runner_hook, RestoreAction::base, std::move(reason)};
  };
  const auto own = base_name(path);
  const auto above = directory_of(path);
  // make prefers these names to the base's Makefile.
  if (own == "GNUmakefile" || own == "makefile") {
    const auto prefix = above.empty() ? std::string() : std::string(above) + "/";
    if (context_.base->tracks(prefix + "Makefile") || context_.base->tracks(prefix + "makefile"))
      return hook("takes precedence over the base's Makefile");
  }
  if (replaces_module(path)) return hook("shadows a protected module of the base");
  // node takes the nearest package.json above a file for its package: module kind and own name.
  if (own == "package.json" && !above.empty()) {
    const auto& paths = context_.base->paths();
    const auto below = std::string(above) + "/";
    if (std::any_of(paths.begin(), paths.end(),
                    [&](const auto& each) { return each.starts_with(below) && is_test(each); }))
      return hook("lies between tests and their package");
  }
  const bool python = !python_module(path).name.empty();
  if (!python || runs_python())
    if (const auto taken = names_->taken_by(path); !taken.empty())
      return hook("shadows " + std::string(taken));
  const bool program_place = above.empty() || base_name(above) == "bin" || base_name(above) == ".bin" ||
                             above == "scripts" || above == "tools";
  if (program_place && own.find('.') == std::string_view::npos && searched_.contains(std::string(own)))
    return hook("has the name of a program of the checks");
  return std::nullopt;
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
    return Protection{ProtectedKind::test_file, RestoreAction::base, "named like a test", true};
  if (names_->is_library_of_tests(path))
    return Protection{ProtectedKind::test_file, RestoreAction::base, "a library that only tests import"};
  const bool listed = known().listed_tests.names(path), below = in_test_directory(path);
  if (!listed && !below) return std::nullopt;
  Protection test{ProtectedKind::test_file, RestoreAction::base,
                  below ? "in a directory of tests" : "named like a test", !below};
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

}  // namespace hydra::integrity
