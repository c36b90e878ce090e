// Manifests that take the runner, or a module that judges, from another place than before.
#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>

namespace hydra::checks {
namespace {

/// "devDependencies/jest" -> "^29"
struct Leaves {
  std::map<std::string, std::string> values;
  std::size_t bytes = 0;
  bool whole = true;  ///< nothing was left out for its size

  void add(const std::string& path, std::string value) {
    constexpr std::size_t kMost = 50'000, kMostBytes = 32U << 20U;
    bytes += path.size() + value.size();
    whole = whole && values.size() < kMost && bytes < kMostBytes;
    if (whole) values[path] = std::move(value);
  }
};

constexpr int kTamperSourcesMostDepth = 64;

/// Packages that run, judge or report tests, or lint; of any ecosystem.
bool is_runner_package(Text name) {
  constexpr std::array<Text, 66> kNames{
      "jest",       "vitest",     "mocha",     "ava",           "tap",
      "tape",       "jasmine",    "karma",     "cypress",       "playwright",
      "chai",       "expect",     "sinon",     "uvu",           "nyc",
      "c8",         "eslint",     "prettier",  "stylelint",     "oxlint",
      "tslint",     "biome",      "ts-jest",   "babel-jest",    "expect.js",
      "should",     "pytest",     "pluggy",    "nose",          "nose2",
      "tox",        "nox",        "coverage",  "hypothesis",    "iniconfig",
      "unittest2",  "behave",     "ruff",      "flake8",        "mypy",
      "pylint",     "black",      "isort",     "rstest",        "proptest",
      "quickcheck", "criterion",  "test-case", "insta",         "assert_cmd",
      "mockall",    "googletest", "trybuild",  "libtest-mimic", "pretty_assertions",
      "testify",    "gomega",     "ginkgo",    "go-cmp",        "gotest.tools",
      "check.v1",   "phpunit",    "rspec",     "minitest",      "junit",
      "testng"};
  const auto lower = to_lower(name);
  const Text text = lower;
  if (std::find(kNames.begin(), kNames.end(), text) != kNames.end()) return true;
  for (const Text prefix : {"@jest/", "@vitest/", "jest-", "pytest-", "pytest_", "@playwright/", "mocha-",
                            "eslint-plugin-", "@eslint/", "@types/jest-"})
    if (text.starts_with(prefix)) return true;
  return false;
}

/// Of the file system, a repository or an address, or another package's name: not of a registry.
bool is_elsewhere(Text value) {
  for (const Text prefix : {"file:", "link:", "portal:", "patch:", "git",
                            "http:", "https:", "npm:", "ssh:", "./", "../", "/", "~/", "exec:", "bitbucket:"})
    if (value.starts_with(prefix)) return true;
  // "user/repository" of a code host; a version has no slash.
  return value.find('/') != Text::npos && !value.starts_with("workspace:");
}

/// Programs of registries that build Python projects.
bool is_known_backend(Text value) {
  constexpr std::array<Text, 10> kNames{"setuptools.build_meta",
                                        "flit_core.buildapi",
                                        "hatchling.build",
                                        "poetry.core.masonry.api",
                                        "pdm.backend",
                                        "maturin",
                                        "scikit_build_core.build",
                                        "mesonpy",
                                        "uv_build",
                                        "setuptools.build_meta:__legacy__"};
  return std::find(kNames.begin(), kNames.end(), value) != kNames.end();
}

/// The repository of the program's own makers, on the host that they use.
bool of_its_makers(Text value) {
  constexpr std::array<Text, 10> kMakers{"prettier/prettier", "eslint/eslint", "jestjs/jest", "facebook/jest",
                                         "vitest-dev/vitest", "mochajs/mocha", "chaijs/chai", "sinonjs/sinon",
                                         "biomejs/biome",     "avajs/ava"};
  for (const Text prefix : {"github:", "git+https://github.com/", "https://github.com/"})
    if (value.starts_with(prefix)) {
      auto repository = value.substr(prefix.size());
      repository = repository.substr(0, repository.find('#'));
      if (repository.ends_with(".git")) repository.remove_suffix(4);
      return std::find(kMakers.begin(), kMakers.end(), repository) != kMakers.end();
    }
  return false;
}

/// "jest@29" and "a>jest" of overrides: "jest".
std::string package_of(Text key) {
  if (const auto above = key.rfind('>'); above != Text::npos) key = trim(key.substr(above + 1));
  if (const auto version = key.find('@', 1); version != Text::npos) key = key.substr(0, version);
  if (key.starts_with("**/")) key.remove_prefix(3);
  return std::string(key);
}

void flatten(const nlohmann::json& value, const std::string& path, Leaves& out) {
  if (!out.whole) return;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      if (out.whole) flatten(inner, path + "\n" + key, out);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size() && out.whole; ++i)
      flatten(value[i], path + "\n" + std::to_string(i), out);
  } else if (value.is_string()) {
    out.add(path, value.get<std::string>());
  }
}

Leaves json_leaves(Text text) {
  Leaves out;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto limit = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth <= kTamperSourcesMostDepth;
  };
  const auto json = nlohmann::json::parse(text, limit, false, true);
  if (!json.is_discarded()) flatten(json, {}, out);
  return out;
}

void flatten(const toml::node& node, const std::string& path, Leaves& out) {
  if (!out.whole) return;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, inner] : *table)
      if (out.whole) flatten(inner, path + "\n" + std::string(key.str()), out);
  } else if (const auto* array = node.as_array()) {
    std::size_t i = 0;
    for (const auto& inner : *array)
      if (out.whole) flatten(inner, path + "\n" + std::to_string(i++), out);
  } else if (const auto* text = node.as_string()) {
    out.add(path, text->get());
  } else if (const auto* flag = node.as_boolean()) {
    out.add(path, flag->get() ? "true" : "false");
  }
}

Leaves toml_leaves(Text text) {
  Leaves out;
  // toml++ is built with exceptions: a library edge.
  try {
    flatten(toml::parse(text), {}, out);
  } catch (const toml::parse_error&) {
    out = {};
  }
  return out;
}

class SourceFinder {
 public:
  SourceFinder(const TextDiff& diff, const ProtectedPaths& rules, Signals& signals)
      : diff_(diff), rules_(rules), signals_(signals), own_(base_name(diff.file->change.path)) {}

  void look() {
    if (!diff_.file->candidate) return;
    const Text text = *diff_.file->candidate;
    const Text base = diff_.file->base ? Text(*diff_.file->base) : Text();
    if (own_ == "package.json") return changed(json_leaves(base), json_leaves(text), &SourceFinder::node);
    if ((own_.starts_with("tsconfig") || own_.starts_with("jsconfig")) && own_.ends_with(".json"))
      return changed(json_leaves(base), json_leaves(text), &SourceFinder::paths);
    if (own_ == "pyproject.toml") return changed(toml_leaves(base), toml_leaves(text), &SourceFinder::python);
    if (own_ == "Cargo.toml") return changed(toml_leaves(base), toml_leaves(text), &SourceFinder::cargo);
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (line.comment) continue;
      if (own_.ends_with(".txt") && diff_.language == Language::configuration) requirement(line);
      if (own_ == "go.mod" || own_ == "go.work") go_module(line);
      if (own_.starts_with("vite.config.")) vite(line);
      if (own_ == "setup.py" && line.text.find("pytest11") != Text::npos &&
          base.find("pytest11") == Text::npos)
        add(Severity::warning, line.number, line.text, "makes the project a plugin of the runner");
      if (own_ == "pnpm-workspace.yaml" || own_ == ".yarnrc.yml") yaml(line);
    }
  }

 private:
  using Look = void (SourceFinder::*)(const std::vector<std::string>&, const std::string&);

  void changed(const Leaves& base, const Leaves& candidate, Look each) {
    if (!candidate.whole)
      signals_.add(SignalKind::not_inspected, Severity::warning, diff_.file->change.path, 0, {},
                   "a manifest with more entries than are looked at");
    for (const auto& [path, value] : candidate.values) {
      const auto found = base.values.find(path);
      if (found != base.values.end() && found->second == value) continue;
      std::vector<std::string> parts;
      for (const auto part : split(Text(path).substr(std::min<std::size_t>(1, path.size())), '\n'))
        parts.emplace_back(part);
      (this->*each)(parts, value);
    }
  }

  [[nodiscard]] bool judges(Text name) const {
    return is_runner_package(name) || (!name.empty() && rules_.programs().contains(std::string(name)));
  }

  void add(Severity severity, std::int64_t line, Text excerpt, std::string reason) {
    signals_.add(SignalKind::runner_source, severity, diff_.file->change.path, line, excerpt,
                 std::move(reason));
  }
  void elsewhere(Text name, Text value, Severity others) {
    const auto excerpt = std::string(name) + " = " + std::string(value.substr(0, 2 * kMostExcerpt));
    if (judges(name))
      return add(of_its_makers(value) ? Severity::warning : Severity::warning, 0, excerpt,
                 "takes a program of the checks from another place");
    if (others != Severity::info) add(others, 0, excerpt, "takes a package from another place");
  }

  void node(const std::vector<std::string>& path, const std::string& value) {
    if (path.size() == 1 && path[0] == "name" && judges(value) && diff_.is_new)
      return add(Severity::warning, 0, value, "a package that has the name of a program of the checks");
    if (path.size() < 2) return;
    const bool dependency = path[0].ends_with("ependencies");
    const bool override_of =
        path[0] == "overrides" || path[0] == "resolutions" || (path[0] == "pnpm" && path[1] == "overrides");
    if (!dependency && !override_of) return;
    // { "jest": { ".": "…" } } overrides jest itself.
    const auto name = package_of(path.back() == "." && path.size() > 2 ? path[path.size() - 2] : path.back());
    if (is_elsewhere(value)) return elsewhere(name, value, Severity::warning);
    if (override_of && judges(name))
      add(Severity::warning, 0, name + " = " + value, "overrides the version of a program of the checks");
  }

  void paths(const std::vector<std::string>& path, const std::string& value) {
    if (path.size() >= 3 && path[0] == "compilerOptions" && path[1] == "paths")
      elsewhere(package_of(path[2].ends_with("/*") ? path[2].substr(0, path[2].size() - 2) : path[2]), value,
                Severity::info);
  }

  /// "pytest @ file:///…" of a list of requirements.
  void requirement_text(Text text, std::int64_t line) {
    const auto at = text.find(" @ ");
    if (at == Text::npos) return;
    auto name = trim(text.substr(0, at));
    name = name.substr(0, name.find('['));
    if (judges(name))
      return add(Severity::warning, line, text, "takes a program of the checks from another place");
    add(Severity::warning, line, text, "takes a package from another place");
  }

  void python(const std::vector<std::string>& path, const std::string& value) {
    requirement_text(value, 0);
    if (path.size() < 2) return;
    const auto& key = path.back();
    const auto& name = path[path.size() - 2];
    const bool place = key == "path" || key == "git" || key == "url" || key == "file" || key == "workspace";
    const auto within = [&](Text part) {
      return std::any_of(path.begin(), path.end(),
                         [&](const std::string& each) { return each.find(part) != Text::npos; });
    };
    if (place && (within("sources") || within("dependencies"))) {
      // [tool.uv.sources] takes one table or a list of them.
      const bool listed = parse_int(name).has_value() && path.size() > 2;
      return elsewhere(listed ? path[path.size() - 3] : name, value,
                       key == "workspace" ? Severity::info : Severity::warning);
    }
    if (within("build-system") && (within("backend-path") || key == "build-backend"))
      add(is_known_backend(value) ? Severity::info : Severity::warning, 0, key + " = " + value,
          "changes what builds and installs the project");
    if ((within("index") || within("source")) && key == "url")
      add(Severity::warning, 0, value, "takes packages from another index");
  }

  void cargo(const std::vector<std::string>& path, const std::string& value) {
    if (path.size() < 3) return;
    const auto& key = path.back();
    if (key != "path" && key != "git" && key != "package") return;
    const bool replaces = path[0] == "patch" || path[0] == "replace";
    const auto& name = path[path.size() - 2];
    elsewhere(package_of(name.substr(0, name.find(':'))), value,
              replaces ? Severity::warning : Severity::info);
  }

  void requirement(const TextLine& line) {
    requirement_text(line.text, line.number);
    auto text = line.text;
    for (const Text option : {"--index-url", "--extra-index-url", "--find-links", "-i ", "-f ", "--pre "})
      if (text.starts_with(option))
        return add(Severity::warning, line.number, text, "takes packages from another index");
    for (const Text option : {"-e ", "--editable ", "--editable="})
      if (text.starts_with(option)) text = trim(text.substr(option.size()));
    const bool place = text.starts_with("./") || text.starts_with("../") || text.starts_with("file:") ||
                       text.starts_with("git+") || text.starts_with("/") || text.starts_with("http:") ||
                       text.starts_with("https:");
    if (!place || text == "./") return;
    auto end = text.substr(0, text.find_first_of("#@ ;", 6));
    while (end.ends_with('/')) end.remove_suffix(1);
    auto name = base_name(end);
    if (const auto egg = text.find("egg="); egg != Text::npos) name = text.substr(egg + 4);
    if (judges(name))
      return add(Severity::warning, line.number, line.text,
                 "takes a program of the checks from another place");
    add(Severity::warning, line.number, line.text, "takes a package from another place");
  }

  void go_module(const TextLine& line) {
    const auto arrow = line.text.find("=>");
    if (arrow == Text::npos) return;
    auto module = trim(line.text.substr(0, arrow));
    if (module.starts_with("replace ")) module = trim(module.substr(8));
    module = module.substr(0, module.find(' '));
    const auto target = trim(line.text.substr(arrow + 2));
    bool runner = false;
    for (const auto part : split(module, '/')) runner |= is_runner_package(part);
    if (runner)
      return add(Severity::warning, line.number, line.text, "takes a module of the tests from another place");
    if (target.starts_with('.') || target.starts_with('/'))
      add(Severity::warning, line.number, line.text, "takes a module from another place");
  }

  void vite(const TextLine& line) {
    const auto added = [&](Severity severity, std::string reason) {
      add(severity, line.number, line.text, std::move(reason));
    };
    // The file is the candidate's, so what it loads into the runner is too.
    for (const Text key : {"setupFiles", "globalSetup", "runner:", "\"runner\""})
      if (line.text.find(key) != Text::npos)
        return added(Severity::warning, "loads code of its own into the test runner");
    for (const Text key : {"reporters", "snapshotSerializers"})
      if (line.text.find(key) != Text::npos)
        return added(Severity::warning, "puts code of its own into the test runner");
    for (const Text key : {"transform", "resolveId", "load(", "load:", "handleHotUpdate"})
      if (line.text.find(key) != Text::npos)
        return added(line.text.find("test") != Text::npos || line.text.find("spec") != Text::npos
                         ? Severity::warning
                         : Severity::info,
                     "changes what modules are loaded, those of the tests too");
    for (const Text key : {"exclude", "include", "testNamePattern", "passWithNoTests"})
      if (line.text.find(key) != Text::npos && line.text.find("test") != Text::npos)
        return added(Severity::warning, "chooses the tests");
    // An alias of a module of the runner: quoted, or as a key.
    for (const Text module : {"vitest", "chai", "expect", "@vitest/expect", "@vitest/runner", "jest"})
      for (const auto& form :
           {"'" + std::string(module) + "':", "\"" + std::string(module) + "\":",
            "find: '" + std::string(module) + "'", "find: \"" + std::string(module) + "\""})
        if (line.text.find(form) != Text::npos)
          return add(Severity::warning, line.number, line.text,
                     "takes a program of the checks from another place");
    if (has_name(line.text, "vitest") && line.text.find("alias") != Text::npos)
      add(Severity::warning, line.number, line.text, "an alias beside the test runner");
  }

  void yaml(const TextLine& line) {
    const auto colon = line.text.find(": ");
    if (colon == Text::npos) return;
    const auto strip = [](Text text) {
      text = trim(text);
      if (text.size() > 1 && (text.front() == '"' || text.front() == '\''))
        text = text.substr(1, text.size() - 2);
      return text;
    };
    if (is_elsewhere(strip(line.text.substr(colon + 2))))
      elsewhere(package_of(strip(line.text.substr(0, colon))), strip(line.text.substr(colon + 2)),
                Severity::info);
  }

  const TextDiff& diff_;
  const ProtectedPaths& rules_;
  Signals& signals_;
  Text own_;
};

}  // namespace

void find_runner_sources(const TextDiff& diff, const ProtectedPaths& rules, Signals& signals) {
  SourceFinder(diff, rules, signals).look();
}

}  // namespace hydra::checks
