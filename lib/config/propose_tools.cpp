// config: what each build tool's files say (toolchains reference, section 9).
#include "base/strings.hpp"
#include "config/ecosystem.hpp"
#include "config/json_scan.hpp"
#include "config/propose.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::config {
namespace {

using Maybe = std::optional<Proposal>;

void add_cache(const ProjectView& files, Proposal& p, const std::string& name) {
  if (files.has_cache(name)) p.caches.push_back({name, "its directory is in your home"});
}

/// The text of `"key": "…"` in JSON with comments; "./" and "/" at the ends taken off.
std::string quoted_member(std::string_view text, std::string_view key) {
  const auto at = text.find("\"" + std::string(key) + "\"");
  if (at == std::string_view::npos) return {};
  const auto rest = trim(text.substr(at + key.size() + 2));
  if (!rest.starts_with(':')) return {};
  const auto parts = split(rest.substr(0, rest.find('\n')), '"');
  if (parts.size() < 3 || trim(parts[0]) != ":") return {};
  auto value = parts[1];
  while (value.starts_with("./")) value.remove_prefix(2);
  while (value.ends_with('/')) value.remove_suffix(1);
  const bool plain =
      !value.empty() && value.front() != '/' && value != "." && value.find("..") == std::string_view::npos &&
      value.find('\\') == std::string_view::npos && value.find_first_of("*?~") == std::string_view::npos;
  return plain ? std::string(value) : std::string();
}

struct NodeTool {
  std::string name, lock, install, run;
};

NodeTool node_tool(const ProjectView& files) {
  if (files.has("pnpm-lock.yaml"))
    return {"pnpm", "pnpm-lock.yaml", "pnpm install --frozen-lockfile", "pnpm run"};
  if (files.has("yarn.lock"))
    return files.has(".yarnrc.yml")
               ? NodeTool{"yarn", "yarn.lock", "yarn install --immutable", "yarn run"}
               : NodeTool{"yarn", "yarn.lock", "yarn install --frozen-lockfile", "yarn run"};
  if (const auto lock = files.first_of({"bun.lock", "bun.lockb"}); !lock.empty())
    return {"bun", lock, "bun install --frozen-lockfile", "bun run"};
  if (files.has("package-lock.json")) return {"npm", "package-lock.json", "npm ci", "npm run"};
  // No lock file: what the project says it is installed with.
  const auto named = quoted_member(files.text("package.json"), "packageManager");
  const auto wants = [&](std::string_view tool) {
    return named.starts_with(tool) && named.size() > tool.size() && named[tool.size()] == '@';
  };
  if (wants("pnpm") || files.has("pnpm-workspace.yaml")) return {"pnpm", "", "pnpm install", "pnpm run"};
  if (wants("yarn") || files.has(".yarnrc.yml")) return {"yarn", "", "yarn install", "yarn run"};
  if (wants("bun")) return {"bun", "", "bun install", "bun run"};
  return {"npm", "", "npm install", "npm run"};
}

Maybe node(const ProjectView& files) {
  if (!files.has("package.json")) return std::nullopt;
  Proposal p;
  p.kind = "package.json";
  const auto tool = node_tool(files);
  const auto manifest = files.text("package.json");
  const auto scripts = json_strings(manifest, "scripts");
  const auto script = [&](const std::string& name) -> std::optional<Guess> {
    const auto it = scripts.find(name);
    // What `npm init` writes fails by design.
    if (it == scripts.end() || it->second.find("no test specified") != std::string::npos) return std::nullopt;
    const std::string command = tool.name == "npm" && name == "test" ? "npm test" : tool.run + " " + name;
    return Guess{command, fmt::format("script \"{}\" of package.json", name)};
  };
  p.build = script("build");
  p.test = script("test");
  p.lint = script("lint");
  const bool pnpm_workspace = files.has("pnpm-workspace.yaml");
  const bool workspaces = pnpm_workspace || json_has_key(manifest, "workspaces");
  if (!p.test && pnpm_workspace) p.test = Guess{"pnpm -r test", "pnpm-workspace.yaml and no script \"test\""};
  if (!p.test && !pnpm_workspace && workspaces && tool.name == "npm")
    p.test = Guess{"npm test --workspaces --if-present", "workspaces of package.json and no script \"test\""};
  if (files.has("tsconfig.json")) {
    if (!p.build) p.build = Guess{"npx tsc -p .", "tsconfig.json and no script \"build\""};
    if (const auto out = quoted_member(files.text("tsconfig.json"), "outDir"); !out.empty()) {
      p.outputs.push_back({out, "outDir of tsconfig.json"});
      p.outputs.push_back({"**/*.tsbuildinfo", "the compiler's state goes with it"});
    }
  }
  p.setup = Guess{tool.install, tool.lock.empty() ? "no lock file found" : tool.lock};
  p.share = {{workspaces ? "**/node_modules" : "node_modules", "installed dependencies"}};
  return p;
}

bool mentions(const ProjectView& files, std::string_view word) {
  for (const auto* name :
       {"pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"})
    if (files.text(name).find(word) != std::string_view::npos) return true;
  return false;
}

// Debian and others have no program of the plain name.
std::string python_program(const ProjectView& files) {
  return files.has_program("python") ? "python" : "python3";
}

// `tools` are what the proposed checks run: those that the requirements do not bring are installed too.
std::optional<Guess> python_setup(const ProjectView& files, const std::vector<std::string>& tools) {
  if (files.has("uv.lock")) return Guess{"uv sync --frozen", "uv.lock"};
  if (files.has("poetry.lock"))
    return Guess{"POETRY_VIRTUALENVS_IN_PROJECT=true poetry install", "poetry.lock"};
  std::string install = python_program(files) + " -m venv .venv && .venv/bin/pip install", why;
  std::string brought;
  if (files.has("requirements.txt")) {
    why = "requirements.txt";
    for (const auto* name : {"requirements.txt", "requirements-dev.txt"}) {
      if (!files.has(name)) continue;
      install += std::string(" -r ") + name;
      brought += files.text(name);
    }
  } else if (files.has("setup.py") ||
             files.text("pyproject.toml").find("[project]") != std::string_view::npos) {
    why = files.has("pyproject.toml") ? "pyproject.toml" : "setup.py";
    const auto text = files.text("pyproject.toml");
    const auto extra = text.find("\ntest = [");
    install += extra == std::string_view::npos ? " -e ." : " -e '.[test]'";
    if (extra != std::string_view::npos) brought = text.substr(extra, text.find(']', extra) - extra);
  } else if (!tools.empty()) {
    why = join(tools, " and ");
  } else {
    return std::nullopt;
  }
  for (const auto& tool : tools)
    if (brought.find(tool) == std::string::npos) install += " " + tool;
  return Guess{install, why + " and no virtual environment"};
}

Maybe python(const ProjectView& files) {
  const auto found = files.first_of(
      {"pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "pytest.ini", "conftest.py"});
  if (found.empty()) return std::nullopt;
  Proposal p;
  p.kind = found;
  const bool pytest =
      mentions(files, "pytest") || files.has("pytest.ini") || files.has("conftest.py") || files.has("tests");
  const bool ruff = files.has("ruff.toml") || files.has(".ruff.toml") || mentions(files, "ruff");
  const bool flake8 = !ruff && (files.has(".flake8") || mentions(files, "flake8"));
  std::vector<std::string> tools;
  for (const auto& [used, tool] : {std::pair{pytest, "pytest"}, {ruff, "ruff"}, {flake8, "flake8"}})
    if (used) tools.emplace_back(tool);
  auto venv = files.first_of({".venv", "venv"});
  if (venv.empty()) {
    p.setup = python_setup(files, tools);
    if (p.setup)
      venv = ".venv";
    else
      p.notes.emplace_back(
          "No virtual environment (.venv) found: make one, or the checks use the system's Python.");
  } else {
    p.share = {{venv, "the project's virtual environment"}};
  }
  const std::string python = (venv.empty() ? python_program(files) : venv + "/bin/python") + " -m ";
  p.test = pytest ? Guess{python + "pytest", "pytest is configured or tests/ exists"}
                  : Guess{python + "unittest discover", "no pytest found"};
  if (ruff)
    p.lint = Guess{python + "ruff check .", "ruff is configured"};
  else if (flake8)
    p.lint = Guess{python + "flake8", "flake8 is configured"};
  return p;
}

Maybe cargo(const ProjectView& files) {
  if (!files.has("Cargo.toml")) return std::nullopt;
  Proposal p;
  p.kind = "Cargo.toml";
  p.build = Guess{"cargo build --workspace --all-targets", "Cargo.toml"};
  p.test = Guess{"cargo test --workspace", "Cargo.toml"};
  if (files.has_program("cargo-clippy"))
    p.lint = Guess{"cargo clippy --workspace --all-targets", "Cargo.toml and clippy"};
  p.setup =
      Guess{files.has("Cargo.lock") ? "cargo fetch --locked" : "cargo fetch", "so that checks work offline"};
  p.warm = Guess{"cargo test --workspace --no-run", "compiles the tests once"};
  p.outputs = {{"target", "cargo's build directory"}};
  add_cache(files, p, "cargo");
  return p;
}

Maybe go(const ProjectView& files) {
  if (!files.has("go.mod")) return std::nullopt;
  Proposal p;
  p.kind = "go.mod";
  p.build = Guess{"go build ./...", "go.mod"};
  p.test = Guess{"go test ./...", "go.mod"};
  const auto lint = files.starting_with(".golangci.");
  p.lint = lint.empty() || !files.has_program("golangci-lint") ? Guess{"go vet ./...", "go.mod"}
                                                               : Guess{"golangci-lint run", lint};
  if (!files.has("vendor")) p.setup = Guess{"go mod download", "no vendor directory"};
  p.warm = Guess{"go test -run '^$' ./...", "compiles the tests once"};
  add_cache(files, p, "go-build");
  add_cache(files, p, "go-mod");
  return p;
}

Maybe cmake(const ProjectView& files) {
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

Maybe meson(const ProjectView& files) {
  if (!files.has("meson.build")) return std::nullopt;
  Proposal p;
  p.kind = "meson.build";
  p.setup = Guess{"meson setup builddir", "meson.build"};
  p.build = Guess{"meson compile -C builddir", "meson.build"};
  p.test = Guess{"meson test -C builddir", "meson.build"};
  p.outputs = {{"builddir", "meson's build directory"}};
  if (files.has_program("ccache")) add_cache(files, p, "ccache");
  return p;
}

Maybe maven(const ProjectView& files) {
  if (!files.has("pom.xml")) return std::nullopt;
  const std::string mvn = files.has("mvnw") ? "./mvnw" : "mvn";
  Proposal p;
  p.kind = "pom.xml";
  p.build = Guess{mvn + " -B -o -q compile", "pom.xml"};
  p.test = Guess{mvn + " -B -o test", "pom.xml"};
  p.setup = Guess{mvn + " -B dependency:go-offline", "so that checks work offline"};
  p.outputs = {{"**/target", "maven's build directories"}};
  add_cache(files, p, "m2");
  return p;
}

Maybe gradle(const ProjectView& files) {
  const auto found =
      files.first_of({"build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"});
  if (found.empty()) return std::nullopt;
  const std::string run = std::string(files.has("gradlew") ? "./gradlew" : "gradle");
  Proposal p;
  p.kind = found;
  p.build = Guess{run + " --offline --no-daemon assemble", found};
  p.test = Guess{run + " --offline --no-daemon test", found};
  p.setup = Guess{run + " --no-daemon testClasses", "so that checks work offline"};
  p.outputs = {{"**/build", "gradle's build directories"}};
  add_cache(files, p, "gradle");
  return p;
}

Maybe dotnet(const ProjectView& files) {
  auto found = files.ending_with(".sln");
  if (found.empty()) found = files.ending_with(".csproj");
  if (found.empty()) return std::nullopt;
  Proposal p;
  p.kind = found;
  p.setup = Guess{"dotnet restore", found};
  p.build = Guess{"dotnet build --no-restore", found};
  p.test = Guess{"dotnet test --no-build", found};
  p.outputs = {{"**/bin", "build results"}, {"**/obj", "intermediate results"}};
  add_cache(files, p, "nuget");
  return p;
}

Maybe swift(const ProjectView& files) {
  if (!files.has("Package.swift")) return std::nullopt;
  Proposal p;
  p.kind = "Package.swift";
  p.setup = Guess{"swift package resolve", "Package.swift"};
  p.build = Guess{"swift build", "Package.swift"};
  p.test = Guess{"swift test", "Package.swift"};
  p.outputs = {{".build", "swift's build directory"}};
  add_cache(files, p, "swiftpm");
  return p;
}

Maybe ruby(const ProjectView& files) {
  if (!files.has("Gemfile")) return std::nullopt;
  Proposal p;
  p.kind = "Gemfile";
  p.test = files.has(".rspec") || files.has("spec") ? Guess{"bundle exec rspec", "spec/ or .rspec"}
                                                    : Guess{"bundle exec rake test", "Gemfile and no spec/"};
  if (files.has(".rubocop.yml")) p.lint = Guess{"bundle exec rubocop", ".rubocop.yml"};
  p.setup = Guess{"bundle install", "Gemfile"};
  p.share = {{"vendor/bundle", "installed gems"}};
  return p;
}

Maybe php(const ProjectView& files) {
  if (!files.has("composer.json")) return std::nullopt;
  const auto scripts = json_strings(files.text("composer.json"), "scripts");
  Proposal p;
  p.kind = "composer.json";
  if (scripts.contains("test"))
    p.test = Guess{"composer test", "script \"test\" of composer.json"};
  else if (!files.first_of({"phpunit.xml", "phpunit.xml.dist", "tests"}).empty())
    p.test = Guess{"vendor/bin/phpunit", "phpunit is configured or tests/ exists"};
  if (scripts.contains("lint")) p.lint = Guess{"composer lint", "script \"lint\" of composer.json"};
  p.setup = Guess{"composer install", "composer.json"};
  p.share = {{"vendor", "installed packages"}};
  return p;
}

Maybe elixir(const ProjectView& files) {
  if (!files.has("mix.exs")) return std::nullopt;
  Proposal p;
  p.kind = "mix.exs";
  p.build = Guess{"mix compile --warnings-as-errors", "mix.exs"};
  p.test = Guess{"mix test", "mix.exs"};
  p.lint = files.has(".credo.exs") ? Guess{"mix credo", ".credo.exs"}
                                   : Guess{"mix format --check-formatted", "mix.exs"};
  p.setup = Guess{"mix deps.get", "mix.exs"};
  p.share = {{"deps", "fetched dependencies"}};
  p.outputs = {{"_build", "mix's build directory"}};
  add_cache(files, p, "hex");
  add_cache(files, p, "mix");
  return p;
}

/// Is there a rule "NAME:" in a Makefile?
bool has_target(std::string_view text, std::string_view name) {
  for (const auto line : lines(text)) {
    if (!line.starts_with(name)) continue;
    const auto rest = trim(line.substr(name.size()));
    if (rest.starts_with(':') && !rest.starts_with(":=") && !rest.starts_with("::=")) return true;
  }
  return false;
}

Maybe make(const ProjectView& files) {
  const auto found = files.first_of({"GNUmakefile", "makefile", "Makefile"});
  if (found.empty()) return std::nullopt;
  Proposal p;
  p.kind = found;
  p.fills_gaps = true;
  const auto target = [&](std::initializer_list<std::string_view> names) -> std::optional<Guess> {
    for (const auto name : names)
      if (has_target(files.text(found), name))
        return Guess{fmt::format("make {}", name), fmt::format("target {} of {}", name, found)};
    return std::nullopt;
  };
  p.build = target({"build", "all"});
  p.test = target({"test", "check"});
  p.lint = target({"lint"});
  return p;
}

}  // namespace

std::initializer_list<Guesser> guessers() {
  static constexpr std::initializer_list<Guesser> kAll{node,   python, cargo, go,   cmake, meson,  maven,
                                                       gradle, dotnet, swift, ruby, php,   elixir, make};
  return kAll;
}

std::vector<std::string> proposed_programs() {
  return {"npm",   "npx",    "pnpm",     "yarn",         "bun", "python",        "python3",
          "uv",    "poetry", "cargo",    "cargo-clippy", "go",  "golangci-lint", "cmake",
          "ctest", "ninja",  "ccache",   "meson",        "mvn", "gradle",        "dotnet",
          "swift", "bundle", "composer", "php",          "mix", "make"};
}

}  // namespace hydra::config
