// The files of small projects as they lie on disk, one directory a kind: what `hydra init` proposes for them.
#include "base/files.hpp"
#include "base/scratch_directory.hpp"
#include "cli/project_files.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <unistd.h>

namespace {

using namespace hydra;
using List = std::vector<std::string>;

struct Expected {
  const char *build = "", *test = "", *lint = "", *setup = "", *warm = "";
  List outputs{}, caches{};
};

// Toolchains reference, section 9; all programs and caches are there.
const std::map<std::string, Expected> kProjects{
    {"npm", {"", "npm test", "npm run lint", "npm ci"}},
    {"pnpm-workspace", {"", "pnpm -r test", "", "pnpm install --frozen-lockfile"}},
    {"typescript", {"npx tsc -p .", "", "", "npm ci", "", {"dist", "**/*.tsbuildinfo"}}},
    {"python-uv",
     {"", ".venv/bin/python -m pytest -v", ".venv/bin/python -m ruff check .", "uv sync --frozen"}},
    {"python-requirements",
     {"", ".venv/bin/python -m pytest -v", "",
      "python -m venv .venv && .venv/bin/pip install -r requirements.txt"}},
    {"cargo",
     {"cargo build --workspace --all-targets",
      "cargo test --workspace",
      "cargo clippy --workspace --all-targets",
      "cargo fetch",
      "cargo test --workspace --no-run",
      {"target"},
      {"cargo"}}},
    {"go",
     {"go build ./...",
      "go test -v ./...",
      "go vet ./...",
      "go mod download",
      "go test -run '^$' ./...",
      {},
      {"go-build", "go-mod"}}},
    {"cmake",
     {"cmake --build build",
      "ctest --test-dir build --output-on-failure",
      "",
      "cmake -S . -B build -G Ninja",
      "",
      {"build"},
      {"ccache"}}},
    {"maven",
     {"mvn -B -o -q compile",
      "mvn -B -o test",
      "",
      "mvn -B dependency:go-offline",
      "",
      {"**/target"},
      {"m2"}}},
    {"gradle",
     {"./gradlew --offline --no-daemon assemble",
      "./gradlew --offline --no-daemon test",
      "",
      "./gradlew --no-daemon testClasses",
      "",
      {"**/build"},
      {"gradle"}}},
    {"bundler", {"", "bundle exec rspec", "", "bundle install"}},
    {"composer", {"", "composer test", "", "composer install"}},
    {"make", {"make all", "make check"}},
    {"mixed",
     {"npm run build && go build ./...",
      "go test -v ./...",
      "go vet ./...",
      "npm install && go mod download",
      "go test -run '^$' ./...",
      {},
      {"go-build", "go-mod"}}},
};

TEST(Projects, EachKindHasItsProposal) {
  const fs::path root = fs::path(places::golden()) / "projects";
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(root)) {
    const auto name = entry.path().filename().string();
    SCOPED_TRACE(name);
    ASSERT_TRUE(kProjects.contains(name));
    const auto& expected = kProjects.at(name);
    const auto text = config::propose(cli::read_project(entry.path()));
    const auto loaded = config::load({{"hydra.toml", text}}, {});
    for (const auto& error : loaded.errors) ADD_FAILURE() << describe(error) << "\n" << text;
    const auto& [scoring, workspace] = std::tie(loaded.config.scoring, loaded.config.workspace);
    EXPECT_EQ(scoring.build_command.value_or(""), expected.build);
    EXPECT_EQ(scoring.test_command.value_or(""), expected.test);
    EXPECT_EQ(scoring.lint_command.value_or(""), expected.lint);
    EXPECT_EQ(workspace.setup.value_or(""), expected.setup);
    EXPECT_EQ(workspace.warm.value_or(""), expected.warm);
    EXPECT_EQ(workspace.outputs, expected.outputs);
    EXPECT_EQ(workspace.caches, expected.caches);
    EXPECT_TRUE(workspace.share.empty());  // nothing is installed in these trees
    ++seen;
  }
  EXPECT_EQ(seen, kProjects.size());
}

TEST(Projects, ProgramsAndCachesAreLookedUpOnTheMachine) {
  const ScratchDirectory scratch("/tmp/hydra-init-XXXXXX");
  const auto& root = scratch.path();
  ASSERT_TRUE(make_dirs(root / "bin").ok());
  ASSERT_TRUE(make_dirs(root / "home/.cargo").ok());
  ASSERT_TRUE(write_file(root / "bin/cargo", "#!/bin/sh\n", 0755).ok());
  ASSERT_TRUE(write_file(root / "bin/npm", "not executable\n", 0644).ok());
  config::ProjectFiles files;
  cli::add_machine(
      [&](const std::string& name) -> std::optional<std::string> {
        if (name == "PATH") return (root / "bin").string() + ":relative";
        if (name == "HOME") return (root / "home").string();
        return std::nullopt;
      },
      files);
  EXPECT_EQ(files.programs, (List{"cargo"}));
  EXPECT_EQ(files.caches, (List{"cargo"}));
}

// A file that git ignores is in no checkout: `npm ci` would fail there.
TEST(Projects, IgnoredLockFilesAreLeftOut) {
  const ScratchDirectory scratch("/tmp/hydra-init-XXXXXX");
  const auto& root = scratch.path();
  for (const auto& [name, text] : {std::pair{"package.json", "{}"},
                                   {"package-lock.json", "{}"},
                                   {"Cargo.lock", ""},
                                   {"Cargo.toml", ""},
                                   {".gitignore", "*lock.json\nCargo.*\n"}})
    ASSERT_TRUE(write_file(root / name, text).ok());
  const auto setup = [&] {
    auto files = cli::read_project(root);
    cli::leave_out_ignored_locks(
        root,
        [&](const std::string& name) -> std::optional<std::string> {
          return name == "PATH" ? "/usr/bin:/bin" : root.string();
        },
        files);
    return config::load({{"hydra.toml", config::propose(files)}}, {}).config.workspace.setup.value_or("");
  };
  EXPECT_EQ(setup(), "npm ci && cargo fetch --locked") << "no repository: nothing is ignored";
  const auto git = "git -C " + root.string();
  ASSERT_EQ(std::system((git + " init -q && " + git + " add -f Cargo.lock").c_str()), 0);
  EXPECT_EQ(setup(), "npm install && cargo fetch --locked") << "Cargo.lock is tracked";
}

TEST(Projects, BelowADirectoryThatHoldsNone) {
  const ScratchDirectory scratch("/tmp/hydra-init-XXXXXX");
  const auto& root = scratch.path();
  for (const char* file :
       {"services/api/go.mod", "web/package.json", "web/inner/package.json", ".hidden/go.mod",
        "web2/node_modules/x/package.json", "docs/fixtures/a/go.mod", "README.md"}) {
    ASSERT_TRUE(make_dirs((root / file).parent_path()).ok());
    ASSERT_TRUE(write_file(root / file, "{}").ok());
  }
  EXPECT_FALSE(config::recognises(cli::read_project(root)));
  List found;
  for (const auto& project : cli::projects_below(root))
    found.push_back(project.directory + ": " + project.kind);
  EXPECT_EQ(found, (List{"services/api: go.mod", "web: package.json"}));
}

}  // namespace
