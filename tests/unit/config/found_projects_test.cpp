// Kinds of real projects whose first proposal was wrong: what they have, cut to what decides, and what
// somebody who knows them would write. Empty: not asked.
#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

struct FoundProject {
  const char* name;
  std::vector<std::string> names;
  std::map<std::string, std::string> texts;
  const char *test, *lint = "", *setup = "";
};

constexpr const char* kUnitOfGot = "NODE_OPTIONS='--import=tsx/esm' npx ava";

const std::vector<FoundProject> kFound{
    {"got: lint and types before ava",
     {"package.json"},
     {{"package.json",
       R"({"scripts": {"test": "xo && tsc --noEmit && NODE_OPTIONS='--import=tsx/esm' ava"}})"}},
     kUnitOfGot,
     "npx xo"},
    {"fastify: a script for the unit tests",
     {"package.json"},
     {{"package.json",
       R"({"scripts": {"test": "npm run lint && npm run unit && npm run test:types", "lint": "npm run lint:eslint",
           "lint:eslint": "eslint", "unit": "borp", "test:types": "tstyche"}})"}},
     "npm run unit",
     "npm run lint"},
    {"hono: types before vitest",
     {"package.json", "bun.lock"},
     {{"package.json",
       R"({"scripts": {"test": "tsc -p tsconfig.spec.json && vitest --run", "lint": "eslint src"}})"}},
     "bunx vitest --run --reporter=verbose",
     "bun run lint",
     "bun install --frozen-lockfile"},
    {"a linter that repairs is no check",
     {"package.json", "package-lock.json"},
     {{"package.json",
       R"({"scripts": {"test": "mocha --reporter spec", "lint": "eslint . --fix", "lint:check": "eslint ."}})"}},
     "npm test",
     "npm run lint:check",
     "npm ci"},
    {"nx",
     {"package.json", "pnpm-lock.yaml", "nx.json"},
     {{"package.json", R"({"scripts": {"test": "nx run-many -t test", "lint": "nx run-many -t lint"}})"}},
     "pnpm run test",
     "pnpm run lint",
     "pnpm install --frozen-lockfile"},
    {"pest: a list of scripts",
     {"composer.json", "phpunit.xml", "tests"},
     {{"composer.json",
       R"({"require": {"php": "^8.2", "a/b": "1"}, "scripts": {"lint": "pint", "test:lint": "pint --test",
           "test:types": "phpstan analyse --ansi", "test:unit": "php bin/pest --exclude-group=integration",
           "test": ["@test:lint", "@test:types", "@test:unit"]}})"}},
     R"(composer run test:unit -- --log-junit="${HYDRA_REPORTS:-/tmp}/junit.xml")",
     "composer run test:lint && composer run test:types",
     "composer install"},
    {"std: a task with the flags of the project",
     {"deno.json"},
     {{"deno.json", R"({"tasks": {"test": "deno test -A --parallel --ignore=_tools/"}})"}},
     R"(deno task test --junit-path="${HYDRA_REPORTS:-/tmp}/deno.xml")",
     "deno lint",
     "deno install"},
    {"pydantic: a separate group for the linter",
     {"pyproject.toml", "uv.lock", "tests"},
     {{"pyproject.toml",
       "[dependency-groups]\ndev = [\n  'pytest',\n]\nlinting = ['ruff', 'pyright']\n[tool.ruff]\n"}},
     ".venv/bin/python -m pytest -v",
     ".venv/bin/python -m ruff check .",
     "uv sync --frozen --group linting"},
    {"poetry itself: the linter runs in pre-commit alone",
     {"pyproject.toml", "poetry.lock", "tests"},
     {{"pyproject.toml", "[tool.poetry.group.test.dependencies]\npytest = \">=9.0\"\n[tool.ruff]\n"}},
     ".venv/bin/python -m pytest -v",
     ".venv/bin/python -m ruff check .",
     "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install && .venv/bin/pip install ruff"},
    {"pdm itself",
     {"pyproject.toml", "pdm.lock", "tests"},
     {{"pyproject.toml", "[dependency-groups]\ntest = ['pytest', 'pytest-mock']\n"}},
     ".venv/bin/python -m pytest -v",
     "",
     "pdm sync -G test"},
    {"an extra of another name, and requirements of tests",
     {"pyproject.toml", "requirements", "requirements/test.txt", "tests"},
     {{"pyproject.toml", "[project]\nname = 'x'\n"}, {"requirements/test.txt", "pytest\n"}},
     ".venv/bin/python -m pytest -v",
     "",
     "python -m venv .venv && .venv/bin/pip install -e . -r requirements/test.txt"},
    {"an extra \"dev\"",
     {"pyproject.toml", "tests"},
     {{"pyproject.toml", "[project]\nname = 'x'\n[project.optional-dependencies]\ndev = [\"pytest\"]\n"}},
     ".venv/bin/python -m pytest -v",
     "",
     "python -m venv .venv && .venv/bin/pip install -e '.[dev]'"},
    {"opentelemetry-go: requirements of a tool",
     {"go.mod", "requirements.txt"},
     {{"requirements.txt", "codespell==2.4.1\n"}},
     "go test -v ./...",
     "go vet ./...",
     "go mod download"},
    {"a workspace of Go modules",
     {"go.work", "api/go.mod"},
     {},
     "go test -v $(go list -m -f '{{.Dir}}/...')",
     "go vet $(go list -m -f '{{.Dir}}/...')",
     "go mod download"},
    {"spdlog: tests are off by default",
     {"CMakeLists.txt"},
     {{"CMakeLists.txt",
       "option(SPDLOG_BUILD_SHARED \"shared\" OFF)\noption(SPDLOG_BUILD_TESTS \"Build tests\" OFF)\n"}},
     "ctest --test-dir build --output-on-failure",
     "",
     "cmake -S . -B build -G Ninja -DSPDLOG_BUILD_TESTS=ON"},
    {"harfbuzz: the tests are Meson's",
     {"CMakeLists.txt", "meson.build"},
     {{"CMakeLists.txt", "project(harfbuzz)\n"}, {"meson.build", "project('harfbuzz', 'cpp')\n"}},
     "meson test -C builddir",
     "",
     "meson setup builddir"},
    {"swift-argument-parser: CMake builds it, too",
     {"CMakeLists.txt", "Package.swift", "Tests"},
     {},
     R"(swift test --parallel --xunit-output "${HYDRA_REPORTS:-/tmp}/swift.xml")",
     "",
     "swift package resolve"},
    {"nlohmann-json: a package of Swift without tests",
     {"CMakeLists.txt", "Package.swift", "tests"},
     {},
     "ctest --test-dir build --output-on-failure"},
    {"tree-sitter: three ways to build it",
     {"Cargo.toml", "CMakeLists.txt", "build.zig", "MODULE.bazel"},
     {},
     "cargo test --workspace",
     "cargo clippy --workspace --all-targets",
     "cargo fetch"},
    {"axios: a script before the runner",
     {"package.json"},
     {{"package.json",
       R"({"scripts": {"test": "npm run test:eslint && npm run test:mocha && npm run test:karma",
           "test:eslint": "node bin/fix.js eslint lib", "test:mocha": "node bin/fix.js mocha test/unit",
           "test:karma": "node bin/fix.js karma start"}})"}},
     "npm run test:mocha",
     "npm run test:eslint"},
    {"commander: node's own runner",
     {"package.json"},
     {{"package.json", R"({"scripts": {"test": "node --test && npm run types", "types": "tsd"}})"}},
     "node --test"},
    {"monolog: php before the runner",
     {"composer.json", "tests"},
     {{"composer.json", R"({"require": {"psr/log": "1"}, "scripts": {"test": ["@php vendor/bin/phpunit"],
           "phpstan": "@php vendor/bin/phpstan"}})"}},
     R"(composer run test -- --log-junit="${HYDRA_REPORTS:-/tmp}/junit.xml")",
     "composer run phpstan"},
    {"a list of commands of composer",
     {"composer.json", "tests"},
     {{"composer.json",
       R"({"require": {"a/b": "1"}, "scripts": {"test": ["@php vendor/bin/phpcs", "phpunit"]}})"}},
     R"(vendor/bin/phpunit --log-junit="${HYDRA_REPORTS:-/tmp}/junit.xml")",
     "php vendor/bin/phpcs"},
    {"redis: a script for the tests",
     {"Makefile", "runtest", "src"},
     {{"Makefile", "default: all\n\n.DEFAULT:\n\tcd src && $(MAKE) $@\n"}},
     "./runtest"},
    {"a target lint that repairs",
     {"Makefile"},
     {{"Makefile", "test:\n\t./t\nlint:\n\tbundle exec standardrb --fix-unsafely\n"}},
     "make test"},
    {"a Rails application with standard",
     {"Gemfile", ".standard.yml", "config/application.rb", "test"},
     {},
     "bundle exec rails test -v",
     "bundle exec standardrb",
     "bundle check || (bundle config set --local path vendor/bundle && bundle install)"},
    {"Polly",
     {"Polly.slnx", "src"},
     {},
     R"(dotnet test --no-build --logger trx --results-directory "${HYDRA_REPORTS:-/tmp}")",
     "",
     "dotnet restore"},
    {"zls: fetched dependencies",
     {"build.zig", "build.zig.zon"},
     {},
     "zig build test --summary all",
     "zig fmt --check .",
     "zig build --fetch"},
    {"a package of Flutter",
     {"pubspec.yaml", "lib", "test"},
     {{"pubspec.yaml", "dependencies:\n  flutter:\n    sdk: flutter\n"}},
     "flutter test --reporter expanded",
     "flutter analyze --no-pub",
     "flutter pub get"},
    {"dio: the root of a workspace has no tests", {"pubspec.yaml", "melos.yaml"}, {}, ""},
    {"cohttp", {"dune-project", ".ocamlformat"}, {}, "dune runtest", "dune build @fmt"},
};

TEST(FoundProjects, EachGetsWhatAnExpertWouldWrite) {
  for (const auto& project : kFound) {
    SCOPED_TRACE(project.name);
    const auto text = config::propose({project.names, project.texts});
    const auto loaded = config::load({{"hydra.toml", text}}, {});
    for (const auto& error : loaded.errors) ADD_FAILURE() << describe(error) << "\n" << text;
    EXPECT_EQ(loaded.config.scoring.test_command.value_or(""), project.test);
    EXPECT_EQ(loaded.config.scoring.lint_command.value_or(""), project.lint);
    if (*project.setup != 0) {
      EXPECT_EQ(loaded.config.workspace.setup.value_or(""), project.setup);
    }
  }
}

// A report holds the names of tests whose runner prints none.
TEST(FoundProjects, AReportIsNamedIfEveryTestCommandWritesOne) {
  const auto reports = [](std::vector<std::string> names) {
    return config::load({{"hydra.toml", config::propose({std::move(names), {}})}}, {})
        .config.scoring.test_reports;
  };
  EXPECT_EQ(reports({"Package.swift"}), std::vector<std::string>{"{reports}/*"});
  EXPECT_TRUE(reports({"Package.swift", "go.mod"}).empty()) << "the tests of go are in the output";
}

TEST(FoundProjects, ServicesAndVariablesAreNamed) {
  const auto text = config::propose({{"package.json", "nx.json", "docker-compose.yml"},
                                     {{"docker-compose.yml", "services:\n  db:\n    image: postgres:16\n"},
                                      {"package.json", R"({"scripts": {"test": "nx run-many -t test"}})"}}});
  EXPECT_NE(text.find("the services of docker-compose.yml"), std::string::npos) << text;
  EXPECT_EQ(config::load({{"hydra.toml", text}}, {}).config.workspace.env,
            std::vector<std::string>{"NX_DAEMON=false"});
  EXPECT_EQ(config::recognised_by({{"docker-compose.yml"}, {{"docker-compose.yml", "image: postgres"}}}), "");
}

}  // namespace
