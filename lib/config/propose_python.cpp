// config: proposals from Python's files. The machine's own packages suffice if they cover all requirements.
#include "base/strings.hpp"
#include "config/propose.hpp"

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

constexpr std::array<std::string_view, 3> kTestDirectories{"tests/", "test/", "testing/"};

bool mentions(const ProjectView& files, std::string_view word) {
  for (const auto* name :
       {"pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"})
    if (files.text(name).find(word) != std::string_view::npos) return true;
  return false;
}

// Debian and others have no program `python`.
std::string python_program(const ProjectView& files) {
  return files.has_program("python") ? "python" : "python3";
}

bool test_file(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".py") && (name.starts_with("test") || name.ends_with("_test.py"));
}

/// Adds normalised package names of requirements: "Foo_Bar[x]>=1 ; python…" -> "foo-bar".
void take_requirement(std::string_view line, std::vector<std::string>& names) {
  line = trim(line.substr(0, line.find('#')));
  if (line.empty() || line.front() == '-') return;
  auto name = to_lower(line.substr(0, line.find_first_of("[<>=!~; @(")));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '_' || c == '.'; }, '-');
  if (!name.empty()) names.push_back(std::move(name));
}

/// Returns the strings of the list after `key` in TOML or setup.py.
std::vector<std::string> strings_of_list(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return {};
  const auto begin = text.find('[', at + key.size());
  if (begin == std::string_view::npos) return {};
  // "]" of an extra ("foo[bar]") is inside a string; { include-group = "x" } names no package.
  char quote = 0;
  bool table = false;
  std::vector<std::string> words;
  std::string word;
  for (auto i = begin + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && c == ']') break;
    if (quote == 0 && c == '#') i = std::min(text.find('\n', i), text.size());
    if (quote == 0 && (c == '{' || c == '}')) table = c == '{';
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      word.clear();
    } else if (quote != 0 && c == quote) {
      quote = 0;
      if (!table) words.push_back(word);
    } else if (quote != 0) {
      word += c;
    }
  }
  return words;
}

void take_list(std::string_view text, std::string_view key, std::vector<std::string>& names) {
  for (const auto& word : strings_of_list(text, key)) take_requirement(word, names);
}

/// Returns the text from a TOML heading to the next heading.
std::string_view table_of(std::string_view text, std::string_view heading) {
  const auto at = text.find(heading);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + heading.size());
  return text.substr(0, text.find("\n["));
}

/// Returns the test dependency group, for pip before 25.1, which knows no groups.
std::vector<std::string> test_group(std::string_view pyproject) {
  const auto groups = table_of(pyproject, "[dependency-groups]");
  for (const auto* key : {"\ntest = ", "\ntests = ", "\ndev = "})
    if (auto found = strings_of_list(groups, key); !found.empty()) return found;
  return {};
}

std::vector<std::string> dependencies(const ProjectView& files) {
  std::vector<std::string> names;
  for (const auto* name : {"requirements.txt", "requirements-dev.txt"})
    for (const auto line : lines(files.text(name))) take_requirement(line, names);
  take_list(files.text("pyproject.toml"), "\ndependencies", names);
  take_list(files.text("setup.py"), "install_requires", names);
  bool inside = false;
  for (const auto line : lines(files.text("setup.cfg"))) {
    if (inside && (line.starts_with(' ') || line.starts_with('\t')))
      take_requirement(line, names);
    else
      inside = trim(line).starts_with("install_requires");
  }
  return names;
}

/// Test frameworks found in the project.
struct Tests {
  bool any = false, pytest = false, unittest = false, django = false;
};

Tests tests_of(const ProjectView& files) {
  Tests tests;
  tests.pytest = mentions(files, "pytest") || files.has("pytest.ini") || files.has("conftest.py");
  for (const auto& name : files.names()) {
    const bool placed = name.find('/') == std::string::npos ||
                        std::any_of(kTestDirectories.begin(), kTestDirectories.end(),
                                    [&](std::string_view d) { return name.starts_with(d); });
    if (!placed || !test_file(name)) continue;
    tests.any = true;
    const auto text = files.text(name);
    tests.pytest = tests.pytest || text.find("import pytest") != std::string_view::npos ||
                   text.starts_with("def test_") || text.find("\ndef test_") != std::string_view::npos;
    tests.unittest = tests.unittest || text.find("unittest") != std::string_view::npos;
  }
  tests.any = tests.any || tests.pytest || files.has("tests");
  tests.django = !tests.pytest && files.text("manage.py").find("django") != std::string_view::npos;
  if (files.has("tests") && !tests.unittest && !tests.django) tests.pytest = true;
  return tests;
}

// `tools`: programs of the proposed checks, installed unless the requirements contain them.
std::optional<Guess> python_setup(const ProjectView& files, const std::vector<std::string>& tools) {
  // If the lock file's program is missing, pip installs the requirements.
  const auto lock = files.first_of({"uv.lock", "poetry.lock"});
  if (lock == "uv.lock" && files.has_program("uv")) return Guess{"uv sync --frozen", "uv.lock"};
  if (lock == "poetry.lock" && files.has_program("poetry"))
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
  } else if (const auto text = files.text("pyproject.toml");
             files.has("setup.py") || text.find("[project]") != std::string_view::npos ||
             (!lock.empty() && text.find("[build-system]") != std::string_view::npos)) {
    why = files.has("pyproject.toml") ? "pyproject.toml" : "setup.py";
    const auto extras = table_of(text, "[project.optional-dependencies]");
    const auto extra = extras.find("\ntest = [");
    install += extra == std::string_view::npos ? " -e ." : " -e '.[test]'";
    if (extra != std::string_view::npos) brought = extras.substr(extra, extras.find(']', extra) - extra);
    for (const auto& word : test_group(text)) {
      install += " " + shell_quote(word);
      brought += word + "\n";
    }
  } else if (!tools.empty()) {
    why = join(tools, " and ");
  } else {
    return std::nullopt;
  }
  for (const auto& tool : tools)
    if (brought.find(tool) == std::string::npos) install += " " + tool;
  if (!lock.empty()) why += ", " + lock.substr(0, lock.find('.')) + " is not in PATH";
  return Guess{install, why + " and no virtual environment"};
}

/// Whether the machine's Python has all requirements of the project and its checks.
bool machine_has_all(const ProjectView& files, const std::vector<std::string>& tools) {
  if (!files.first_of({"uv.lock", "poetry.lock"}).empty()) return false;
  const auto wanted = dependencies(files);
  const auto there = [&](const std::string& name) { return files.has_package("python:" + name); };
  return std::all_of(wanted.begin(), wanted.end(), there) && std::all_of(tools.begin(), tools.end(), there) &&
         files.looked_for_packages();
}

}  // namespace

bool propose_python(const ProjectView& files, Proposal& p) {
  const auto tests = tests_of(files);
  const bool ruff = files.has("ruff.toml") || files.has(".ruff.toml") || mentions(files, "ruff");
  const bool flake8 = !ruff && (files.has(".flake8") || mentions(files, "flake8"));
  std::vector<std::string> tools;
  for (const auto& [used, tool] : {std::pair{tests.pytest, "pytest"}, {ruff, "ruff"}, {flake8, "flake8"}})
    if (used) tools.emplace_back(tool);
  auto venv = files.first_of({".venv", "venv"});
  if (!venv.empty()) {
    p.share = {{venv, "the project's virtual environment"}};
  } else if (!machine_has_all(files, tools)) {
    p.setup = python_setup(files, tools);
    if (p.setup)
      venv = ".venv";
    else
      p.notes.emplace_back(
          "No virtual environment (.venv) found: make one, or the checks use the system's Python.");
  }
  const std::string python = (venv.empty() ? python_program(files) : venv + "/bin/python") + " -m ";
  // Without an installed project, code under src is found by PYTHONPATH.
  const bool by_place = venv.empty() && files.has("src") && !mentions(files, "pythonpath");
  const std::string run = (by_place ? "PYTHONPATH=src " : "") + python;
  // A requirements file says nothing about tests.
  const bool package = p.kind != "requirements.txt";
  if (tests.django)
    p.test =
        Guess{python.substr(0, python.size() - 3) + "manage.py test -v 2", "manage.py; -v 2 names the tests"};
  else if (tests.pytest)
    p.test = Guess{run + "pytest -v", "pytest is configured or tests/ exists; -v names the tests"};
  else if (tests.any || package)
    p.test = Guess{run + "unittest discover -v" + (files.has("tests") ? " -s tests -t ." : ""),
                   "no pytest found; -v names the tests"};
  if (ruff)
    p.lint = Guess{python + "ruff check .", "ruff is configured"};
  else if (flake8)
    p.lint = Guess{python + "flake8", "flake8 is configured"};
  return true;
}

}  // namespace hydra::config
