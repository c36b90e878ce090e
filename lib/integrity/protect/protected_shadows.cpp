// New files that shadow a tool of the commands, a module that tests load, or a protected module; and
// libraries that only tests import.
#include "base/strings.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "integrity/protect/resolution.hpp"
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <mutex>

namespace hydra::integrity {
namespace {

/// Directories for third-party sources.
constexpr std::array<std::string_view, 8> kVendored{"vendor",     "vendored", "third_party", "third-party",
                                                    "thirdparty", "3rdparty", "extern",      "external"};

/// Returns "vendor/chai" for "vendor/chai/lib/chai.js", and "third_party/catch.hpp" unchanged; empty: not in
/// such a directory.
std::string_view library_of(std::string_view path) {
  for (std::size_t begin = 0; begin < path.size();) {
    const auto end = path.find('/', begin);
    if (end == std::string_view::npos) return {};
    const auto own = path.substr(begin, end - begin);
    if (std::find(kVendored.begin(), kVendored.end(), own) != kVendored.end())
      return path.substr(0, std::min(path.find('/', end + 1), path.size()));
    begin = end + 1;
  }
  return {};
}

}  // namespace

/// Answers by library; texts of the base's tests and of its other sources, read at the first question.
struct ProtectedPaths::Vendored {
  std::mutex mutex;
  std::unordered_map<std::string, bool> known;
  std::optional<std::string> tests, others;
};

void ProtectedPaths::make_resolution() {
  vendored_ = std::make_shared<Vendored>();
  ResolutionQuestion question;
  question.checkout = context_.checkout;
  question.path = context_.path;
  question.tests = [this] { return texts(true); };
  question.settings = [this] { return search_settings(); };
  question.python = [this] { return interpreter_; };
  resolution_ = std::make_shared<Resolution>(std::move(question));
}

// Concatenated texts of tests, or of all other sources outside of vendored libraries.
std::string ProtectedPaths::texts(bool of_tests) const {
  constexpr std::size_t kMostFiles = 3000;
  std::vector<std::string> chosen;
  for (const auto& path : context_.base->paths())
    if (chosen.size() < kMostFiles && source::is_code(path) && library_of(path).empty() &&
        is_test(path) == of_tests)
      chosen.push_back(path);
  return context_.base_texts && !chosen.empty() ? context_.base_texts(chosen) : std::string();
}

// Files in which Node's tools configure the resolution of bare names.
std::string ProtectedPaths::search_settings() const {
  std::vector<std::string> chosen;
  for (const auto& path : context_.base->paths()) {
    const auto own = base_name(path);
    if (own == "package.json" || own.starts_with("tsconfig") || own.starts_with("jsconfig") ||
        own.starts_with("jest.config") || own.starts_with("vite"))
      chosen.push_back(path);
  }
  return context_.commands.test + (context_.base_texts ? "\n" + context_.base_texts(chosen) : "");
}

/// Returns whether tests name a vendored library and no other source of the base does.
bool ProtectedPaths::is_only_for_tests(std::string_view path) const {
  const auto library = library_of(path);
  if (library.empty() || !context_.base_texts ||
      !(context_.base->tracks(library) || context_.base->tracks_below(library)))
    return false;
  const std::lock_guard lock(vendored_->mutex);
  auto& [mutex, known, tests, others] = *vendored_;
  if (const auto found = known.find(std::string(library)); found != known.end()) return found->second;
  if (!tests) tests = texts(true), others = texts(false);
  // "catch.hpp" is included as a file, "chai" is imported by its directory's name.
  auto name = base_name(library);
  if (name.ends_with(".py") || name.ends_with(".js")) name = name.substr(0, name.size() - 3);
  return known[std::string(library)] =
             tests->find(name) != std::string::npos && others->find(name) == std::string::npos;
}

std::string_view ProtectedPaths::takes_place_of(std::string_view path) const {
  return resolution_->taken_by(path);
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
      return hook("stands in the place of the base's Makefile");
  }
  if (replaces_module(path)) return hook("stands in the place of a protected module of the base");
  // node takes the nearest package.json above a file for its package: module kind and own name.
  if (own == "package.json" && !above.empty()) {
    const auto& paths = context_.base->paths();
    const auto below = std::string(above) + "/";
    if (std::any_of(paths.begin(), paths.end(),
                    [&](const auto& each) { return each.starts_with(below) && is_test(each); }))
      return hook("stands between tests and the package that they belong to");
  }
  const bool python = !python_module(path).name.empty();
  if (!python || runs_python())
    if (const auto taken = takes_place_of(path); !taken.empty())
      return hook("stands in the place of " + std::string(taken));
  const bool program_place = above.empty() || base_name(above) == "bin" || base_name(above) == ".bin" ||
                             above == "scripts" || above == "tools";
  if (program_place && own.find('.') == std::string_view::npos && searched_.contains(std::string(own)))
    return hook("has the name of a program of the checks");
  return std::nullopt;
}

}  // namespace hydra::integrity
