// New files where a tool of the commands, a module of the runner or a protected module would be looked for.
#include "base/strings.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "integrity/protect/protected_table.hpp"
#include "integrity/protect/python_modules.hpp"

#include <algorithm>
#include <array>

namespace hydra::integrity {
namespace {

/// What a file would be imported as, and the directory that has to stand on the import path for it.
struct Module {
  std::string_view name, place;
  bool before_source = false;  ///< found before NAME.py of the same directory
};

/// Python looks for a package, then for an extension module, then for NAME.py; in one directory.
Module module_of(std::string_view path) {
  const auto own = base_name(path), above = directory_of(path);
  const bool extension = own.ends_with(".so") || own.ends_with(".pyd");
  if (!extension && !own.ends_with(".py") && !own.ends_with(".pyc")) return {};
  const auto stem = own.substr(0, own.find('.'));
  if (stem == "__init__") return {base_name(above), directory_of(above), true};
  return {stem, above, extension};
}

}  // namespace

/// May the checks come to Python? What runs the project's own scripts and recipes may, where it has Python.
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

/// Would the test run import a module of this name? Where nothing says that Python runs, none; what only
/// some runs load (coverage, tox), where something names it.
bool ProtectedPaths::is_loaded_by_runner(std::string_view module) const {
  if (!is_runner_module(module) || !runs_python()) return false;
  for (const std::string_view seldom : {"coverage", "tox", "nox", "nose", "nose2", "hypothesis"}) {
    if (module != seldom) continue;
    const auto word = seldom == "coverage" ? std::string_view("cov") : seldom;
    return programs_.contains(std::string(seldom)) || context_.base->tracks_name(".coveragerc") ||
           context_.commands.test.find(word) != std::string::npos ||
           context_.commands.lint.find(word) != std::string::npos;
  }
  return true;
}

/// A package or an extension module that Python takes in the place of a test or hook of the base.
bool ProtectedPaths::replaces_module(std::string_view path) const {
  const auto module = module_of(path);
  if (!module.before_source || module.name.empty()) return false;
  const auto beside = (module.place.empty() ? std::string() : std::string(module.place) + "/") +
                      std::string(module.name) + ".py";
  if (!context_.base->tracks(beside)) return false;
  const auto protection = of(beside);
  return protection && protection->on_change == RestoreAction::base;
}

/// A new file where a tool of the commands or a module of the runner would be looked for.
std::optional<Protection> ProtectedPaths::shadows(std::string_view path) const {
  if (context_.base->tracks(path)) return std::nullopt;
  const auto hook = [](std::string reason) {
    return Protection{ProtectedKind::runner_hook, RestoreAction::base, std::move(reason)};
  };
  const auto own = base_name(path);
  const auto above = directory_of(path);
  // make prefers these names to the base's.
  if (own == "GNUmakefile" || own == "makefile") {
    const auto prefix = above.empty() ? std::string() : std::string(above) + "/";
    if (context_.base->tracks(prefix + "Makefile") || context_.base->tracks(prefix + "makefile"))
      return hook("stands in the place of the base's Makefile");
  }
  if (replaces_module(path)) return hook("stands in the place of a protected module of the base");
  // A runner's module at a place that stands on the import path: the root, src, lib and test directories.
  const auto module = module_of(path);
  const bool importable = module.place.empty() || module.place == "src" || module.place == "lib" ||
                          (in_test_directory(path) && module.place.find('/') == std::string_view::npos);
  if (!module.name.empty() && importable && is_loaded_by_runner(module.name))
    return hook("stands in the place of a module of the runner");
  if (!module.name.empty() && module.place.empty() && runs_python() &&
      python_loads(interpreter_, module.name))
    return hook("stands in the place of a module of the language that runners load");
  const bool program_place = above.empty() || base_name(above) == "bin" || base_name(above) == ".bin" ||
                             above == "scripts" || above == "tools";
  if (program_place && own.find('.') == std::string_view::npos && searched_.contains(std::string(own)))
    return hook("has the name of a program of the checks");
  return std::nullopt;
}

}  // namespace hydra::integrity
