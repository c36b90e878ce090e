// config: what CMake, Meson, autotools, make and Perl say. Of the first four one builds a project: the others
// that it has beside it are other ways to the same.
#include "base/strings.hpp"
#include "config/propose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

using Maybe = std::optional<Proposal>;

/// One rule of a Makefile: "all: x y" and the lines below it.
struct MakeRule {
  std::string name, text;
};

std::vector<MakeRule> make_rules(std::string_view makefile) {
  std::vector<MakeRule> rules;
  std::size_t open = 0;  // where the rules of the last line begin: its recipe is theirs
  for (const auto line : lines(makefile)) {
    if (line.starts_with('\t')) {
      for (auto i = open; i < rules.size(); ++i) rules[i].text += " " + std::string(line.substr(1));
      continue;
    }
    const auto colon = line.find(':');
    const bool rule = colon != std::string_view::npos && !line.empty() && line.front() != ' ' &&
                      line.front() != '#' && line.find_first_of("=$") > colon;
    auto rest = rule ? line.substr(colon + 1) : std::string_view();
    while (rest.starts_with(':')) rest.remove_prefix(1);
    if (!rule || rest.starts_with('=')) continue;
    open = rules.size();
    for (const auto name : split(line.substr(0, colon), ' '))
      if (!trim(name).empty())
        rules.push_back({std::string(trim(name)), std::string(rest.substr(0, rest.find('#')))});
  }
  return rules;
}

bool says_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  const auto blanks = replace_all(std::string(text), "\t", " ");  // the parts are views into it
  for (const auto part : split(blanks, ' '))
    if (std::find(words.begin(), words.end(), trim(part)) != words.end()) return true;
  return false;
}

/// "all" that tests, formats or publishes is a pipeline, and no build.
bool is_build(const MakeRule& rule) {
  return !says_one_of(rule.text, {"test", "tests", "check", "lint", "fmt", "format", "vet", "ci", "cover",
                                  "coverage", "clean", "docker", "release", "deploy", "install", "e2e"});
}

const MakeRule* find_rule(const std::vector<MakeRule>& rules, std::string_view name) {
  const auto it = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.name == name; });
  return it == rules.end() ? nullptr : &*it;
}

/// What `make` alone does: the first rule that is no special target. Nothing where that is no build.
const MakeRule* default_rule(const std::vector<MakeRule>& rules) {
  for (const auto& rule : rules) {
    if (rule.name.starts_with('.') || rule.name.find('%') != std::string::npos) continue;
    const bool other = says_one_of(rule.name, {"test", "tests", "check", "lint", "help", "clean",   "install",
                                               "run",  "docs",  "doc",   "ci",   "fmt",  "format",  "usage",
                                               "dev",  "setup", "init",  "venv", "deps", "release", "dist"});
    return other || !is_build(rule) ? nullptr : &rule;
  }
  return nullptr;
}

std::optional<Guess> target(const std::vector<MakeRule>& rules, const std::string& file,
                            std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    if (find_rule(rules, name) != nullptr)
      return Guess{fmt::format("make {}", name), fmt::format("target {} of {}", name, file)};
  return std::nullopt;
}

std::string makefile_of(const ProjectView& files) {
  return files.first_of({"GNUmakefile", "makefile", "Makefile"});
}

/// What makes `configure`, where it is not in the repository.
std::string bootstrap(const ProjectView& files) {
  if (files.has("configure")) return {};
  const auto script = files.first_of({"autogen.sh", "bootstrap", "bootstrap.sh", "buildconf", "autogen"});
  return script.empty() ? "autoreconf -fi && " : "NOCONFIGURE=1 ./" + script + " && ";
}

}  // namespace

Maybe propose_cmake(const ProjectView& files) {
  if (!files.has("CMakeLists.txt")) return std::nullopt;
  Proposal p;
  p.kind = "CMakeLists.txt";
  // A `build` that CMake did not make holds sources.
  const bool foreign = files.has("build") && !files.has("build/CMakeCache.txt");
  const std::string build = foreign ? "cmake-build" : "build";
  p.setup = Guess{fmt::format("cmake -S . -B {}{}", build, files.has_program("ninja") ? " -G Ninja" : ""),
                  "CMakeLists.txt"};
  p.build = Guess{"cmake --build " + build, "CMakeLists.txt"};
  p.test = Guess{fmt::format("ctest --test-dir {} --output-on-failure", build), "CMakeLists.txt"};
  p.outputs = {{build, "CMake's build directory"}};
  if (files.has_program("ccache")) add_cache(files, p, "ccache");
  return p;
}

Maybe propose_meson(const ProjectView& files) {
  if (!files.has("meson.build")) return std::nullopt;
  if (files.has("CMakeLists.txt") && files.has_program("cmake")) return std::nullopt;
  Proposal p;
  p.kind = "meson.build";
  p.setup = Guess{"meson setup builddir", "meson.build"};
  p.build = Guess{"meson compile -C builddir", "meson.build"};
  // The tests of its subprojects are not the project's.
  const bool wraps = std::any_of(files.names().begin(), files.names().end(), [](const auto& name) {
    return name.starts_with("subprojects/") && name.ends_with(".wrap");
  });
  const auto project = wraps ? meson_project(files.text("meson.build")) : std::string();
  p.test = Guess{"meson test -C builddir" + (project.empty() ? "" : " --suite " + project),
                 project.empty() ? "meson.build" : "meson.build, without its subprojects' own tests"};
  if (files.has("subprojects/packagecache"))
    p.share.push_back({"subprojects/packagecache", "downloaded subprojects"});
  p.outputs = {{"builddir", "meson's build directory"}};
  if (files.has_program("ccache")) add_cache(files, p, "ccache");
  return p;
}

std::string meson_project(std::string_view text) {
  const auto at = text.find("project(");
  if (at == std::string_view::npos) return {};
  const auto parts = split(text.substr(at, 200), '\'');
  const bool plain =
      parts.size() > 2 && !parts[1].empty() && std::all_of(parts[1].begin(), parts[1].end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_' || c == '.' || c == '+';
      });
  return plain ? std::string(parts[1]) : std::string();
}

Maybe propose_autotools(const ProjectView& files) {
  const auto found = files.first_of({"configure.ac", "configure.in", "Makefile.am", "configure"});
  if (found.empty()) return std::nullopt;
  // Other ways to the same; and a Makefile of its own needs no configure.
  if (!files.first_of({"CMakeLists.txt", "meson.build"}).empty()) return std::nullopt;
  if (!makefile_of(files).empty() && !files.has("Makefile.am")) return std::nullopt;
  Proposal p;
  p.kind = found;
  p.setup = Guess{bootstrap(files) + "./configure", found};
  p.build = Guess{"make", found};
  const bool own = found == "configure";  // written by hand: its Makefile says what there is
  const auto rules = make_rules(files.text("Makefile.in"));
  p.test = own ? target(rules, "Makefile.in", {"check", "test"}) : Guess{"make check", found};
  if (files.has_program("ccache")) add_cache(files, p, "ccache");
  return p;
}

Maybe propose_perl(const ProjectView& files) {
  const bool tests = std::any_of(files.names().begin(), files.names().end(), [](const auto& name) {
    return name.starts_with("t/") && name.ends_with(".t");
  });
  Proposal p;
  if (files.has("Makefile.PL")) {
    p.kind = "Makefile.PL";
    p.setup = Guess{"perl Makefile.PL", p.kind};
    p.build = Guess{"make", p.kind};
    p.test = Guess{"make test TEST_VERBOSE=1", p.kind + "; verbose names the tests"};
  } else if (files.has("Build.PL")) {
    p.kind = "Build.PL";
    p.setup = Guess{"perl Build.PL", p.kind};
    p.build = Guess{"./Build", p.kind};
    p.test = Guess{"./Build test verbose=1", p.kind + "; verbose names the tests"};
  } else if (tests) {
    p.kind = "t/";
    p.fills_gaps = true;
    p.test = Guess{files.has("lib") ? "prove -lrv t" : "prove -rv t", "tests in t/; -v names the tests"};
  } else {
    return std::nullopt;
  }
  return p;
}

Maybe propose_make(const ProjectView& files) {
  const auto found = makefile_of(files);
  if (found.empty() || files.has("Makefile.am") || files.has("Makefile.PL")) return std::nullopt;
  const auto rules = make_rules(files.text(found));
  Proposal p;
  p.kind = found;
  p.fills_gaps = true;
  for (const auto* name : {"build", "all"})
    if (const auto* rule = find_rule(rules, name); rule != nullptr && is_build(*rule) && !p.build)
      p.build = Guess{fmt::format("make {}", name), fmt::format("target {} of {}", name, found)};
  if (!p.build)
    if (const auto* rule = default_rule(rules); rule != nullptr && rule->name != "all")
      p.build = Guess{"make", fmt::format("{} makes {} by default", found, rule->name)};
  p.test = target(rules, found, {"test", "check", "tests"});
  p.lint = target(rules, found, {"lint"});
  return p;
}

}  // namespace hydra::config
