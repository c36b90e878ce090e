// config: what Ruby's and PHP's files say, and the tools that need no more than a row of a table.
#include "base/strings.hpp"
#include "config/json_scan.hpp"
#include "config/propose.hpp"

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

using Maybe = std::optional<Proposal>;

/// The gems that a Gemfile names, and whether it takes more from elsewhere (`gemspec`, `eval_gemfile`).
struct Gems {
  std::vector<std::string> names;
  bool more = false;
};

/// The first text in quotes of either kind.
std::string first_quoted(std::string_view line) {
  const auto begin = line.find_first_of("'\"");
  if (begin == std::string_view::npos) return {};
  const auto end = line.find(line[begin], begin + 1);
  return end == std::string_view::npos ? std::string() : std::string(line.substr(begin + 1, end - begin - 1));
}

Gems gems_of(std::string_view gemfile) {
  Gems gems;
  for (const auto raw : lines(gemfile)) {
    const auto line = trim(raw);
    gems.more = gems.more || line.starts_with("gemspec") || line.starts_with("eval_gemfile");
    if (!line.starts_with("gem ") && !line.starts_with("gem(")) continue;
    if (auto name = first_quoted(line); !name.empty()) gems.names.push_back(std::move(name));
  }
  return gems;
}

bool machine_has_gems(const ProjectView& files) {
  auto gems = gems_of(files.text("Gemfile"));
  if (gems.more) {
    const auto gemspec = files.ending_with(".gemspec");
    if (gemspec.empty()) return false;
    for (const auto raw : lines(files.text(gemspec))) {
      const auto at = raw.find("_dependency");
      if (at == std::string_view::npos) continue;
      if (auto name = first_quoted(raw.substr(at)); !name.empty()) gems.names.push_back(std::move(name));
    }
  }
  return files.looked_for_packages() &&
         std::all_of(gems.names.begin(), gems.names.end(),
                     [&](const auto& name) { return files.has_package("gem:" + name); });
}

/// Does the project need what composer installs?
bool needs_vendor(const ProjectView& files) {
  const auto config = files.first_of({"phpunit.xml", "phpunit.xml.dist"});
  if (files.text(config).find("vendor/autoload") != std::string_view::npos) return true;
  const auto needed = json_strings(files.text("composer.json"), "require");
  return std::any_of(needed.begin(), needed.end(), [](const auto& entry) {
    return entry.first != "php" && !entry.first.starts_with("ext-");
  });
}

std::optional<std::string> first_script(const std::map<std::string, std::string>& scripts,
                                        std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (scripts.contains(name)) return name;
  return std::nullopt;
}

/// A tool whose commands are the same in every project. Texts: several with "&&" between; empty: none.
struct Row {
  std::string_view marker;  ///< a name at the top, or "*.ext" for any with that ending
  std::string_view setup, build, test, lint;
  std::string_view outputs, share;  ///< one path each
  std::string_view wrapper;         ///< script of the repository that stands for the first word
};

// Checks have no network: set-up fetches, and the rest is told to stay offline where it has a word for that.
constexpr std::array<Row, 21> kRows{{
    {"build.sbt", "sbt update test:compile", "sbt compile", "sbt test", "", "**/target", "", "sbt"},
    {"build.mill", "mill __.compile", "mill __.compile", "mill __.test", "", "out", "", "mill"},
    {"build.sc", "mill __.compile", "mill __.compile", "mill __.test", "", "out", "", "mill"},
    {"project.clj", "lein deps", "lein -o compile :all", "lein -o test", "", "target", "", ""},
    {"stack.yaml", "stack build --test --only-dependencies", "stack build", "stack test", "", ".stack-work",
     "", ""},
    {"*.cabal", "cabal build --only-dependencies --enable-tests all", "cabal build all", "cabal test all", "",
     "dist-newstyle", "", ""},
    {"dune-project", "", "dune build", "dune runtest", "", "_build", "", ""},
    {"rebar.config", "rebar3 get-deps", "rebar3 compile", "rebar3 eunit", "", "_build", "", "rebar3"},
    {"build.zig", "", "zig build", "zig build test", "zig fmt --check .", ".zig-cache", "", ""},
    {"deno.json", "deno install", "", "deno test -A", "deno lint", "", "", ""},
    {"deno.jsonc", "deno install", "", "deno test -A", "deno lint", "", "", ""},
    {"pubspec.yaml", "dart pub get", "", "dart test", "dart analyze", "", ".dart_tool", ""},
    {"shard.yml", "shards install", "", "crystal spec --verbose", "", "", "lib", ""},
    {"*.nimble", "nimble install -dy", "nimble build", "nimble test", "", "", "", ""},
    {"MODULE.bazel", "bazel fetch //...", "bazel build //...", "bazel test //... --test_output=errors", "",
     "", "", ""},
    {"WORKSPACE", "bazel fetch //...", "bazel build //...", "bazel test //... --test_output=errors", "", "",
     "", ""},
    {"SConstruct", "", "scons", "", "", "", "", ""},
    {"xmake.lua", "xmake config -y", "xmake", "xmake test", "", "build", "", ""},
    {".busted", "", "", "busted --output=TAP", "", "", "", ""},
    {"Project.toml", "julia --project -e 'using Pkg; Pkg.instantiate()'", "",
     "julia --project -e 'using Pkg; Pkg.test()'", "", "", "", ""},
    {"NAMESPACE", "", "", "Rscript -e 'devtools::test()'", "", "", "", ""},
}};

std::optional<Guess> guess_of(const ProjectView& files, const Row& row, std::string_view text,
                              const std::string& why) {
  if (text.empty()) return std::nullopt;
  const bool wrapped = !row.wrapper.empty() && files.has(row.wrapper);
  return Guess{(wrapped ? "./" : "") + std::string(text), why};
}

std::string marker_of(const ProjectView& files, const Row& row) {
  if (row.marker.starts_with('*')) {
    const auto found = files.ending_with(row.marker.substr(1));
    return found.find('/') == std::string::npos ? found : std::string();
  }
  return files.has(row.marker) ? std::string(row.marker) : std::string();
}

/// Scripts that are tests by their ending, and what runs them: a directory of bats or busted files.
std::optional<Guess> tests_by_name(const ProjectView& files) {
  for (const auto& name : files.names()) {
    const auto directory = name.substr(0, name.rfind('/') + 1);
    if (directory.empty()) continue;
    const auto place = directory.substr(0, directory.size() - 1);
    if (name.ends_with(".bats"))
      return Guess{(files.has("test/bats/bin/bats") ? "test/bats/bin/bats " : "bats ") + place,
                   "tests in " + directory};
    if (name.ends_with("_spec.lua")) return Guess{"busted --output=TAP " + place, "tests in " + directory};
  }
  return std::nullopt;
}

}  // namespace

Maybe propose_ruby(const ProjectView& files) {
  const bool specs = files.has(".rspec") || files.has("spec");
  const bool rspec_alone = !files.has("Gemfile") && files.has(".rspec");
  if (!files.has("Gemfile") && !rspec_alone) return std::nullopt;
  Proposal p;
  p.kind = rspec_alone ? ".rspec" : "Gemfile";
  const bool own = rspec_alone || (!files.has("vendor/bundle") && machine_has_gems(files));
  const std::string run = own ? "" : "bundle exec ";
  p.test = specs ? Guess{run + "rspec", "spec/ or .rspec"} : Guess{run + "rake test", "Gemfile and no spec/"};
  if (files.has(".rubocop.yml")) p.lint = Guess{run + "rubocop", ".rubocop.yml"};
  if (own) return p;
  p.setup = Guess{"bundle install", "Gemfile"};
  p.share = {{"vendor/bundle", "installed gems"}};
  return p;
}

Maybe propose_php(const ProjectView& files) {
  if (!files.has("composer.json")) return std::nullopt;
  const auto scripts = json_strings(files.text("composer.json"), "scripts");
  Proposal p;
  p.kind = "composer.json";
  const auto script = [&](const std::optional<std::string>& name) -> std::optional<Guess> {
    if (!name) return std::nullopt;
    const bool builtin = *name == "test" || *name == "lint";
    return Guess{(builtin ? "composer " : "composer run ") + *name,
                 "script \"" + *name + "\" of composer.json"};
  };
  const bool configured = !files.first_of({"phpunit.xml", "phpunit.xml.dist", "tests"}).empty();
  p.lint = script(first_script(scripts, {"lint", "phpstan", "stan", "analyse", "cs", "phpcs"}));
  const bool own = configured && !files.has("vendor") && files.looked_for_packages() &&
                   files.has_program("phpunit") && !needs_vendor(files) && !p.lint;
  if (own) {
    p.test = Guess{"phpunit", "phpunit is configured, and the machine has it"};
    return p;
  }
  p.test = script(first_script(scripts, {"test", "tests", "phpunit", "test:unit"}));
  if (!p.test && configured) p.test = Guess{"vendor/bin/phpunit", "phpunit is configured or tests/ exists"};
  p.setup = Guess{"composer install", "composer.json"};
  p.share = {{"vendor", "installed packages"}};
  return p;
}

Maybe propose_rows(const ProjectView& files) {
  for (const auto& row : kRows) {
    const auto marker = marker_of(files, row);
    if (marker.empty()) continue;
    Proposal p;
    p.kind = marker;
    p.setup = guess_of(files, row, row.setup, marker);
    p.build = guess_of(files, row, row.build, marker);
    p.test = guess_of(files, row, row.test, marker);
    p.lint = guess_of(files, row, row.lint, marker);
    if (!row.outputs.empty()) p.outputs = {{std::string(row.outputs), "its build directory"}};
    if (!row.share.empty()) p.share = {{std::string(row.share), "fetched dependencies"}};
    return p;
  }
  const auto tests = tests_by_name(files);
  if (!tests) return std::nullopt;
  Proposal p;
  p.kind = tests->why.substr(9);
  p.fills_gaps = true;
  p.test = tests;
  return p;
}

std::vector<std::string> row_programs() {
  std::vector<std::string> all{"bats", "busted"};
  for (const auto& row : kRows)
    for (const auto text : {row.setup, row.build, row.test, row.lint})
      if (const auto word = std::string(text.substr(0, text.find(' '))); !word.empty())
        if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
  return all;
}

}  // namespace hydra::config
