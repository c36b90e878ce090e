// Cells of cross tests with pytest and go: known ones, and what a test does that ends the process of all
// others (docs/selection.md).
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

class CrossRunners : public ::testing::Test {
 protected:
  void race(const std::string& names) {
    world.set_environment("PATH", std::getenv("PATH"));
    world.commit();
    HydraOptions options;
    options.deadline = std::chrono::minutes(5);
    const auto ran = world.hydra({"race", "--agents", names, "task"}, options);
    text = ran.out + ran.err;
    results = world.results();
  }
  /// "fail pass no_contact": of one test of this author, on these results.
  [[nodiscard]] std::string cells(const std::string& author, const std::string& test,
                                  const std::vector<std::string>& on) const {
    std::string line;
    for (const auto& result : on) {
      std::string found = "none";
      for (const auto& cell : results["evidence"]["cells"])
        if (cell["author"] == author && cell["result"] == result)
          for (const auto& one : cell["tests"])
            if (one["name"].get<std::string>().ends_with(test)) found = one["status"];
      line += (line.empty() ? "" : " ") + found;
    }
    return line;
  }
  World world;
  Json results;
  std::string text;
};

std::string go_test(const std::string& name, const std::string& call, const std::string& want) {
  return "func Test" + name + "(t *testing.T) {\n\tif got := " + call + "; got != " + want +
         " {\n\t\tt.Fatal(got)\n\t}\n}\n";
}

// The result without bounds panics in the first test; the one behind it passes there, and the third fails.
TEST_F(CrossRunners, APanicOfGoHidesNoOtherTest) {
  HYDRA_NEEDS("go");
  const std::string head = "package calc\n\nimport \"testing\"\n\n";
  world.init();
  world.write("go.mod", "module calc\n\ngo 1.19\n");
  world.write(
      "calc.go",
      "package calc\n\nfunc Len(xs []int) int {\n\treturn len(xs)\n}\n\nfunc At(xs []int, i int) int {\n"
      "\treturn 0\n}\n");
  world.write("len_test.go", head + go_test("Len", "Len([]int{1})", "1"));
  const std::string unbound = "sed -i 's/return 0/return xs[i]/' calc.go\n";
  world.write(
      "hydra.toml",
      "[scoring]\ntest_command = \"go test -v ./...\"\ntimeout_per_check_seconds = 300\n" +
          script_agent(
              "bounds",
              "sed -i 's/return 0/if i < 0 || i >= len(xs) {\\n\\t\\treturn -1\\n\\t}\\n\\treturn xs[i]/' "
              "calc.go\ncat > at_test.go <<'EOF'\n" +
                  head + go_test("Far", "At([]int{7}, 5)", "-1") + go_test("First", "At([]int{7}, 0)", "7") +
                  go_test("Near", "At([]int{7}, -1)", "-1") + "EOF\n") +
          script_agent("unbound", unbound));
  race("bounds,unbound");
  const std::vector<std::string> on{"@baseline", "bounds", "unbound"};
  EXPECT_EQ(cells("bounds", "TestFar", on), "fail pass fail") << text;
  EXPECT_EQ(cells("bounds", "TestFirst", on), "fail pass pass") << text;
  EXPECT_EQ(cells("bounds", "TestNear", on), "fail pass fail") << text;
}

// The base's own script is the author's test, and the exit code is all that is known of it.
TEST_F(CrossRunners, AScriptWithoutNamesIsOneTest) {
  HYDRA_NEEDS("make");
  world.init();
  world.write("Makefile", "test:\n\tsh tests/run.sh\n");
  world.write("area.sh", "area() { echo $(($1 + $2)); }\n");
  world.write("tests/run.sh", ". ./area.sh\n[ \"$(area 0 0)\" = 0 ]\n");
  world.write("hydra.toml",
              "[scoring]\ntest_command = \"make test\"\n" +
                  script_agent("honest",
                               "sed -i 's/ + / * /' area.sh; echo '[ \"$(area 3 4)\" = 12 ]' >> "
                               "tests/run.sh; sed -i '1i set -e' tests/run.sh") +
                  script_agent("wrong", "sed -i 's/ + / - /' area.sh"));
  race("wrong,honest");
  EXPECT_EQ(cells("honest", "exit code", {"@baseline", "honest", "wrong"}), "fail pass fail") << text;
  EXPECT_EQ(results["winner"], "honest") << text;
}

TEST_F(CrossRunners, PytestRunsTheAuthorsFiles) {
  HYDRA_NEEDS("pytest");
  world.init();
  world.write("calc.py", "def clamp(x, low, high):\n    return x\n");
  world.write("conftest.py", "");
  world.write("tests/test_calc.py",
              "import calc\n\n\ndef test_inside():\n    assert calc.clamp(2, 1, 3) == 2\n");
  world.write(".gitignore", "__pycache__/\n.pytest_cache/\n");
  const std::string right =
      "printf 'def clamp(x, low, high):\\n    return max(low, min(x, high))\\n' > calc.py\n";
  const auto file = [](const std::string& name, const std::string& body) {
    return "cat > tests/test_" + name + ".py <<'EOF'\n" + body + "EOF\n";
  };
  world.write(
      "hydra.toml",
      "[scoring]\ntest_command = \"pytest\"\n" +
          script_agent("right",
                       right + file("right",
                                    "import calc\n\n\ndef test_low():\n    assert calc.clamp(0, 1, 3) == "
                                    "1\n\n\ndef test_high():\n    assert calc.clamp(9, 1, 3) == 3\n")) +
          script_agent("half", "sed -i 's/return x/return min(x, high)/' calc.py\n") +
          script_agent("wide", right + "printf 'def wide(x):\\n    return x * 2\\n' >> calc.py\n" +
                                   file("wide",
                                        "from calc import wide\n\n\ndef test_wide():\n    assert "
                                        "wide(2) == 4\n")));
  race("right,half,wide");
  EXPECT_EQ(cells("right", "test_low", {"@baseline", "right", "half", "wide"}), "fail pass fail pass")
      << text;
  EXPECT_EQ(cells("right", "test_high", {"@baseline", "right", "half", "wide"}), "fail pass pass pass")
      << text;
  EXPECT_EQ(cells("wide", "test_wide", {"@baseline", "wide", "half", "right"}),
            "no_contact pass no_contact no_contact")
      << text;
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
