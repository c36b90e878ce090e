// config: what each build tool's files say (toolchains reference, section 9).
#include "base/strings.hpp"
#include "config/ecosystem.hpp"
#include "config/json_scan.hpp"
#include "config/propose.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::config {

void add_cache(const ProjectView& files, Proposal& p, const std::string& name) {
  if (files.has_cache(name)) p.caches.push_back({name, "its directory is in your home"});
}

namespace {

using Maybe = std::optional<Proposal>;

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

NodeTool wanted_node_tool(const ProjectView& files) {
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

/// Scripts run by npm as well, and it can fetch the tool that reads the lock file.
NodeTool node_tool(const ProjectView& files) {
  auto tool = wanted_node_tool(files);
  if (files.has_program(tool.name) || tool.name == "npm" || !files.has_program("npx")) return tool;
  const bool classic = tool.name == "yarn" && !files.has(".yarnrc.yml");
  tool.install = "npx --yes " + tool.name + (classic ? "@1" : "") + tool.install.substr(tool.name.size());
  tool.run = "npm run";
  tool.name = "npm";
  return tool;
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
  // It begins by removing what is there: copied dependencies that fit are left alone.
  if (tool.install == "npm ci" && files.has("node_modules"))
    p.setup = Guess{"npm ls --all >/dev/null 2>&1 || npm ci",
                    "package-lock.json, where node_modules does not fit it"};
  p.share = {{workspaces ? "**/node_modules" : "node_modules", "installed dependencies"}};
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
  p.test = Guess{"go test -v ./...", "go.mod; -v names the tests"};
  const auto lint = files.starting_with(".golangci.");
  p.lint = lint.empty() || !files.has_program("golangci-lint") ? Guess{"go vet ./...", "go.mod"}
                                                               : Guess{"golangci-lint run", lint};
  if (!files.has("vendor")) p.setup = Guess{"go mod download", "no vendor directory"};
  p.warm = Guess{"go test -run '^$' ./...", "compiles the tests once"};
  add_cache(files, p, "go-build");
  add_cache(files, p, "go-mod");
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
  // Beside Maven's file it is another way to the same.
  const bool maven_too = files.has("pom.xml") && (files.has("mvnw") || files.has_program("mvn"));
  if (found.empty() || maven_too) return std::nullopt;
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

}  // namespace

std::initializer_list<Guesser> guessers() {
  static constexpr std::initializer_list<Guesser> kAll{
      node,         propose_python, cargo,       go,    propose_cmake, propose_meson, propose_autotools,
      maven,        gradle,         dotnet,      swift, propose_ruby,  propose_php,   elixir,
      propose_perl, propose_rows,   propose_make};
  return kAll;
}

std::vector<std::string> proposed_programs() {
  std::vector<std::string> all{
      "npm",   "npx",    "pnpm",     "yarn",          "bun",        "python", "python3", "uv",     "poetry",
      "cargo", "go",     "cmake",    "cargo-clippy",  "autoreconf", "ctest",  "ninja",   "ccache", "meson",
      "mvn",   "gradle", "dotnet",   "golangci-lint", "swift",      "bundle", "rspec",   "rake",   "rubocop",
      "php",   "mix",    "composer", "phpunit",       "make",       "perl",   "prove"};
  for (auto& program : row_programs()) all.push_back(std::move(program));
  return all;
}

}  // namespace hydra::config
