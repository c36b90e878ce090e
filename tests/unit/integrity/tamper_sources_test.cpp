// Where packages come from.
#include "tamper_cheats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::integrity;
using namespace hydra::integrity::testing_support;

class SourceCheat : public Cheat {};

TEST_P(SourceCheat, IsNamed) { expect_named(GetParam()); }

const Files kJest{
    {"package.json",
     "{\n  \"scripts\": {\"test\": \"jest\"},\n  \"devDependencies\": {\"jest\": \"^29.0.0\"}\n}\n"},
    {"pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"click>=8\"]\n"},
    {"requirements-dev.txt", "pytest==8.0\n"},
    {"go.mod", "module a\n\nrequire github.com/stretchr/testify v1.9.0\n"},
    {"Cargo.toml", "[package]\nname = \"a\"\n[dev-dependencies]\nrstest = \"0.18\"\n"}};

INSTANTIATE_TEST_SUITE_P(
    Sources, SourceCheat,
    testing::Values(
        Row{"jest_of_a_file",
            kJest,
            {{"package.json", "{\"devDependencies\": {\"jest\": \"file:./fake\"}}\n"}},
            "runner_source",
            kWarning,
            "package.json",
            0},
        Row{"jest_by_another_name",
            kJest,
            {{"package.json", "{\"devDependencies\": {\"\\u006aest\": \"npm:not-jest@1\"}}\n"}},
            "runner_source",
            kWarning,
            "package.json",
            0},
        Row{"override",
            kJest,
            {{"package.json", "{\"overrides\": {\"jest\": {\"@jest/core\": \"link:./core\"}}}\n"}},
            "runner_source",
            kWarning,
            "package.json",
            0},
        Row{"another_package",
            kJest,
            {{"package.json", "{\"dependencies\": {\"left-pad\": \"github:somebody/left-pad\"}}\n"}},
            "runner_source",
            kWarning,
            "package.json",
            0},
        Row{"uv_source",
            kJest,
            {{"pyproject.toml",
              "[project]\nname = \"app\"\n[tool.uv.sources]\npytest = { path = \"fake\" }\n"}},
            "runner_source",
            kWarning,
            "pyproject.toml",
            0},
        Row{"direct_reference",
            kJest,
            {{"pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"pytest @ file:///tmp/x\"]\n"}},
            "runner_source",
            kWarning,
            "pyproject.toml",
            0},
        Row{"lock_file",
            {{"yarn.lock", "a@1:\n  resolved \"https://registry.yarnpkg.com/a/-/a-1.tgz#1\"\n"}},
            {{"yarn.lock", "a@1:\n  resolved \"http://127.0.0.1/a/-/a-1.tgz#1\"\n"}},
            "runner_source",
            kWarning,
            "yarn.lock",
            0},
        Row{"requirements",
            kJest,
            {{"requirements-dev.txt", "pytest @ git+https://example.org/x\n"}},
            "runner_source",
            kWarning,
            "requirements-dev.txt",
            1},
        Row{"requirements_path",
            kJest,
            {{"requirements-dev.txt", "pytest==8.0\n-e ./vendor/pytest/\n"}},
            "runner_source",
            kWarning,
            "requirements-dev.txt",
            2},
        Row{"index",
            kJest,
            {{"requirements-dev.txt", "--index-url https://example.org\npytest==8.0\n"}},
            "runner_source",
            kWarning,
            "requirements-dev.txt",
            1},
        Row{"go_replace",
            kJest,
            {{"go.mod", "module a\n\nreplace github.com/stretchr/testify => ./fake\n"}},
            "runner_source",
            kWarning,
            "go.mod",
            3},
        Row{"cargo_patch",
            kJest,
            {{"Cargo.toml", "[package]\nname = \"a\"\n[patch.crates-io]\nrstest = { path = \"fake\" }\n"}},
            "runner_source",
            kWarning,
            "Cargo.toml",
            0}),
    [](const auto& i) { return i.param.name; });

}  // namespace
