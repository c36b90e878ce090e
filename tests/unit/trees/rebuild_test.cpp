#include "trees/rebuild.hpp"

#include "base/glob.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace hydra;
using namespace hydra::trees;
using Paths = std::vector<std::string>;

RebuildPlan plan(const Paths& base_paths, const std::vector<Change>& changes, RebuildContext context = {}) {
  const BaseTree base(base_paths);
  context.base = &base;
  return plan_rebuild(changes, context);
}

Paths paths_of(const std::vector<LeftOutPath>& list) {
  Paths out;
  for (const auto& entry : list) {
    EXPECT_FALSE(entry.reason.empty()) << entry.path;
    out.push_back(entry.path);
  }
  return out;
}

// --- one change against one base: section 1 rule 5, section 4 column by column

struct Row {
  const char* name;
  Paths base;
  Change change;
  bool setup_again, cold;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Rule : public testing::TestWithParam<Row> {};

TEST_P(Rule, SetsUpAndDropsOutputs) {
  const auto& row = GetParam();
  const auto p = plan(row.base, {row.change});
  EXPECT_EQ(p.setup_again, row.setup_again);
  EXPECT_EQ(p.drop_outputs, row.cold);
  EXPECT_EQ(p.reasons.empty(), !row.setup_again && !row.cold);
  EXPECT_TRUE(p.dropped.empty());
  EXPECT_TRUE(p.not_applied.empty());
}

constexpr auto kAdded = ChangeKind::added;
constexpr auto kModified = ChangeKind::modified;
constexpr auto kDeleted = ChangeKind::deleted;

const Paths kNpm{"package.json", "package-lock.json", "src/a.js", "README.md"};
const Paths kPnpm{"package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "packages/a/package.json"};
const Paths kYarn{"package.json", "yarn.lock", "src/a.ts"};
const Paths kBun{"package.json", "bun.lock", "src/a.ts"};
const Paths kPip{"pyproject.toml", "requirements.txt", "pkg/a.py", "tests/test_a.py"};
const Paths kUv{"pyproject.toml", "uv.lock", "pkg/a.py"};
const Paths kPoetry{"pyproject.toml", "poetry.lock", "pkg/a.py"};
const Paths kCargo{"Cargo.toml", "Cargo.lock", "src/lib.rs", "build.rs"};
const Paths kGo{"go.mod", "go.sum", "a.go", "a_test.go", "testdata/in.txt"};
const Paths kCmake{"CMakeLists.txt", "src/a.cpp", "include/a.h"};
const Paths kMeson{"meson.build", "src/a.c"};
const Paths kAutotools{"configure.ac", "Makefile.am", "src/a.c"};
const Paths kMaven{"pom.xml", "src/main/java/A.java"};
const Paths kGradle{"build.gradle.kts", "settings.gradle.kts", "src/main/java/A.java"};
const Paths kBundler{"Gemfile", "Gemfile.lock", "lib/a.rb", "spec/a_spec.rb"};
const Paths kComposer{"composer.json", "composer.lock", "src/A.php"};
const Paths kDotnet{"App.sln", "App/App.csproj", "App/Program.cs"};
const Paths kSwift{"Package.swift", "Sources/A/a.swift"};
const Paths kMix{"mix.exs", "mix.lock", "lib/a.ex"};
const Paths kMake{"Makefile", "a.c", "a.h"};

const Row kRows[] = {
    // Documents and plain source changes: incremental.
    {"document", kNpm, {"README.md"}, false, false},
    {"new_document", kCargo, {"docs/guide.md", kAdded}, false, false},
    {"npm_source", kNpm, {"src/a.js"}, false, false},
    {"npm_new_source", kNpm, {"src/b.js", kAdded}, false, false},
    {"pip_source", kPip, {"pkg/a.py"}, false, false},
    {"pip_test", kPip, {"tests/test_a.py"}, false, false},
    {"cargo_source", kCargo, {"src/lib.rs"}, false, false},
    {"cargo_new_source", kCargo, {"src/b.rs", kAdded}, false, false},
    {"go_source", kGo, {"a.go"}, false, false},
    {"go_test_data", kGo, {"testdata/in.txt"}, false, false},
    {"cmake_source", kCmake, {"src/a.cpp"}, false, false},
    {"maven_source", kMaven, {"src/main/java/A.java"}, false, false},
    {"gradle_source", kGradle, {"src/main/java/A.java"}, false, false},
    {"bundler_source", kBundler, {"lib/a.rb"}, false, false},
    {"composer_source", kComposer, {"src/A.php"}, false, false},
    {"dotnet_source", kDotnet, {"App/Program.cs"}, false, false},
    {"swift_source", kSwift, {"Sources/A/a.swift"}, false, false},
    {"mix_source", kMix, {"lib/a.ex"}, false, false},
    {"make_source", kMake, {"a.c"}, false, false},
    {"mode_only", kMake, {"a.c", kModified, "", 0100755, 0100644}, false, false},
    // Manifests and lock files: set-up again.
    {"npm_lock", kNpm, {"package-lock.json"}, true, false},
    {"npm_settings", kNpm, {".npmrc", kAdded}, true, false},
    {"npm_patch", kNpm, {"patches/left-pad+1.0.0.patch", kAdded}, true, false},
    {"npm_manifest", kNpm, {"package.json"}, true, true},
    {"pnpm_lock", kPnpm, {"pnpm-lock.yaml"}, true, false},
    {"pnpm_workspace", kPnpm, {"pnpm-workspace.yaml"}, true, false},
    {"pnpm_member", kPnpm, {"packages/a/package.json"}, true, true},
    {"pnpm_hooks", kPnpm, {".pnpmfile.cjs", kAdded}, true, false},
    {"yarn_lock", kYarn, {"yarn.lock"}, true, false},
    {"yarn_settings", kYarn, {".yarnrc.yml", kAdded}, true, false},
    {"bun_lock", kBun, {"bun.lock"}, true, false},
    {"pip_requirements", kPip, {"requirements.txt"}, true, false},
    {"pip_other_requirements", kPip, {"requirements-dev.txt", kAdded}, true, false},
    {"pip_requirements_directory", kPip, {"requirements/test.txt", kAdded}, true, false},
    {"pip_pyproject", kPip, {"pyproject.toml"}, true, true},
    {"uv_lock", kUv, {"uv.lock"}, true, false},
    {"poetry_lock", kPoetry, {"poetry.lock"}, true, false},
    {"cargo_manifest", kCargo, {"Cargo.toml"}, true, false},
    {"cargo_lock", kCargo, {"Cargo.lock"}, true, false},
    {"cargo_member", kCargo, {"crates/b/Cargo.toml", kAdded}, true, false},
    {"go_mod", kGo, {"go.mod"}, true, false},
    {"go_sum", kGo, {"go.sum"}, true, false},
    {"go_work", kGo, {"go.work", kAdded}, true, false},
    {"maven_manifest", kMaven, {"pom.xml"}, true, true},
    {"maven_module", kMaven, {"core/pom.xml", kAdded}, true, true},
    {"gradle_manifest", kGradle, {"build.gradle.kts"}, true, true},
    {"gradle_catalogue", kGradle, {"gradle/libs.versions.toml", kAdded}, true, true},
    {"bundler_manifest", kBundler, {"Gemfile"}, true, false},
    {"bundler_lock", kBundler, {"Gemfile.lock"}, true, false},
    {"bundler_gemspec", kBundler, {"a.gemspec", kAdded}, true, false},
    {"composer_manifest", kComposer, {"composer.json"}, true, false},
    {"composer_lock", kComposer, {"composer.lock"}, true, false},
    {"dotnet_project", kDotnet, {"App/App.csproj"}, true, true},
    {"swift_manifest", kSwift, {"Package.swift"}, true, true},
    {"mix_manifest", kMix, {"mix.exs"}, true, true},
    {"mix_lock", kMix, {"mix.lock"}, true, false},
    {"meson_wrap", kMeson, {"subprojects/zlib.wrap", kAdded}, true, true},
    {"cmake_packages", kCmake, {"conanfile.txt", kAdded}, true, true},
    {"manifest_of_test_data", kNpm, {"test/fixtures/app/package.json", kAdded}, false, true},
    {"manifest_of_another_tool", kGo, {"Cargo.lock", kAdded}, false, false},
    {"no_marker_at_all", {"a.txt"}, {"Cargo.lock", kAdded}, true, false},
    // Gone or renamed: cold.
    {"npm_deleted", kNpm, {"src/a.js", kDeleted, "", 0}, false, true},
    {"pip_deleted_test", kPip, {"tests/test_a.py", kDeleted, "", 0}, false, true},
    {"cargo_deleted", kCargo, {"src/lib.rs", kDeleted, "", 0}, false, true},
    {"make_deleted", kMake, {"a.c", kDeleted, "", 0}, false, true},
    {"maven_deleted", kMaven, {"src/main/java/A.java", kDeleted, "", 0}, false, true},
    {"cargo_renamed", kCargo, {"src/b.rs", ChangeKind::renamed, "src/lib.rs"}, false, true},
    {"deleted_document", kNpm, {"README.md", kDeleted, "", 0}, false, true},
    {"deleted_manifest", kNpm, {"package-lock.json", kDeleted, "", 0}, true, true},
    // The set-up configures the build directory, so a cold build needs the set-up again.
    {"cmake_deleted", kCmake, {"src/a.cpp", kDeleted, "", 0}, true, true},
    {"meson_deleted", kMeson, {"src/a.c", kDeleted, "", 0}, true, true},
    {"dotnet_deleted", kDotnet, {"App/Program.cs", kDeleted, "", 0}, true, true},
    {"cmake_lists", kCmake, {"CMakeLists.txt"}, true, true},
    {"cmake_module", kCmake, {"cmake/Flags.cmake", kAdded}, true, true},
    {"cmake_presets", kCmake, {"CMakePresets.json", kAdded}, true, true},
    {"meson_build", kMeson, {"meson.build"}, true, true},
    {"autotools", kAutotools, {"configure.ac"}, true, true},
    // Globs are read at configuration only.
    {"cmake_new_source", kCmake, {"src/b.cpp", kAdded}, true, false},
    {"composer_new_class", kComposer, {"src/B.php", kAdded}, true, false},
    // Configuration of compiler, build and tests: cold.
    {"tsconfig", kYarn, {"tsconfig.json", kAdded}, false, true},
    {"tsconfig_variant", kYarn, {"packages/a/tsconfig.build.json", kAdded}, false, true},
    {"jest", kNpm, {"jest.config.ts", kAdded}, false, true},
    {"vitest", kNpm, {"vitest.config.mts", kAdded}, false, true},
    {"babel", kNpm, {".babelrc.json", kAdded}, false, true},
    {"conftest", kPip, {"tests/conftest.py", kAdded}, false, true},
    {"pytest_ini", kPip, {"pytest.ini", kAdded}, false, true},
    {"tox_ini", kPip, {"tox.ini", kAdded}, false, true},
    {"build_script", kCargo, {"build.rs"}, false, true},
    {"cargo_config", kCargo, {".cargo/config.toml", kAdded}, true, true},
    {"rust_toolchain", kCargo, {"rust-toolchain.toml", kAdded}, true, true},
    {"node_version", kNpm, {".nvmrc", kAdded}, true, true},
    {"maven_settings", kMaven, {".mvn/maven.config", kAdded}, true, true},
    {"gradle_properties", kGradle, {"gradle.properties", kAdded}, true, true},
    {"rspec", kBundler, {"spec/spec_helper.rb", kAdded}, false, true},
    {"phpunit", kComposer, {"phpunit.xml.dist", kAdded}, false, true},
    {"mix_config", kMix, {"config/test.exs", kAdded}, false, true},
    {"makefile", kMake, {"Makefile"}, false, true},
    {"make_include", kMake, {"rules.mk", kAdded}, false, true},
    // A header of a name that is included already may be found first.
    {"make_shadowing_header", kMake, {"include/a.h", kAdded}, false, true},
    {"make_new_header", kMake, {"include/b.h", kAdded}, false, false},
    // Links, kinds of files and submodules.
    {"file_becomes_link", kNpm, {"src/a.js", ChangeKind::type_changed, "", 0120000, 0100644}, false, true},
    {"link_becomes_file", kNpm, {"src/a.js", ChangeKind::type_changed, "", 0100644, 0120000}, false, true},
    {"changed_kind_as_modified", kNpm, {"src/a.js", kModified, "", 0120000, 0100644}, false, true},
    {"new_link", kNpm, {"src/b.js", kAdded, "", 0120000, 0}, false, true},
    {"submodule_moved", kNpm, {"lib/sub", kModified, "", 0160000, 0160000}, true, true},
    {"submodule_new", kNpm, {"lib/sub", kAdded, "", 0160000, 0}, true, true},
    {"submodule_becomes_file", kNpm, {"lib/sub", ChangeKind::type_changed, "", 0100644, 0160000}, true, true},
    {"submodule_gone", kNpm, {"lib/sub", kDeleted, "", 0, 0160000}, false, true},
    {"gitmodules", kNpm, {".gitmodules"}, false, true},
};

INSTANTIATE_TEST_SUITE_P(Table, Rule, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

// --- every tool's own table

TEST(Tools, EveryManifestOfEveryToolMeansSetUpAgain) {
  int seen = 0;
  for (const auto& tool : config::ecosystems()) {
    std::string marker(tool.markers.front());
    std::replace(marker.begin(), marker.end(), '*', 'x');
    for (const auto pattern : tool.manifests) {
      std::string path(pattern);
      path.erase(std::remove(path.begin(), path.end(), '*'), path.end());
      if (path.ends_with('/')) path += "x";
      const auto p = plan({marker, path}, {{path}});
      EXPECT_TRUE(p.setup_again) << tool.name << " " << path;
      EXPECT_EQ(p.writes, (Paths{path})) << tool.name;
      ++seen;
    }
  }
  EXPECT_GE(seen, 60);
}

TEST(Tools, EveryConfigurationOfEveryToolMeansCold) {
  for (const auto& tool : config::ecosystems()) {
    std::string marker(tool.markers.front());
    std::replace(marker.begin(), marker.end(), '*', 'x');
    for (const auto pattern : tool.configuration) {
      std::string path(pattern);
      path.erase(std::remove(path.begin(), path.end(), '*'), path.end());
      if (path.ends_with('/') || path.ends_with('.')) path += "x";
      EXPECT_TRUE(plan({marker, path}, {{path}}).drop_outputs) << tool.name << " " << path;
    }
  }
}

// --- section 8: what is never applied

struct Hostile {
  const char* name;
  const char* path;
  std::uint32_t mode;
};

class DroppedKind : public testing::TestWithParam<Hostile> {};

TEST_P(DroppedKind, NewInADiff) {
  const auto& row = GetParam();
  const auto p = plan({"pyproject.toml", "package.json", "CMakeLists.txt", "src/a.py"},
                      {{row.path, kAdded, "", row.mode, 0}, {"src/a.py"}});
  EXPECT_EQ(paths_of(p.dropped), (Paths{row.path}));
  EXPECT_TRUE(p.not_applied.empty());
  EXPECT_EQ(p.writes, (Paths{"src/a.py"}));
  EXPECT_FALSE(p.setup_again);  // what is dropped decides nothing
  EXPECT_FALSE(p.drop_outputs);
}

const Hostile kHostile[] = {
    {"forced_runner", "node_modules/jest/bin/jest.js", 0100755},
    {"forced_manifest", "node_modules/jest/package.json", 0100644},
    {"member", "packages/a/node_modules/x/index.js", 0100644},
    {"link_to_dependencies", "node_modules", 0120000},
    {"byte_code", "src/a.pyc", 0100644},
    {"cached_byte_code", "src/__pycache__/a.cpython-311.pyc", 0100644},
    {"extension_module", "src/a.cpython-311-x86_64-linux-gnu.so", 0100755},
    {"site", "sitecustomize.py", 0100644},
    {"deep_site", "src/usercustomize.py", 0100644},
    {"path_file", "evil.pth", 0100644},
    {"installed", "src/pkg.dist-info/entry_points.txt", 0100644},
    {"class_file", "src/A.class", 0100644},
    {"object", "src/a.o", 0100644},
    {"archive", "lib/libg.a", 0100644},
    {"compiler_state", "tsconfig.tsbuildinfo", 0100644},
    {"linter_cache", ".eslintcache", 0100644},
    {"ninja_log", "out/.ninja_log", 0100644},
    {"cmake_cache", "out/CMakeCache.txt", 0100644},
    {"beam", "ebin/a.beam", 0100644},
};

INSTANTIATE_TEST_SUITE_P(Table, DroppedKind, testing::ValuesIn(kHostile),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Dropped, NotWhereTheBaseTracksTheKind) {
  const Paths base{"pyproject.toml", "tests/data/old.pyc", "src/a.py"};
  const auto p = plan(base, {{"tests/data/new.pyc", kAdded}, {"tests/data/old.pyc"}, {"x.class", kAdded}});
  EXPECT_EQ(p.writes, (Paths{"tests/data/new.pyc", "tests/data/old.pyc"}));
  EXPECT_EQ(paths_of(p.dropped), (Paths{"x.class"}));
}

TEST(Dropped, ARenameStillDeletesTheOldPath) {
  const auto p = plan(kPip, {{"pkg/a.pyc", ChangeKind::renamed, "pkg/a.py"}});
  EXPECT_EQ(p.deletions, (Paths{"pkg/a.py"}));
  EXPECT_TRUE(p.writes.empty());
  EXPECT_EQ(paths_of(p.dropped), (Paths{"pkg/a.pyc"}));
  EXPECT_TRUE(p.drop_outputs);
}

RebuildContext warm() {
  RebuildContext context;
  context.share = {"**/node_modules", "vendor/bundle", "third/deps"};
  context.outputs = {"dist", "**/*.out"};
  context.copy = {".env"};
  context.ignored = [](std::string_view path) { return covered_by({"**/*.log", "secret"}, path); };
  return context;
}

TEST(NotApplied, SharedCopiedOutputsAndIgnoredPaths) {
  const Paths hostile{"node_modules/jest/bin/jest.js",
                      "packages/a/node_modules/b/x.js",
                      "vendor/bundle/x.rb",
                      "dist/index.js",
                      "lib/a.out",
                      ".env",
                      "x.log",
                      "secret/key"};
  std::vector<Change> changes;
  for (const auto& path : hostile) changes.push_back({path, kAdded});
  changes.push_back({"src/b.js", kAdded});
  const auto p = plan(kNpm, changes, warm());
  EXPECT_EQ(paths_of(p.not_applied), hostile);
  EXPECT_EQ(p.writes, (Paths{"src/b.js"}));
  EXPECT_FALSE(p.setup_again);
  EXPECT_FALSE(p.drop_outputs);
}

TEST(NotApplied, NeverWhatTheBaseTracks) {
  const Paths base{"package.json", "dist/index.js", "node_modules/own/x.js", "kept.log",
                   "vendor/bundle/a.rb"};
  const auto p = plan(
      base,
      {{"dist/index.js"}, {"node_modules/own/x.js"}, {"kept.log"}, {"vendor/bundle/a.rb", kDeleted, "", 0}},
      warm());
  EXPECT_TRUE(p.not_applied.empty());
  EXPECT_TRUE(p.dropped.empty());
  EXPECT_EQ(p.writes, (Paths{"dist/index.js", "node_modules/own/x.js", "kept.log"}));
  EXPECT_EQ(p.deletions, (Paths{"vendor/bundle/a.rb"}));
}

TEST(NotApplied, ALinkInThePlaceOfADirectoryAboveASharedOne) {
  const auto p = plan(
      kBundler, {{"vendor", kAdded, "", 0120000, 0}, {"third", kAdded}, {"vendored", kAdded, "", 0120000, 0}},
      warm());
  EXPECT_EQ(paths_of(p.not_applied), (Paths{"vendor", "third"}));
  EXPECT_EQ(p.writes, (Paths{"vendored"}));
}

TEST(NotApplied, ALinkOverTheSharedDirectoryItself) {
  const auto p = plan(kNpm, {{"node_modules", kAdded, "", 0120000, 0}}, warm());
  EXPECT_EQ(paths_of(p.not_applied), (Paths{"node_modules"}));
}

TEST(NotApplied, PathsThatNoTreeHas) {
  const Paths bad{
      "",    "/etc/passwd",         "../x", "a/../../x", ".git/hooks/pre-commit", "a/.GIT/config", "a//b",
      "./a", std::string("a\0b", 3)};
  std::vector<Change> changes;
  for (const auto& path : bad) changes.push_back({path, kAdded});
  changes.push_back({"ok", ChangeKind::renamed, "../from"});
  const auto p = plan(kNpm, changes, warm());
  EXPECT_EQ(p.not_applied.size(), bad.size() + 1);
  EXPECT_TRUE(p.writes.empty());
  EXPECT_TRUE(p.deletions.empty());
}

// --- more than one change

TEST(Changes, ARenamedDirectory) {
  const Paths base{"Cargo.toml", "crates/a/Cargo.toml", "crates/a/src/lib.rs"};
  const auto p = plan(base, {{"crates/b/Cargo.toml", ChangeKind::renamed, "crates/a/Cargo.toml"},
                             {"crates/b/src/lib.rs", ChangeKind::renamed, "crates/a/src/lib.rs"}});
  EXPECT_EQ(p.deletions, (Paths{"crates/a/Cargo.toml", "crates/a/src/lib.rs"}));
  EXPECT_EQ(p.writes, (Paths{"crates/b/Cargo.toml", "crates/b/src/lib.rs"}));
  EXPECT_TRUE(p.setup_again);
  EXPECT_TRUE(p.drop_outputs);
}

TEST(Changes, ADirectoryThatBecomesALink) {
  const auto p =
      plan({"Makefile", "src/a.c"}, {{"src/a.c", kDeleted, "", 0}, {"src", kAdded, "", 0120000, 0}});
  EXPECT_EQ(p.deletions, (Paths{"src/a.c"}));
  EXPECT_EQ(p.writes, (Paths{"src"}));
  EXPECT_TRUE(p.drop_outputs);
}

TEST(Changes, NoneAtAllIsAWarmBuild) {
  const auto p = plan(kCargo, {});
  EXPECT_FALSE(p.setup_again || p.drop_outputs);
  EXPECT_TRUE(p.reasons.empty());
}

TEST(Changes, ReasonsAreFewAndPrintable) {
  std::vector<Change> changes;
  for (int i = 0; i < 1000; ++i) changes.push_back({"a\x1b[2J" + std::to_string(i) + ".js", kDeleted, "", 0});
  const auto p = plan(kNpm, changes);
  ASSERT_FALSE(p.reasons.empty());
  EXPECT_LE(p.reasons.size(), kMostReasons);
  EXPECT_EQ(p.reasons[0].find('\x1b'), std::string::npos);
  EXPECT_EQ(p.deletions.size(), 1000u);
}

// --- commands

TEST(Commands, FilesThatTheyNameCount) {
  RebuildContext context;
  context.setup = "./scripts/bootstrap.sh --fast && pip install -r deps/dev.txt";
  context.commands = {"sh tools/build.sh", "python run_tests.py --config=ci.yaml"};
  const Paths base{"scripts/bootstrap.sh", "deps/dev.txt", "tools/build.sh",
                   "run_tests.py",         "ci.yaml",      "x.py"};
  const auto of = [&](const char* path) {
    const auto p = plan(base, {{path}}, context);
    return std::pair(p.setup_again, p.drop_outputs);
  };
  EXPECT_EQ(of("scripts/bootstrap.sh"), std::pair(true, false));
  EXPECT_EQ(of("deps/dev.txt"), std::pair(true, false));
  EXPECT_EQ(of("tools/build.sh"), std::pair(false, true));
  EXPECT_EQ(of("run_tests.py"), std::pair(false, true));
  EXPECT_EQ(of("ci.yaml"), std::pair(false, true));
  EXPECT_EQ(of("x.py"), std::pair(false, false));
  EXPECT_EQ(of("build.sh"), std::pair(false, false));
}

TEST(Commands, ExtensionsThatTheSetUpCompiles) {
  const Paths base{"pyproject.toml", "setup.py", "src/_speed.c", "src/a.py"};
  for (const auto* setup : {"python -m pip install -e .", ".venv/bin/pip3 install -e .", "uv sync",
                            "python setup.py develop", "maturin develop"}) {
    RebuildContext context;
    context.setup = setup;
    EXPECT_TRUE(plan(base, {{"src/_speed.c"}}, context).setup_again) << setup;
    EXPECT_FALSE(plan(base, {{"src/a.py"}}, context).setup_again) << setup;
  }
  RebuildContext context;
  context.setup = "make pipeline";
  EXPECT_FALSE(plan(base, {{"src/_speed.c"}}, context).setup_again);
  EXPECT_TRUE(plan({"package.json", "binding.gyp", "src/a.cc"}, {{"src/a.cc"}}).setup_again);
}

// --- the base

TEST(Base, Predicates) {
  const BaseTree base({"src/b.c", "a", "src.c"});
  EXPECT_TRUE(base.tracks("a"));
  EXPECT_FALSE(base.tracks("src"));
  EXPECT_TRUE(base.tracks_below("src"));
  EXPECT_FALSE(base.tracks_below("a"));
  EXPECT_FALSE(base.tracks_below("sr"));
  EXPECT_TRUE(base.tracks_name("b.c"));
  EXPECT_FALSE(base.tracks_name("c"));
}

}  // namespace
