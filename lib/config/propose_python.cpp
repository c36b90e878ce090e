// config: proposals from Python's files. The machine's own packages suffice if they cover all requirements.
#include "base/strings.hpp"
#include "config/propose.hpp"

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

constexpr std::array<std::string_view, 3> kTestDirectories{"tests/", "test/", "testing/"};

/// Returns the requirements files of the project and of its tests.
std::vector<std::string> requirements_of(const ProjectView& files) {
  std::vector<std::string> out;
  for (const auto& name : files.names())
    if (name == "requirements.txt" ||
        (name.ends_with(".txt") && name.find("requirements") != std::string::npos &&
         (name.find("test") != std::string::npos || name.find("dev") != std::string::npos)))
      out.push_back(name);
  std::stable_partition(out.begin(), out.end(), [](const auto& name) { return name == "requirements.txt"; });
  return out;
}

bool mentions(const ProjectView& files, std::string_view word) {
  auto names = requirements_of(files);
  names.insert(names.end(), {"pyproject.toml", "setup.cfg", "setup.py", "tox.ini"});
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return files.text(name).find(word) != std::string_view::npos;
  });
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

/// A list of requirements in a pyproject.toml.
struct Bundle {
  std::string table, name;
  std::vector<std::string> words;
  [[nodiscard]] bool is_extra() const { return table == "[project.optional-dependencies]"; }
  [[nodiscard]] bool is_group() const { return table == "[dependency-groups]"; }
  [[nodiscard]] bool brings(const std::string& tool) const {
    std::vector<std::string> names;
    for (const auto& word : words) take_requirement(word, names);
    return std::find(names.begin(), names.end(), tool) != names.end();
  }
};

/// Returns the lists that tests and tools need: the first that brings a tool, tests' own before others.
std::vector<Bundle> bundles_of(std::string_view text, std::vector<std::string>& tools) {
  std::vector<Bundle> all, needed;
  std::string table;
  for (const auto line : lines(text)) {
    if (line.starts_with('[')) table = line.substr(0, line.find(']') + 1);
    if (line.find('=') == std::string_view::npos) continue;
    const auto name = trim(line.substr(0, line.find('=')));
    const bool list = trim(line.substr(line.find('=') + 1)).starts_with('[');
    Bundle bundle{table, std::string(name), {}};
    // Poetry writes a table: pytest = "^8".
    if (table.starts_with("[tool.poetry.") &&
        (table.find(".group.") != std::string::npos || table.ends_with("dev-dependencies]")))
      bundle.words = {bundle.name};
    else if (list && (bundle.is_extra() || bundle.is_group() || name.ends_with("dependencies")))
      bundle.words = strings_of_list(text.substr(static_cast<std::size_t>(line.data() - text.data())), "=");
    if (!bundle.words.empty()) all.push_back(std::move(bundle));
  }
  std::stable_partition(all.begin(), all.end(), [](const Bundle& b) { return b.name.starts_with("test"); });
  for (const auto& bundle : all)
    if (std::erase_if(tools, [&](const std::string& tool) { return bundle.brings(tool); }) > 0 ||
        ((bundle.is_extra() || bundle.is_group()) && bundle.name.starts_with("test")))
      needed.push_back(bundle);
  return needed;
}

std::vector<std::string> dependencies(const ProjectView& files) {
  std::vector<std::string> names;
  for (const auto& name : requirements_of(files))
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

/// A program that installs what a lock file names, and `add` what it does not name.
struct Locker {
  std::string_view lock, program, install, group, extra, add;
};
constexpr Locker kLockers[] = {
    {"uv.lock", "uv", "uv sync --frozen", " --group ", " --extra ", " && uv pip install "},
    {"poetry.lock", "poetry", "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install", " --with ", " --extras ",
     " && .venv/bin/pip install "},
    {"pdm.lock", "pdm", "pdm sync", " -G ", " -G ",
     " && pdm run python -m ensurepip && .venv/bin/python -m pip install "},
};

const Locker* locker_of(const ProjectView& files) {
  for (const auto& one : kLockers)
    if (files.has(one.lock)) return &one;
  return nullptr;
}

// `tools`: programs of the proposed checks, installed unless the requirements contain them.
std::optional<Guess> python_setup(const ProjectView& files, std::vector<std::string> tools) {
  const auto text = files.text("pyproject.toml");
  const auto* locker = locker_of(files);
  const bool locked = locker && files.has_program(locker->program);
  std::string install, why, brought, extras;
  for (const auto& name : locked ? std::vector<std::string>() : requirements_of(files)) {
    why += (why.empty() ? "" : ", ") + name;
    install += " -r " + name;
    brought += files.text(name);
  }
  const auto asked = join(tools, " and ");
  const auto in_files =
      std::erase_if(tools, [&](const std::string& tool) { return brought.find(tool) != std::string::npos; });
  const auto bundles = in_files > 0 ? std::vector<Bundle>() : bundles_of(text, tools);
  if (locked) {
    std::string command(locker->install);
    for (const auto& bundle : bundles)
      if (bundle.is_extra() || (bundle.is_group() && bundle.name != "dev"))
        command += std::string(bundle.is_extra() ? locker->extra : locker->group) + bundle.name;
    for (const auto& tool : tools) command += std::string(locker->add) + tool;
    return Guess{command, std::string(locker->lock)};
  }
  // If the lock file's program is missing, pip installs the requirements; it knows no groups before 25.1.
  for (const auto& bundle : bundles) {
    if (bundle.is_extra()) extras += (extras.empty() ? "" : ",") + bundle.name;
    for (const auto& word : bundle.is_extra() ? std::vector<std::string>() : bundle.words)
      install += " " + shell_quote(word);
  }
  const bool package = files.has("setup.py") || text.find("[project]") != std::string_view::npos ||
                       text.find("[build-system]") != std::string_view::npos;
  if (package && brought.find("-e .") == std::string::npos)
    install = (extras.empty() ? " -e ." : " -e '.[" + extras + "]'") + install;
  if (why.empty()) why = !package ? asked : files.has("pyproject.toml") ? "pyproject.toml" : "setup.py";
  for (const auto& tool : tools) install += " " + tool;
  if (install.empty()) return std::nullopt;
  if (locker) why += ", " + std::string(locker->program) + " is not in PATH";
  return Guess{python_program(files) + " -m venv .venv && .venv/bin/pip install" + install,
               why + " and no virtual environment"};
}

/// Whether the machine's Python has all requirements of the project and its checks.
bool machine_has_all(const ProjectView& files, const std::vector<std::string>& tools) {
  if (locker_of(files)) return false;
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
