#include "config/ecosystem.hpp"

#include "base/strings.hpp"
#include "config/toolchains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace {

using namespace hydra;
using Names = std::vector<std::string>;

Names detected(const Names& paths) {
  Names names;
  for (const auto* tool : config::detect_ecosystems(paths)) names.emplace_back(tool->name);
  return names;
}

TEST(Ecosystems, ByTheirFiles) {
  EXPECT_EQ(detected({"package.json"}), (Names{"npm"}));
  EXPECT_EQ(detected({"package.json", "package-lock.json"}), (Names{"npm"}));
  EXPECT_EQ(detected({"package.json", "pnpm-lock.yaml"}), (Names{"pnpm"}));
  EXPECT_EQ(detected({"package.json", "yarn.lock"}), (Names{"yarn"}));
  EXPECT_EQ(detected({"package.json", "bun.lockb"}), (Names{"bun"}));
  EXPECT_EQ(detected({"package.json", "pnpm-lock.yaml", "tools/package-lock.json"}), (Names{"pnpm", "npm"}));
  EXPECT_EQ(detected({"pyproject.toml"}), (Names{"pip"}));
  EXPECT_EQ(detected({"pyproject.toml", "uv.lock"}), (Names{"uv"}));
  EXPECT_EQ(detected({"pyproject.toml", "poetry.lock"}), (Names{"poetry"}));
  EXPECT_EQ(detected({"requirements-dev.txt"}), (Names{"pip"}));
  EXPECT_EQ(detected({"Cargo.toml"}), (Names{"cargo"}));
  EXPECT_EQ(detected({"go.mod"}), (Names{"go"}));
  EXPECT_EQ(detected({"CMakeLists.txt", "Makefile"}), (Names{"cmake", "make"}));
  EXPECT_EQ(detected({"meson.build"}), (Names{"meson"}));
  EXPECT_EQ(detected({"configure.ac", "Makefile.am"}), (Names{"autotools"}));
  EXPECT_EQ(detected({"pom.xml"}), (Names{"maven"}));
  EXPECT_EQ(detected({"app/build.gradle.kts"}), (Names{"gradle"}));
  EXPECT_EQ(detected({"Gemfile"}), (Names{"bundler"}));
  EXPECT_EQ(detected({"composer.json"}), (Names{"composer"}));
  EXPECT_EQ(detected({"src/App/App.csproj"}), (Names{"dotnet"}));
  EXPECT_EQ(detected({"Package.swift"}), (Names{"swift"}));
  EXPECT_EQ(detected({"mix.exs"}), (Names{"mix"}));
  EXPECT_EQ(detected({}), Names{});
}

TEST(Ecosystems, SeveralInOneRepository) {
  EXPECT_EQ(detected({"web/package-lock.json", "web/package.json", "server/go.mod", "Makefile"}),
            (Names{"npm", "go", "make"}));
}

TEST(Ecosystems, NotByTestDataOrForeignCode) {
  EXPECT_EQ(detected({"tests/fixtures/app/package-lock.json", "vendor/x/Makefile",
                      "node_modules/a/Cargo.toml", "testdata/go.mod", "third_party/z/CMakeLists.txt"}),
            Names{});
}

TEST(Ecosystems, TheTableIsSound) {
  std::set<std::string_view> names;
  for (const auto& tool : config::ecosystems()) {
    EXPECT_TRUE(names.insert(tool.name).second) << tool.name;
    EXPECT_FALSE(tool.markers.empty()) << tool.name;
    EXPECT_EQ(config::find_ecosystem(tool.name), &tool);
    for (const auto cache : tool.caches) EXPECT_NE(config::find_cache(cache), nullptr) << cache;
    // Section 6: CI changes verdicts and is never set.
    for (const auto& list : {tool.always, tool.offline})
      for (const auto& variable : list) EXPECT_NE(variable.name, "CI") << tool.name;
  }
  EXPECT_EQ(config::find_ecosystem("no-such-tool"), nullptr);
}

std::string value(const config::Environment& environment, const std::string& name) {
  for (const auto& [key, text] : environment)
    if (key == name) return text;
  return "(none)";
}

config::Environment environment(const Names& paths, config::Environment user, bool network) {
  return config::check_environment(config::detect_ecosystems(paths), std::move(user), network);
}

TEST(PatternIndex, FindsWhatTryingEachPatternFinds) {
  std::vector<std::string_view> patterns{"*",      "*.d.ts",   "a*b", "x/*/y",    "**/z", "./w",
                                         "tests*", "[x].toml", ".*",  "*_test.*", "d/**", "*.c*"};
  for (const auto& tool : config::ecosystems())
    for (const auto* list :
         {&tool.markers, &tool.manifests, &tool.configuration, &tool.sources, &tool.dropped})
      patterns.insert(patterns.end(), list->begin(), list->end());
  for (const auto& row : config::toolchains().protected_rows)
    patterns.insert(patterns.end(), row.patterns.begin(), row.patterns.end());
  ASSERT_GT(patterns.size(), 300u);
  // Each pattern read as a path, as it is and changed a little, and some others.
  std::vector<std::string> paths{"",         "a",           "x/1/y",  "p/x/1/y/q", "w",
                                 "[x].toml", ".hidden/d/e", "q.d.ts", "d"};
  for (const auto pattern : patterns) {
    for (const char* star : {"", "x", "a.b", "n/m"}) {
      auto path = replace_all(std::string(pattern), "**", "p/q");
      path = replace_all(path, "*", star);
      paths.insert(paths.end(), {path, "above/" + path, path + "/below", path + "x", "x" + path});
    }
  }
  config::PatternIndex index;
  for (std::size_t i = 0; i < patterns.size(); ++i) index.add(patterns[i], i);
  for (const auto& path : paths) {
    auto found = index.of(path);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      if (config::names_one_of({&patterns[i], 1}, path)) expected.push_back(i);
    ASSERT_EQ(found, expected) << path;
  }
}

TEST(CheckEnvironment, OfflinePerTool) {
  const auto node = environment({"package-lock.json"}, {{"PATH", "/bin"}}, false);
  EXPECT_EQ(value(node, "npm_config_offline"), "true");
  EXPECT_EQ(value(node, "npm_config_audit"), "false");
  EXPECT_EQ(value(node, "npm_config_fund"), "false");
  EXPECT_EQ(value(node, "npm_config_update_notifier"), "false");
  EXPECT_EQ(value(node, "PATH"), "/bin");
  EXPECT_EQ(value(node, "CI"), "(none)");
  EXPECT_EQ(value(environment({"pnpm-lock.yaml"}, {}, false), "COREPACK_ENABLE_NETWORK"), "0");
  EXPECT_EQ(value(environment({"setup.py"}, {}, false), "PIP_NO_INDEX"), "1");
  EXPECT_EQ(value(environment({"Cargo.toml"}, {}, false), "CARGO_NET_OFFLINE"), "true");
  EXPECT_EQ(value(environment({"go.mod"}, {}, false), "GOPROXY"), "off");
  EXPECT_EQ(value(environment({"go.mod"}, {}, false), "GOTOOLCHAIN"), "local");
  EXPECT_EQ(value(environment({"Gemfile"}, {}, false), "BUNDLE_FROZEN"), "true");
  EXPECT_EQ(value(environment({"composer.json"}, {}, false), "COMPOSER_DISABLE_NETWORK"), "1");
}

TEST(CheckEnvironment, WithNetworkOnlyWhatVerdictsNeed) {
  EXPECT_EQ(value(environment({"package-lock.json"}, {}, true), "npm_config_offline"), "(none)");
  const auto go = environment({"go.mod"}, {}, true);
  EXPECT_EQ(value(go, "GOFLAGS"), "-count=1");
  EXPECT_EQ(value(go, "GOPROXY"), "(none)");
  EXPECT_EQ(value(environment({"build.gradle"}, {}, true), "GRADLE_OPTS"), "-Dorg.gradle.daemon=false");
}

TEST(CheckEnvironment, TheUsersOwnFlagsStay) {
  EXPECT_EQ(value(environment({"go.mod"}, {{"GOFLAGS", "-tags=x"}}, false), "GOFLAGS"), "-tags=x -count=1");
  EXPECT_EQ(value(environment({"go.mod"}, {{"GOFLAGS", "-count=1"}}, false), "GOFLAGS"), "-count=1");
  EXPECT_EQ(value(environment({"go.mod"}, {{"GOPROXY", "https://x"}}, false), "GOPROXY"), "off");
}

TEST(Caches, NamesBecomePlacesBelowHome) {
  const auto places =
      config::cache_places({"npm", "go-mod", "cargo", "~/.cache/my//tool/", "~/.cargo", "nonsense"});
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places[0].directory, ".npm");
  EXPECT_EQ(places[1].directory, "go/pkg/mod");
  EXPECT_EQ(places[1].mode, config::CacheMode::read_only);
  EXPECT_EQ(places[2].directory, ".cargo");
  EXPECT_EQ(places[2].mode, config::CacheMode::overlay);
  EXPECT_EQ(places[3].directory, ".cache/my/tool");
}

Names hidden(const std::string& entry) {
  const auto places = config::cache_places({entry});
  return places.empty() ? Names{"(no place)"} : places[0].hidden;
}

bool has(const Names& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

TEST(Caches, FilesOfKeysAreHidden) {
  EXPECT_TRUE(has(hidden("cargo"), "credentials.toml"));
  EXPECT_TRUE(has(hidden("cargo"), "credentials"));
  EXPECT_TRUE(has(hidden("~/.cargo"), "credentials.toml"));  // by path as by name
  EXPECT_TRUE(has(hidden("m2"), "settings.xml"));
  EXPECT_TRUE(has(hidden("gradle"), "daemon"));
  EXPECT_TRUE(has(hidden("gradle"), "gradle.properties"));
  EXPECT_TRUE(has(hidden("~/.cache"), "composer/auth.json"));  // also from a directory above
}

TEST(Caches, EveryNameOfTheIssueIsKnown) {
  for (const auto* name : {"npm", "pnpm", "cargo", "go-build", "go-mod", "ccache", "m2", "gradle", "pip",
                           "uv", "bundler", "composer", "playwright"}) {
    EXPECT_NE(config::find_cache(name), nullptr) << name;
    EXPECT_FALSE(config::check_cache(name)) << name;
  }
}

TEST(Caches, RefusedPlaces) {
  for (const auto* entry : {"~", "~/", "~/.", "~/..", "~/.ssh", "~/.ssh/x", "~/.npmrc", "~/.config",
                            "~/.config/gh", "~/.m2/settings.xml", "~/.gradle/daemon/8.5", "~/./.aws", "/tmp",
                            "relative/x", "", "NPM", "~/.claude", "~/.local", "~/x\ny"})
    EXPECT_TRUE(config::check_cache(entry)) << entry;
  for (const auto* entry : {"~/.cache", "~/.cache/tool", "~/.m2/repository", "~/.gradle/caches", "~/sdk"})
    EXPECT_FALSE(config::check_cache(entry)) << entry << ": " << *config::check_cache(entry);
}

}  // namespace
