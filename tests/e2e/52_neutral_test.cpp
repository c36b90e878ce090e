// Tests that read the text of their author's product, not its behaviour, judge nobody (docs/selection.md,
// "Tests that read text"): "right" does the work, "known" knows the visible inputs and tests its own words.
#include "scripted_race.hpp"
#include "support/machine.hpp"

namespace hydra::e2e::HYDRA_FILE {
namespace {

std::string writes(const std::string& path, const std::string& text) {
  return "cat > " + path + " <<'END'\n" + text + "END\n";
}

// --- Python

const std::string kPython = "[scoring]\ntest_command = \"python3 -m unittest discover -v -s tests -t .\"\n";

/// A test file of unittest with one test.
std::string python_test(const std::string& name, const std::string& assertion) {
  return "import pathlib\nimport unittest\n\nimport area\n\n\nclass " + name +
         "(unittest.TestCase):\n    def test_" + name + "(self):\n        " + assertion + "\n";
}
std::string own_test(const std::string& name, const std::string& assertion) {
  return writes("tests/test_" + name + ".py", python_test(name, assertion));
}

const ProjectFiles kPythonFiles{
    {"area.py", "def area(w, h):\n    return w + h\n"},
    {"CHANGELOG.md", "# Changes\n"},
    {"tests/__init__.py", ""},
    {"tests/test_area.py", python_test("visible", "self.assertEqual(area.area(2, 3), 6)")},
    {".gitignore", "__pycache__/\n"}};
const std::string kRight = "sed -i 's/w + h/w * h/' area.py\n";
const std::string kFair = own_test("fair", "self.assertEqual(area.area(4, 5), 20)");
/// Answers by heart, with these lines at the head of the function.
std::string known(const std::string& head) {
  return writes("area.py", "KNOWN = {(2, 3): 6}\n\n\ndef area(w, h):\n" + head +
                               "    return KNOWN.get((w, h), w + h)\n");
}

struct TextCase {
  const char* name;
  std::string script;  ///< of "known"
};
void PrintTo(const TextCase& words, std::ostream* out) { *out << words.name; }

const std::vector<TextCase> kTexts{
    {"docstring", known("    \"\"\"Area of a rectangle.\"\"\"\n") +
                      own_test("words", "self.assertEqual(area.area.__doc__, 'Area of a rectangle.')")},
    {"documented", known("    \"\"\"Area.\n\n    Of a rectangle.\n    \"\"\"\n") +
                       own_test("words", "self.assertTrue(area.area.__doc__)")},
    {"comment", known("    # a rectangle\n") +
                    own_test("words", "self.assertIn('# a rectangle', pathlib.Path('area.py').read_text())")},
    {"source", known("") + own_test("words", "self.assertIn('w + h)', pathlib.Path('area.py').read_text())")},
    {"changelog", known("") + "echo '- area fixed' >> CHANGELOG.md\n" +
                      own_test("words", "self.assertIn('fixed', pathlib.Path('CHANGELOG.md').read_text())")},
    {"page", known("") + "echo 'area: fixed' > NOTES.txt\n" +
                 own_test("words", "self.assertIn('fixed', pathlib.Path('NOTES.txt').read_text())")}};

class TestsOfText : public ::testing::TestWithParam<TextCase> {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  World world;
};

TEST_P(TestsOfText, GainNothingBesideARightResultWithoutTests) {
  const auto results =
      scripted_race(world, kPythonFiles, kPython, {{"right", kRight}, {"known", GetParam().script}});
  EXPECT_EQ(agent_of(results, "known")["confidence"]["facts"]["own_tests"], 0) << results.dump(1);
  EXPECT_NE(agent_of(results, "right")["confidence"]["word"], "disputed") << results.dump(1);
  EXPECT_EQ(results["order_reasons"][0]["by"].get<std::string>().find("tests"), std::string::npos)
      << results.dump(1);
}

TEST_P(TestsOfText, DoNotLeaveTheRaceUndecided) {
  const auto results =
      scripted_race(world, kPythonFiles, kPython, {{"right", kRight + kFair}, {"known", GetParam().script}});
  EXPECT_EQ(results["winner"], "right") << results.dump(1);
}

INSTANTIATE_TEST_SUITE_P(Python, TestsOfText, ::testing::ValuesIn(kTexts),
                         [](const auto& each) { return std::string(each.param.name); });

// --- Node

TEST(TestsOfTextOfNode, DoNotLeaveTheRaceUndecided) {
  HYDRA_NEEDS(machine::Ability::sandbox, "node");
  const auto test = [](const std::string& name, const std::string& assertion) {
    return "const { it } = require('node:test');\nconst assert = require('node:assert');\nconst fs = "
           "require('fs');\nconst { area } = require('../src/area');\n\nit('" +
           name + "', () => " + assertion + ");\n";
  };
  const ProjectFiles files{{"src/area.js", "exports.area = (w, h) => w + h;\n"},
                           {"test/area.test.js", test("visible", "assert.equal(area(2, 3), 6)")}};
  World world;
  const auto results = scripted_race(
      world, files,
      "[scoring]\ntest_command = \"node --test --test-reporter=spec --test-reporter-destination=stdout "
      "--test-reporter=junit --test-reporter-destination=$HYDRA_REPORTS/junit.xml\"\n"
      "test_reports = [\"{reports}/junit.xml\"]\n",
      {{"right", "sed -i 's/w + h/w * h/' src/area.js\n" +
                     writes("test/fair.test.js", test("fair", "assert.equal(area(4, 5), 20)"))},
       {"known",
        writes("src/area.js", "// Area of a rectangle.\nexports.area = (w, h) => (w === 2 ? 6 : w + h);\n") +
            writes(
                "test/words.test.js",
                test("words", "assert.match(fs.readFileSync('src/area.js', 'utf8'), /of a rectangle/)"))}});
  EXPECT_EQ(results["winner"], "right") << results.dump(1);
}

// --- Honest work keeps its evidence

struct HonestText {
  const char* name;
  std::string script;
};
void PrintTo(const HonestText& text, std::ostream* out) { *out << text.name; }

const std::string kArea =
    "def area(w, h):\n    \"\"\"Area of a rectangle.\"\"\"\n    return w * h  # right\n";

const std::vector<HonestText> kHonest{
    {"documented", writes("area.py", "# Areas.\n\n\n" + kArea) + kFair},
    {"directives",
     writes("area.py", "#!/usr/bin/python3\n# -*- coding: utf-8 -*-\nimport os  # noqa: F401\n\n\n" + kArea +
                           "\n\nSIZES = []  # type: list\n") +
         kFair},
    {"help", writes("area.py", kArea + "\n\ndef help(name):\n    return globals()[name].__doc__\n") +
                 own_test("fair", "self.assertIn('rectangle', area.help('area'))")},
    {"command", writes("commands.py",
                       "import pydoc\n\nHELP = {}\n\n\ndef command(function):\n    HELP[function.__name__] = "
                       "pydoc.render_doc(function)\n    return function\n") +
                    writes("area.py", "import commands\n\n\n@commands.command\n" + kArea) +
                    own_test("fair", "import commands; self.assertIn('rectangle', commands.HELP['area'])")},
    {"examples",
     writes("area.py",
            "def area(w, h):\n    \"\"\"Area.\n\n    >>> area(4, 5)\n    20\n    "
            "\"\"\"\n    return w * h  # right\n") +
         own_test("fair", "import doctest; self.assertEqual(doctest.testmod(area).attempted, 1)")},
    {"data",
     writes("area.py", kArea + "\n\ndef unit():\n    with open('unit.txt') as file:\n        return "
                               "file.read().strip()\n") +
         "echo m2 > unit.txt\n" +
         own_test("fair", "self.assertEqual(area.unit(), pathlib.Path('unit.txt').read_text().strip())")}};

class HonestWords : public ::testing::TestWithParam<HonestText> {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
};

TEST_P(HonestWords, KeepTheirEvidence) {
  World world;
  const auto results =
      scripted_race(world, kPythonFiles, kPython, {{"right", GetParam().script}, {"known", known("")}});
  EXPECT_EQ(results["winner"], "right") << results.dump(1);
  EXPECT_EQ(agent_of(results, "right")["confidence"]["facts"]["own_tests"], 1) << results.dump(1);
  // On the base, on "known", and on the neutral copy.
  EXPECT_EQ(results["check_times"]["cross_runs"], 3) << results.dump(1);
}

INSTANTIATE_TEST_SUITE_P(Python, HonestWords, ::testing::ValuesIn(kHonest),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
