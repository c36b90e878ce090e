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
     {"", ".venv/bin/python -m pytest -v", ".venv/bin/python -m ruff check .",
      "uv sync --frozen && uv pip install pytest && uv pip install ruff"}},
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
      "./gradlew --offline --no-daemon test --continue",
      "",
      "./gradlew --no-daemon testClasses",
      "",
      {"**/build"},
      {"gradle"}}},
    {"bundler",
     {"",
      R"(bundle exec rspec --format documentation --format json --out "${HYDRA_REPORTS:-/tmp}/rspec.json")",
      "", "bundle check || (bundle config set --local path vendor/bundle && bundle install)"}},
    {"composer",
     {"", R"(composer run test -- --log-junit="${HYDRA_REPORTS:-/tmp}/junit.xml")", "", "composer install"}},
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

std::optional<std::string> plain_environment(const std::string& name) {
  return name == "PATH" ? "/usr/bin:/bin" : "/nonexistent";
}

config::ProjectFiles read(const fs::path& directory, const std::string& below = {}) {
  return cli::read_project(cli::list_files(directory, plain_environment), below);
}

TEST(Projects, EachKindHasItsProposal) {
  const fs::path root = fs::path(places::golden()) / "projects";
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(root)) {
    const auto name = entry.path().filename().string();
    SCOPED_TRACE(name);
    ASSERT_TRUE(kProjects.contains(name));
    const auto& expected = kProjects.at(name);
    const auto text = config::propose(read(entry.path()));
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

// Checks run on the commit: a file that is not in it decides nothing, except installed dependencies to share.
TEST(Projects, TheFilesOfTheCommitDecide) {
  const ScratchDirectory scratch("/tmp/hydra-init-XXXXXX");
  const auto& root = scratch.path();
  ASSERT_TRUE(make_dirs(root / "node_modules").ok());
  for (const auto& [name, text] : {std::pair{"package.json", "{}"},
                                   {"package-lock.json", "{}"},
                                   {"configure.ac", ""},
                                   {"configure", ""},
                                   {"Cargo.toml", ""}})
    ASSERT_TRUE(write_file(root / name, text, 0755).ok());
  const auto proposed = [&] {
    return config::load({{"hydra.toml", config::propose(read(root))}}, {}).config.workspace;
  };
  EXPECT_EQ(proposed().setup, "npm ls --all >/dev/null 2>&1 || npm ci && cargo fetch && ./configure")
      << "nothing is committed: all files count";
  const auto git = "git -C " + root.string();
  ASSERT_EQ(std::system((git + " init -q && " + git + " add package.json configure.ac && " + git +
                         " -c user.name=a -c user.email=a@example.com commit -q -m x")
                            .c_str()),
            0);
  EXPECT_EQ(proposed().setup, "npm install && autoreconf -fi && ./configure");
  EXPECT_EQ(proposed().share, List{"node_modules"});
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
  const auto all = cli::list_files(root, plain_environment);
  EXPECT_FALSE(config::recognises(cli::read_project(all)));
  List found;
  for (const auto& project : cli::projects_below(all))
    found.push_back(project.directory + ": " + project.kind);
  EXPECT_EQ(found, (List{"services/api: go.mod", "web: package.json"}));
}

TEST(Projects, AFewBelowTheRootAreCheckedTogether) {
  const ScratchDirectory scratch("/tmp/hydra-init-XXXXXX");
  const auto& root = scratch.path();
  for (const auto& [file, text] :
       {std::pair{"backend/go.mod", "module x\n"},
        {"web/app/package.json", R"({"scripts": {"test": "jest", "build": "vite build"}})"},
        {"web/app/package-lock.json", "{}"}}) {
    ASSERT_TRUE(make_dirs((root / file).parent_path()).ok());
    ASSERT_TRUE(write_file(root / file, text).ok());
  }
  ASSERT_TRUE(make_dirs(root / "web/app/node_modules").ok());
  std::vector<config::ProjectFiles> parts;
  for (const auto* below : {"backend", "web/app"}) parts.push_back(read(root, below));
  const auto text = config::propose(read(root), parts);
  const auto config = config::load({{"hydra.toml", text}}, {}).config;
  EXPECT_EQ(config.scoring.test_command,
            "cd backend && go test -v ./... && cd .. && cd web/app && npm test -- --verbose");
  EXPECT_EQ(config.scoring.build_command,
            "cd backend && go build ./... && cd .. && cd web/app && npm run build");
  EXPECT_EQ(config.workspace.share, List{"web/app/node_modules"});
  EXPECT_NE(text.find("Guessed from backend/go.mod, web/app/package.json"), std::string::npos);
}

}  // namespace
