// Packages that the base does not have, and where they come from.
#include "tamper_cheats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::integrity;
using namespace hydra::integrity::testing_support;

class DependencyCheat : public Cheat {};

TEST_P(DependencyCheat, IsNamed) { expect_named(GetParam()); }

const Files kJest{
    {"package.json",
     "{\n  \"scripts\": {\"test\": \"jest\"},\n  \"devDependencies\": {\"jest\": \"^29.0.0\"}\n}\n"},
    {"pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"click>=8\"]\n"},
    {"requirements-dev.txt", "pytest==8.0\n"},
    {"go.mod", "module a\n\nrequire github.com/stretchr/testify v1.9.0\n"},
    {"Cargo.toml", "[package]\nname = \"a\"\n[dev-dependencies]\nrstest = \"0.18\"\n"}};

INSTANTIATE_TEST_SUITE_P(
    Dependencies, DependencyCheat,
    testing::Values(
        Row{"jest_of_a_file",
            kJest,
            {{"package.json", "{\"devDependencies\": {\"jest\": \"file:./fake\"}}\n"}},
            "new_dependency",
            kWarning,
            "package.json",
            1},
        Row{"jest_by_another_name",
            kJest,
            {{"package.json", "{\"devDependencies\": {\"\\u006aest\": \"npm:not-jest@1\"}}\n"}},
            "new_dependency",
            kWarning,
            "package.json",
            1},
        Row{"override",
            kJest,
            {{"package.json", "{\"overrides\": {\"jest\": {\"@jest/core\": \"link:./core\"}}}\n"}},
            "new_dependency",
            kWarning,
            "package.json",
            1},
        Row{"another_package",
            kJest,
            {{"package.json", "{\"dependencies\": {\"left-pad\": \"github:somebody/left-pad\"}}\n"}},
            "new_dependency",
            kWarning,
            "package.json",
            1},
        Row{"uv_source",
            kJest,
            {{"pyproject.toml",
              "[project]\nname = \"app\"\n[tool.uv.sources]\npytest = { path = \"fake\" }\n"}},
            "new_dependency",
            kWarning,
            "pyproject.toml",
            4},
        Row{"direct_reference",
            kJest,
            {{"pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"pytest @ file:///tmp/x\"]\n"}},
            "new_dependency",
            kWarning,
            "pyproject.toml",
            3},
        Row{"lock_file",
            {{"yarn.lock", "a@1:\n  resolved \"https://registry.yarnpkg.com/a/-/a-1.tgz#1\"\n"}},
            {{"yarn.lock", "a@1:\n  resolved \"http://127.0.0.1/a/-/a-1.tgz#1\"\n"}},
            "new_dependency",
            kWarning,
            "yarn.lock",
            0},
        Row{"requirements",
            kJest,
            {{"requirements-dev.txt", "pytest @ git+https://example.org/x\n"}},
            "new_dependency",
            kWarning,
            "requirements-dev.txt",
            1},
        Row{"requirements_path",
            kJest,
            {{"requirements-dev.txt", "pytest==8.0\n-e ./vendor/pytest/\n"}},
            "new_dependency",
            kWarning,
            "requirements-dev.txt",
            2},
        Row{"index",
            kJest,
            {{"requirements-dev.txt", "--index-url https://example.org\npytest==8.0\n"}},
            "new_dependency",
            kWarning,
            "requirements-dev.txt",
            1},
        Row{"go_replace",
            kJest,
            {{"go.mod", "module a\n\nreplace github.com/stretchr/testify => ./fake\n"}},
            "new_dependency",
            kWarning,
            "go.mod",
            3},
        Row{"cargo_patch",
            kJest,
            {{"Cargo.toml", "[package]\nname = \"a\"\n[patch.crates-io]\nrstest = { path = \"fake\" }\n"}},
            "new_dependency",
            kWarning,
            "Cargo.toml",
            4},
        Row{"of_the_registry",
            kJest,
            {{"pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"click>=8\", \"rich>=13\"]\n"}},
            "new_dependency",
            kInfo,
            "pyproject.toml",
            3},
        Row{"newer_version",
            kJest,
            {{"go.mod", "module a\n\nrequire github.com/stretchr/testify v1.10.0\n"}},
            "new_dependency",
            kInfo,
            "go.mod",
            3},
        Row{"crate_of_the_repository",
            kJest,
            {{"Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nb = { path = \"../b\" }\n"}},
            "new_dependency",
            kInfo,
            "Cargo.toml",
            4}),
    [](const auto& i) { return i.param.name; });

TEST(Dependencies, OtherAddressesOfAManifestAreNone) {
  const Files changed{
      {"package.json",
       "{\"homepage\": \"https://example.org\", \"repository\": {\"url\": \"git+https://example.org/a\"}}\n"},
      {"pyproject.toml",
       "[project]\nname = \"app\"\ndependencies = [\"click>=8\"]\n[project.urls]\nSource = "
       "\"https://example.org\"\n[tool.coverage.run]\nsource = [\"src/app\"]\n"}};
  const auto report = report_of({.base = kJest, .candidate = with(kJest, changed)});
  EXPECT_TRUE(report.findings.empty()) << shown(report);
}

}  // namespace
