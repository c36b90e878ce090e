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
  EXPECT_EQ(c.scoring.test_command, "npm test");
  EXPECT_EQ(c.scoring.lint_command, "npm run lint");
  EXPECT_EQ(c.workspace.setup, "npm ci");
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{"node_modules"}));
  EXPECT_EQ(c.scoring.weights.build, 30);
  files.names = {"package.json", "pnpm-lock.yaml"};
  EXPECT_TRUE(proposed(files).workspace.share.empty());  // nothing there to share
  c = proposed(files);
  EXPECT_EQ(c.scoring.test_command, "pnpm run test");
  EXPECT_EQ(c.workspace.setup, "pnpm install --frozen-lockfile");
  files.names = {"package.json", "yarn.lock"};
  EXPECT_EQ(proposed(files).scoring.build_command, "yarn run build");
  files.names = {"package.json", "bun.lockb"};
  EXPECT_EQ(proposed(files).scoring.test_command, "bun run test");
}

TEST(Propose, NodeWithoutWhatIsNeeded) {
  const auto c = proposed(
      {{"package.json", "node_modules"},
       {{"package.json",
         R"({"workspaces":["a"],"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}})"}}});
  EXPECT_FALSE(c.scoring.test_command);
  EXPECT_FALSE(c.scoring.build_command);
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{"**/node_modules"}));
  proposed({{"package.json"}, {{"package.json", "{\"scripts\": {\"test\": "}}});
  proposed({{"package.json"}, {{"package.json", std::string(100'000, '[')}}});
}

TEST(Propose, OtherEcosystems) {
  EXPECT_EQ(proposed(names({"Cargo.toml"})).scoring.test_command, "cargo test --workspace");
  EXPECT_EQ(proposed(names({"go.mod"})).scoring.build_command, "go build ./...");
  EXPECT_EQ(proposed(names({"CMakeLists.txt"})).workspace.setup, "cmake -S . -B build");
  EXPECT_EQ(proposed(names({"pom.xml"})).scoring.test_command, "mvn -B -o test");
  EXPECT_EQ(proposed(names({"Gemfile", "spec"})).scoring.test_command, "bundle exec rspec");
  EXPECT_EQ(proposed(names({"composer.json", "vendor"})).workspace.share,
            (std::vector<std::string>{"vendor"}));
  EXPECT_EQ(proposed(names({"mix.exs"})).scoring.test_command, "mix test");
}

TEST(Propose, Python) {
  const auto c = proposed({{"pyproject.toml", ".venv", "tests"},
                           {{"pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\n"}}});
  EXPECT_EQ(c.scoring.test_command, ".venv/bin/python -m pytest");
  EXPECT_EQ(c.scoring.lint_command, ".venv/bin/python -m ruff check .");
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{".venv"}));
  EXPECT_FALSE(c.workspace.setup);
  EXPECT_FALSE(c.scoring.build_command);
  EXPECT_EQ(proposed({{"setup.cfg"}, {{"setup.cfg", "[flake8]\n"}}}).scoring.lint_command,
            "python -m flake8");
  EXPECT_EQ(proposed(names({"requirements.txt"})).workspace.setup,
            "python -m pip install -r requirements.txt");
}

TEST(Propose, MakeByItsTargets) {
  const auto c = proposed(
      {{"Makefile"}, {{"Makefile", "CC := gcc\nall: x\ntest:=no\ncheck: all\n\t./t\nlint:\n\t./l\n"}}});
  EXPECT_EQ(c.scoring.build_command, "make all");
  EXPECT_EQ(c.scoring.test_command, "make check");
  EXPECT_EQ(c.scoring.lint_command, "make lint");
}

TEST(Propose, TheFirstOfSeveralAndTheOthersNamed) {
  const auto text = config::propose(
      {{"Cargo.toml", "package.json", "Makefile"}, {{"package.json", R"({"scripts":{"test":"x"}})"}}});
  EXPECT_NE(text.find("test_command = \"npm test\""), std::string::npos);
  EXPECT_NE(text.find("# Also found and not used: Cargo.toml."), std::string::npos);
  EXPECT_NE(text.find("# Also found and not used: Makefile."), std::string::npos);
}

TEST(Propose, NothingFoundIsStillValid) {
  const auto c = proposed({});
  EXPECT_FALSE(c.scoring.test_command);
  EXPECT_EQ(c.scoring.timeout_per_check_seconds, 120);
}

}  // namespace
