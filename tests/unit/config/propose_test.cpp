#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

model::Config proposed(const config::ProjectFiles& files) {
  const auto text = config::propose(files);
  const auto loaded = config::load({{"hydra.toml", text}}, {});
  for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e) << "\n" << text;
  return loaded.config;
}

config::ProjectFiles names(std::vector<std::string> list) { return {std::move(list), {}}; }

TEST(Propose, Node) {
  config::ProjectFiles files{
      {"package.json", "package-lock.json", "node_modules"},
      {{"package.json", R"({"name":"x","scripts":{"build":"tsc","test":"jest","lint":"eslint ."}})"}}};
  auto c = proposed(files);
  EXPECT_EQ(c.scoring.build_command, "npm run build");
  EXPECT_EQ(c.scoring.test_command, "npm test -- --verbose");
  EXPECT_EQ(c.scoring.lint_command, "npm run lint");
  EXPECT_EQ(c.workspace.setup, "npm ls --all >/dev/null 2>&1 || npm ci") << "what is copied may fit";
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{"node_modules"}));
  EXPECT_EQ(c.scoring.weights.build, 30);
  files.names = {"package.json", "pnpm-lock.yaml"};
  EXPECT_TRUE(proposed(files).workspace.share.empty());  // nothing there to share
  c = proposed(files);
  EXPECT_EQ(c.scoring.test_command, "pnpm run test --verbose");
  EXPECT_EQ(c.workspace.setup, "pnpm install --frozen-lockfile");
  files.names = {"package.json", "yarn.lock"};
  EXPECT_EQ(proposed(files).scoring.build_command, "yarn run build");
  files.names = {"package.json", "bun.lockb"};
  EXPECT_EQ(proposed(files).scoring.test_command, "bun run test --verbose");
}

TEST(Propose, ScriptsWithoutTheModeOfAProgram) {
  auto files = names({"run_tests.sh"});
  EXPECT_EQ(proposed(files).scoring.test_command, "./run_tests.sh");
  files.no_programs = {"run_tests.sh"};
  EXPECT_EQ(proposed(files).scoring.test_command, "bash run_tests.sh");
  files = names({"build.gradle", "gradlew"});
  files.no_programs = {"gradlew"};
  EXPECT_TRUE(proposed(files).scoring.test_command.value_or("").starts_with("bash gradlew "));
}

TEST(Propose, NodeProgramsThatListen) {
  const auto run_of = [](const std::string& scripts, const char* lock = "package-lock.json") {
    return proposed({{"package.json", lock, "node_modules"},
                     {{"package.json", "{\"scripts\":{" + scripts + "}}"}}})
        .workspace.run;
  };
  EXPECT_EQ(run_of(R"("start":"node server.js","dev":"next dev")"), "npm run dev");
  EXPECT_EQ(run_of(R"("start":"node server.js","build":"tsc")"), "npm run start");
  EXPECT_EQ(run_of(R"("dev":"vite")"), "npm run dev -- --port $PORT") << "which reads no variable";
  EXPECT_EQ(run_of(R"("dev":"vite --host")", "pnpm-lock.yaml"), "pnpm run dev --port $PORT");
  EXPECT_FALSE(run_of(R"("build":"tsc")"));
}

TEST(Propose, NodeWithoutWhatIsNeeded) {
  const auto c = proposed(
      {{"package.json", "node_modules"},
       {{"package.json",
         R"({"workspaces":["a"],"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}})"}}});
  EXPECT_EQ(c.scoring.test_command, "npm test --workspaces --if-present");  // never the placeholder itself
  EXPECT_FALSE(c.scoring.build_command);
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{"**/node_modules"}));
  EXPECT_FALSE(
      proposed({{"package.json"},
                {{"package.json", R"({"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}})"}}})
          .scoring.test_command);
  proposed({{"package.json"}, {{"package.json", "{\"scripts\": {\"test\": "}}});
  proposed({{"package.json"}, {{"package.json", std::string(100'000, '[')}}});
}

TEST(Propose, OtherEcosystems) {
  EXPECT_EQ(proposed(names({"Cargo.toml"})).scoring.test_command, "cargo test --workspace");
  EXPECT_EQ(proposed(names({"go.mod"})).scoring.build_command, "go build ./...");
  EXPECT_EQ(proposed(names({"CMakeLists.txt"})).workspace.setup, "cmake -S . -B build -G Ninja");
  EXPECT_EQ(proposed(names({"pom.xml"})).scoring.test_command, "mvn -B -o test");
  EXPECT_EQ(
      proposed(names({"Gemfile", "spec"})).scoring.test_command,
      R"(bundle exec rspec --format documentation --format json --out "${HYDRA_REPORTS:-/tmp}/rspec.json")");
  EXPECT_EQ(proposed(names({"composer.json", "vendor"})).workspace.share,
            (std::vector<std::string>{"vendor"}));
  EXPECT_EQ(proposed(names({"mix.exs"})).scoring.test_command, "mix test --trace");
}

TEST(Propose, Python) {
  const auto c = proposed({{"pyproject.toml", ".venv", "tests"},
                           {{"pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\n"}}});
  EXPECT_EQ(c.scoring.test_command, ".venv/bin/python -m pytest -v");
  EXPECT_EQ(c.scoring.lint_command, ".venv/bin/python -m ruff check .");
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{".venv"}));
  EXPECT_FALSE(c.workspace.setup);
  EXPECT_FALSE(c.scoring.build_command);
  const auto flake8 = proposed({{"setup.cfg"}, {{"setup.cfg", "[flake8]\n"}}});
  EXPECT_EQ(flake8.scoring.lint_command, ".venv/bin/python -m flake8");
  EXPECT_EQ(flake8.workspace.setup, "python -m venv .venv && .venv/bin/pip install flake8");
  EXPECT_EQ(proposed(names({"requirements.txt", "main.py"})).workspace.setup,
            "python -m venv .venv && .venv/bin/pip install -r requirements.txt");
}

TEST(Propose, PythonIsCalledAsItIsInstalled) {
  const auto with = [](std::vector<std::string> names, std::vector<std::string> programs) {
    return proposed({std::move(names), {}, std::move(programs)});
  };
  EXPECT_EQ(with({"requirements.txt", "main.py"}, {"python3"}).workspace.setup,
            "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt");
  EXPECT_EQ(with({"setup.cfg"}, {"python3"}).scoring.test_command, "python3 -m unittest discover -v");
  EXPECT_EQ(with({"setup.cfg"}, {"python", "python3"}).scoring.test_command,
            "python -m unittest discover -v");
  EXPECT_FALSE(with({"setup.cfg"}, {}).scoring.test_command);
}

TEST(Propose, DjangoRunsItsTestsItself) {
  const std::string manage = "import os\nfrom django.core.management import execute_from_command_line\n";
  const auto test = [&](std::vector<std::string> names, const std::string& requirements) {
    names.insert(names.end(), {"manage.py", "requirements.txt", ".venv"});
    return proposed({std::move(names), {{"manage.py", manage}, {"requirements.txt", requirements}}})
        .scoring.test_command.value_or("");
  };
  EXPECT_EQ(test({"app/tests.py"}, "django\n"), ".venv/bin/python manage.py test -v 2");
  EXPECT_EQ(test({"tests"}, "django\n"), ".venv/bin/python manage.py test -v 2");
  EXPECT_EQ(test({"tests"}, "django\npytest-django\n"), ".venv/bin/python -m pytest -v");
  EXPECT_EQ(proposed({{"manage.py"}, {{"manage.py", manage}}}).scoring.test_command,
            "python manage.py test -v 2");
}

// A virtual environment has no pytest unless somebody installs it.
TEST(Propose, WhatPythonsChecksRunIsInstalled) {
  const auto setup = [](std::vector<std::string> names, std::map<std::string, std::string> texts) {
    return proposed({std::move(names), std::move(texts)}).workspace.setup.value_or("");
  };
  const std::string venv = "python -m venv .venv && .venv/bin/pip install ";
  EXPECT_EQ(setup({"requirements.txt", "tests"}, {{"requirements.txt", "requests\n"}}),
            venv + "-r requirements.txt pytest");
  EXPECT_EQ(setup({"requirements.txt", "requirements-dev.txt", "tests"},
                  {{"requirements.txt", "requests\n"}, {"requirements-dev.txt", "pytest==8.0\nruff\n"}}),
            venv + "-r requirements.txt -r requirements-dev.txt");
  EXPECT_EQ(setup({"pyproject.toml"}, {{"pyproject.toml",
                                        "[project]\n[project.optional-dependencies]\ntest = [\"pytest\"]\n"
                                        "[tool.ruff]\n"}}),
            venv + "-e '.[test]' ruff");
  EXPECT_EQ(setup({"pyproject.toml", "tests"}, {{"pyproject.toml", "[project]\nname = \"x\"\n"}}),
            venv + "-e . pytest");
  EXPECT_EQ(setup({"pytest.ini"}, {}), venv + "pytest");
  EXPECT_EQ(setup({"uv.lock", "pyproject.toml", "tests"},
                  {{"pyproject.toml", "[dependency-groups]\ndev = [\n  'pytest>=8',\n]\n"}}),
            "uv sync --frozen");
  EXPECT_EQ(setup({"uv.lock", "pyproject.toml", "tests"}, {}), "uv sync --frozen && uv pip install pytest");
}

// Its checks run in .venv: something has to make that.
TEST(Propose, WithoutTheProgramOfALockFilePipInstalls) {
  config::ProjectFiles files{
      {"pyproject.toml", "uv.lock", "tests"},
      {{"pyproject.toml",
        "[project]\nname = \"x\"\n[dependency-groups]\ndocs = [\"sphinx\"]\n"
        "tests = [\n  \"pytest>=7\",  # the runner's own\n\n  {include-group = \"docs\"},\n  "
        "\"freezegun\",\n]\n[tool.ruff]\n"}},
      std::vector<std::string>{"python3"}};
  EXPECT_EQ(proposed(files).workspace.setup,
            "python3 -m venv .venv && .venv/bin/pip install -e . 'pytest>=7' freezegun ruff");
  EXPECT_EQ(proposed(files).scoring.test_command, ".venv/bin/python -m pytest -v");
  EXPECT_NE(config::propose(files).find("uv is not in PATH"), std::string::npos);
  files.names = {"pyproject.toml", "poetry.lock", "tests"};
  files.texts = {{"pyproject.toml", "[tool.poetry]\n[build-system]\n"}};
  EXPECT_EQ(proposed(files).workspace.setup, "python3 -m venv .venv && .venv/bin/pip install -e . pytest");
}

// A group is no extra: pip only warns of one that is not there, and the tests lack their packages.
TEST(Propose, AGroupForTestsIsNoExtra) {
  const auto c = proposed({{"pyproject.toml", "tests"},
                           {{"pyproject.toml",
                             "[project]\nname = \"x\"\n[dependency-groups]\n"
                             "test = [\"x[socks]\", \"pytest\"]\n"}}});
  EXPECT_EQ(c.workspace.setup, "python -m venv .venv && .venv/bin/pip install -e . 'x[socks]' pytest");
}

TEST(Propose, WhatItsSetUpWouldMakeIsNotCalledWithoutIt) {
  config::ProjectFiles files{{"configure.ac"}, {}, std::vector<std::string>{"make"}};
  auto c = proposed(files);
  EXPECT_FALSE(c.scoring.build_command);
  EXPECT_FALSE(c.scoring.test_command);
  EXPECT_NE(config::propose(files).find("because its set-up can't run here: make (configure.ac)"),
            std::string::npos);
  files.names.push_back("configure");  // generated and committed
  EXPECT_EQ(proposed(files).scoring.build_command, "make");
  // Installed packages that are copied need no set-up.
  files = {{"composer.json", "vendor", "tests"}, {}, std::vector<std::string>{"php"}};
  EXPECT_EQ(proposed(files).scoring.test_command,
            R"(vendor/bin/phpunit --log-junit="${HYDRA_REPORTS:-/tmp}/junit.xml")");
}

TEST(Propose, MakeByItsTargets) {
  const auto c = proposed(
      {{"Makefile"}, {{"Makefile", "CC := gcc\nall: x\ntest:=no\ncheck: all\n\t./t\nlint:\n\t./l\n"}}});
  EXPECT_EQ(c.scoring.build_command, "make all");
  EXPECT_EQ(c.scoring.test_command, "make check");
  EXPECT_EQ(c.scoring.lint_command, "make lint");
}

TEST(Propose, SeveralToolsAreCombinedAndMakeFillsTheGaps) {
  const auto c =
      proposed({{"Cargo.toml", "Cargo.lock", "package.json", "package-lock.json", "node_modules", "Makefile"},
                {{"package.json", R"({"scripts":{"test":"x"}})"}, {"Makefile", "test:\n\tx\nlint:\n\tx\n"}},
                std::vector<std::string>{"npm", "cargo", "make"},
                std::vector<std::string>{"cargo"}});
  EXPECT_EQ(c.scoring.test_command, "npm test && cargo test --workspace");
  EXPECT_EQ(c.scoring.build_command, "cargo build --workspace --all-targets");
  EXPECT_EQ(c.scoring.lint_command, "make lint");  // cargo-clippy is not there
  EXPECT_EQ(c.workspace.setup, "npm ls --all >/dev/null 2>&1 || npm ci && cargo fetch --locked");
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{"node_modules"}));
  EXPECT_EQ(c.workspace.outputs, (std::vector<std::string>{"target"}));
  EXPECT_EQ(c.workspace.warm, "cargo test --workspace --no-run");
  EXPECT_EQ(c.workspace.caches, (std::vector<std::string>{"cargo"}));
}

TEST(Propose, WithoutALockFileTheProjectSaysWhatInstallsIt) {
  const auto setup = [](std::vector<std::string> names, const std::string& manifest) {
    names.push_back("package.json");
    return proposed({std::move(names), {{"package.json", manifest}}}).workspace.setup;
  };
  EXPECT_EQ(setup({}, "{}"), "npm install");
  EXPECT_EQ(setup({"pnpm-workspace.yaml"}, "{}"), "pnpm install");
  EXPECT_EQ(setup({}, R"({"packageManager": "pnpm@9.1.0"})"), "pnpm install");
  EXPECT_EQ(setup({}, R"({"packageManager": "yarn@4.0.0"})"), "yarn install");
  EXPECT_EQ(setup({}, R"({"packageManager": "bun@1.1.0"})"), "bun install");
  EXPECT_EQ(setup({"package-lock.json"}, R"({"packageManager": "pnpm@9.1.0"})"), "npm ci");
}

TEST(Propose, WhatIsNotInstalledIsANoteAndNotACommand) {
  config::ProjectFiles files{{"pom.xml"}, {}, std::vector<std::string>{"make"}, std::vector<std::string>{}};
  const auto c = proposed(files);
  EXPECT_FALSE(c.scoring.build_command);
  EXPECT_FALSE(c.workspace.setup);
  EXPECT_TRUE(c.workspace.caches.empty());
  EXPECT_NE(config::propose(files).find("mvn -B -o test (pom.xml)"), std::string::npos);
  files.names.push_back("mvnw");  // a wrapper of the repository's own needs nothing in PATH
  EXPECT_EQ(proposed(files).scoring.test_command, "./mvnw -B -o test");
}

TEST(Propose, OutputsByTheCompilersConfiguration) {
  const auto outputs = [](const std::string& tsconfig) {
    return proposed(
               {{"package.json", "tsconfig.json"}, {{"package.json", "{}"}, {"tsconfig.json", tsconfig}}})
        .workspace.outputs;
  };
  EXPECT_EQ(outputs("{\"compilerOptions\": {\n \"outDir\": \"./lib/\", // here\n}}"),
            (std::vector<std::string>{"lib", "**/*.tsbuildinfo"}));
  for (const auto* bad : {"{}", "{\"outDir\": \"../x\"}", "{\"outDir\": \"/x\"}", "{\"outDir\": \".\"}",
                          "{\"outDir\": 3}", "{\"outDir\"", "{\"outDir\": \"**\"}"})
    EXPECT_TRUE(outputs(bad).empty()) << bad;
}

TEST(Propose, ABuildDirectoryOfSourcesIsLeftAlone) {
  EXPECT_EQ(proposed(names({"CMakeLists.txt", "build"})).workspace.outputs,
            (std::vector<std::string>{"cmake-build"}));
  EXPECT_EQ(proposed(names({"CMakeLists.txt"})).workspace.outputs, (std::vector<std::string>{"build"}));
}

TEST(Propose, NothingFoundIsStillValid) {
  const auto c = proposed({});
  EXPECT_FALSE(c.scoring.test_command);
  EXPECT_EQ(c.scoring.timeout_per_check_seconds, 120);
}

}  // namespace
