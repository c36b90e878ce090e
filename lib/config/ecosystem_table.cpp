// config: the table of build tools (toolchains reference, sections 4, 6, 8 and 9).
#include "config/ecosystem.hpp"

namespace hydra::config {
namespace {

using Text = std::string_view;

// --- JavaScript and TypeScript: four installers over one world of tools
constexpr Text kNodeConfiguration[] = {"package.json",
                                       "tsconfig*.json",
                                       "jsconfig.json",
                                       "jest.config.*",
                                       "jest.setup.*",
                                       "jest.preset.*",
                                       "vitest.config.*",
                                       "vitest.workspace.*",
                                       "vitest.setup.*",
                                       "vite.config.*",
                                       "babel.config.*",
                                       ".babelrc*",
                                       ".swcrc",
                                       "webpack.*.js",
                                       "webpack.*.ts",
                                       "rollup.config.*",
                                       "rspack.config.*",
                                       "esbuild.config.*",
                                       "tsup.config.*",
                                       "tsdown.config.*",
                                       "postcss.config.*",
                                       "tailwind.config.*",
                                       "next.config.*",
                                       "nuxt.config.*",
                                       "svelte.config.*",
                                       "astro.config.*",
                                       "angular.json",
                                       "nx.json",
                                       "project.json",
                                       "turbo.json",
                                       "lerna.json",
                                       "rush.json",
                                       ".mocharc*",
                                       "ava.config.*",
                                       "karma.conf.*",
                                       "cypress.config.*",
                                       "playwright.config.*",
                                       "wdio.conf.*",
                                       ".nycrc*",
                                       ".c8rc*",
                                       ".browserslistrc",
                                       "gulpfile.*",
                                       "Gruntfile.*",
                                       "binding.gyp"};
constexpr Text kNodeSources[] = {"*.js",   "*.jsx",  "*.mjs",    "*.cjs",     "*.ts",    "*.tsx",
                                 "*.mts",  "*.cts",  "*.svelte", "*.vue",     "*.astro", "*.css",
                                 "*.scss", "*.less", "*.html",   "*.graphql", "*.wasm"};
constexpr WarmDirectory kNodeDirectories[] = {
    {"node_modules", true, true}, {"dist", false, true}, {"*.tsbuildinfo", false, true}};
constexpr Text kNodeDropped[] = {
    "node_modules/**",  "*.tsbuildinfo",     ".eslintcache",   ".stylelintcache",   ".prettiercache",
    ".parcel-cache/**", ".turbo/**",         ".nx/cache/**",   ".next/**",          ".nuxt/**",
    ".svelte-kit/**",   ".angular/cache/**", ".nyc_output/**", ".yarn/unplugged/**"};
constexpr Variable kNpmOffline[] = {{"npm_config_offline", "true"},
                                    {"npm_config_audit", "false"},
                                    {"npm_config_fund", "false"},
                                    {"npm_config_update_notifier", "false"}};
constexpr Variable kPnpmOffline[] = {{"npm_config_offline", "true"},
                                     {"npm_config_audit", "false"},
                                     {"npm_config_fund", "false"},
                                     {"npm_config_update_notifier", "false"},
                                     {"COREPACK_ENABLE_NETWORK", "0"}};
constexpr Variable kYarnOffline[] = {{"npm_config_offline", "true"},
                                     {"YARN_ENABLE_NETWORK", "0"},
                                     {"YARN_ENABLE_TELEMETRY", "0"},
                                     {"COREPACK_ENABLE_NETWORK", "0"}};

constexpr Text kNpmMarkers[] = {"package-lock.json", "npm-shrinkwrap.json", "package.json"};
constexpr Text kNpmManifests[] = {"package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc",
                                  "patches/*.patch"};
constexpr Text kNpmCaches[] = {"npm"};
constexpr Text kPnpmMarkers[] = {"pnpm-lock.yaml", "pnpm-workspace.yaml"};
constexpr Text kPnpmManifests[] = {"package.json",  "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc",
                                   ".pnpmfile.cjs", ".pnpmfile.mjs",  "patches/*.patch"};
constexpr Text kPnpmCaches[] = {"pnpm"};
constexpr Text kYarnMarkers[] = {"yarn.lock", ".yarnrc.yml"};
constexpr Text kYarnManifests[] = {"package.json", "yarn.lock",       ".yarnrc",          ".yarnrc.yml",
                                   ".pnp.cjs",     ".yarn/patches/*", ".yarn/plugins/**", ".yarn/releases/*"};
constexpr Text kYarnCaches[] = {"yarn", "yarn-berry"};
constexpr Text kBunMarkers[] = {"bun.lock", "bun.lockb"};
constexpr Text kBunManifests[] = {"package.json", "bun.lock", "bun.lockb", "bunfig.toml", ".npmrc"};
constexpr Text kBunCaches[] = {"bun"};

// --- Python
constexpr Text kPythonConfiguration[] = {"pyproject.toml", "setup.py",    "setup.cfg",
                                         "pytest.ini",     ".pytest.ini", "tox.ini",
                                         "noxfile.py",     "conftest.py", ".coveragerc"};
constexpr Text kPythonSources[] = {"*.py", "*.pyi", "*.pyx", "*.pxd", "*.pxi"};
constexpr WarmDirectory kPythonDirectories[] = {{".venv", true, false}, {"venv", true, false}};
constexpr Text kPythonDropped[] = {"*.pyc",
                                   "*.pyo",
                                   "*.pyd",
                                   "__pycache__/**",
                                   "*.pth",
                                   "*.egg-link",
                                   "sitecustomize.py",
                                   "usercustomize.py",
                                   "*.dist-info/**",
                                   "*.egg-info/**",
                                   "__editable__*",
                                   ".venv/**",
                                   ".mypy_cache/**",
                                   ".pytest_cache/**",
                                   ".ruff_cache/**",
                                   ".tox/**"};
constexpr Variable kPipOffline[] = {{"PIP_NO_INDEX", "1"}, {"PIP_DISABLE_PIP_VERSION_CHECK", "1"}};
constexpr Variable kUvOffline[] = {
    {"UV_OFFLINE", "1"}, {"PIP_NO_INDEX", "1"}, {"PIP_DISABLE_PIP_VERSION_CHECK", "1"}};

constexpr Text kPipMarkers[] = {"setup.py", "setup.cfg", "requirements*.txt", "pyproject.toml", "Pipfile"};
constexpr Text kPipManifests[] = {"pyproject.toml",    "setup.py",         "setup.cfg",
                                  "requirements*.txt", "requirements*.in", "requirements/*.txt",
                                  "constraints*.txt",  "Pipfile",          "Pipfile.lock",
                                  "MANIFEST.in",       "environment.yml",  "environment.yaml"};
constexpr Text kPipCaches[] = {"pip"};
constexpr Text kUvMarkers[] = {"uv.lock"};
constexpr Text kUvManifests[] = {"pyproject.toml", "uv.lock", "uv.toml", "setup.py", "setup.cfg"};
constexpr Text kUvCaches[] = {"uv"};
constexpr Text kPoetryMarkers[] = {"poetry.lock"};
constexpr Text kPoetryManifests[] = {"pyproject.toml", "poetry.lock", "poetry.toml"};
constexpr Text kPoetryCaches[] = {"poetry"};

// --- Compiled languages
constexpr Text kCargoMarkers[] = {"Cargo.toml"};
constexpr Text kCargoManifests[] = {"Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config"};
// What an older build script left in its OUT_DIR stays there: a changed one needs a new directory.
constexpr Text kCargoConfiguration[] = {"build.rs", ".cargo/config.toml", ".cargo/config"};
constexpr Text kCargoSources[] = {"*.rs"};
constexpr WarmDirectory kCargoDirectories[] = {{"target", false, false}};
constexpr Variable kCargoOffline[] = {{"CARGO_NET_OFFLINE", "true"}};
constexpr Text kCargoCaches[] = {"cargo"};
constexpr Text kCargoDropped[] = {"*.rlib", "*.rmeta"};

constexpr Text kGoMarkers[] = {"go.mod", "go.work"};
constexpr Text kGoManifests[] = {"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/modules.txt"};
constexpr Text kGoSources[] = {"*.go", "*.s"};
// go keeps test results by size and time of the files that a test opened: they are asked for anew.
constexpr Variable kGoAlways[] = {{"GOFLAGS", "-count=1", true}};
constexpr Variable kGoOffline[] = {{"GOPROXY", "off"}, {"GOTOOLCHAIN", "local"}};
// Linked into every program of the package, whatever is in it.
constexpr Text kGoDropped[] = {"*.syso"};
constexpr Text kGoCaches[] = {"go-build", "go-mod"};

constexpr Text kCSources[] = {"*.c",    "*.cc",    "*.cpp", "*.cxx", "*.c++", "*.C",   "*.h",   "*.hh",
                              "*.hpp",  "*.hxx",   "*.inl", "*.ipp", "*.tpp", "*.cu",  "*.cuh", "*.m",
                              "*.mm",   "*.s",     "*.S",   "*.asm", "*.f",   "*.f90", "*.f95", "*.ixx",
                              "*.cppm", "*.proto", "*.y",   "*.l",   "*.ui",  "*.qrc"};
constexpr Text kCDropped[] = {"*.o",         "*.obj",          "*.a",          "*.lo",  "*.la",
                              "*.so",        "*.so.*",         "*.dylib",      "*.gch", "*.pch",
                              "*.pcm",       "*.gcda",         "*.gcno",       "*.d",   ".ninja_log",
                              ".ninja_deps", "CMakeCache.txt", "CMakeFiles/**"};
constexpr Text kCmakeMarkers[] = {"CMakeLists.txt"};
constexpr Text kCmakeManifests[] = {"conanfile.txt", "conanfile.py", "conan.lock", "vcpkg.json",
                                    "vcpkg-configuration.json"};
constexpr Text kCmakeConfiguration[] = {
    "CMakeLists.txt", "*.cmake",     "CMakePresets.json", "CMakeUserPresets.json",
    "CTestCustom.*",  "conanfile.*", "vcpkg.json"};
constexpr WarmDirectory kCmakeDirectories[] = {{"build", false, false}};
constexpr Text kCCaches[] = {"ccache"};

constexpr Text kMesonMarkers[] = {"meson.build"};
constexpr Text kMesonManifests[] = {"meson.build", "meson.options", "meson_options.txt",
                                    "subprojects/*.wrap"};
constexpr Text kMesonConfiguration[] = {"meson.build", "meson.options", "meson_options.txt",
                                        "*.wrap",      "*.cross",       "native-file.ini"};
constexpr WarmDirectory kMesonDirectories[] = {{"build", false, false}, {"builddir", false, false}};

constexpr Text kAutotoolsMarkers[] = {"configure.ac", "configure.in", "Makefile.am"};
constexpr Text kAutotoolsManifests[] = {"configure",   "configure.ac", "configure.in",
                                        "Makefile.am", "Makefile.in",  "*.m4",
                                        "config.h.in", "autogen.sh",   "bootstrap"};

constexpr Text kMakeMarkers[] = {"Makefile", "makefile", "GNUmakefile"};
constexpr Text kMakeConfiguration[] = {"Makefile*", "makefile*", "GNUmakefile*", "*.mk", "Kconfig*", "*.lds"};

constexpr Text kMavenMarkers[] = {"pom.xml"};
constexpr Text kMavenManifests[] = {"pom.xml", ".mvn/**"};
constexpr Text kMavenConfiguration[] = {"pom.xml", ".mvn/**", "lombok.config", "module-info.java"};
constexpr Text kJavaSources[] = {"*.java", "*.kt", "*.kts", "*.scala", "*.groovy", "*.properties", "*.xml"};
constexpr WarmDirectory kMavenDirectories[] = {{"**/target", false, false}};
constexpr Text kMavenCaches[] = {"m2"};
constexpr Text kJavaDropped[] = {"*.class"};

constexpr Text kGradleMarkers[] = {"build.gradle", "build.gradle.kts", "settings.gradle",
                                   "settings.gradle.kts"};
constexpr Text kGradleManifests[] = {"*.gradle",  "*.gradle.kts",    "gradle.properties",
                                     "gradle/**", "gradle.lockfile", "buildSrc/**"};
constexpr Text kGradleConfiguration[] = {"*.gradle",    "*.gradle.kts",  "gradle.properties", "gradle/**",
                                         "buildSrc/**", "lombok.config", "module-info.java"};
constexpr WarmDirectory kGradleDirectories[] = {{"**/build", false, false}, {".gradle", false, false}};
// A daemon outlives its check, and one of the user's would build the user's tree.
constexpr Variable kGradleAlways[] = {{"GRADLE_OPTS", "-Dorg.gradle.daemon=false", true}};
constexpr Text kGradleCaches[] = {"gradle"};
constexpr Text kGradleDropped[] = {"*.class", ".gradle/**"};

constexpr Text kDotnetMarkers[] = {"*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"};
constexpr Text kDotnetManifests[] = {
    "*.sln",        "*.slnx",      "*.csproj",           "*.fsproj",        "*.vbproj",
    "*.props",      "*.targets",   "packages.lock.json", "packages.config", "nuget.config",
    "NuGet.Config", "global.json", "dotnet-tools.json"};
constexpr Text kDotnetConfiguration[] = {"*.sln",         "*.slnx",           "*.csproj",  "*.fsproj",
                                         "*.vbproj",      "*.props",          "*.targets", "global.json",
                                         "*.runsettings", "xunit.runner.json"};
constexpr Text kDotnetSources[] = {"*.cs", "*.fs", "*.vb", "*.razor", "*.cshtml", "*.resx"};
constexpr WarmDirectory kDotnetDirectories[] = {{"**/bin", false, false}, {"**/obj", false, false}};
constexpr Variable kDotnetAlways[] = {{"MSBUILDDISABLENODEREUSE", "1"}};
constexpr Variable kDotnetOffline[] = {{"DOTNET_CLI_TELEMETRY_OPTOUT", "1"}, {"DOTNET_NOLOGO", "1"}};
constexpr Text kDotnetCaches[] = {"nuget"};

constexpr Text kSwiftMarkers[] = {"Package.swift"};
constexpr Text kSwiftManifests[] = {"Package.swift", "Package.resolved", "Package@swift-*.swift"};
constexpr Text kSwiftSources[] = {"*.swift"};
constexpr WarmDirectory kSwiftDirectories[] = {{".build", false, false}};
constexpr Text kSwiftCaches[] = {"swiftpm"};
constexpr Text kSwiftDropped[] = {"*.swiftmodule", ".build/**"};

// --- The others
constexpr Text kBundlerMarkers[] = {"Gemfile", "gems.rb"};
constexpr Text kBundlerManifests[] = {"Gemfile",     "Gemfile.lock", "gems.rb",
                                      "gems.locked", "*.gemspec",    ".bundle/config"};
constexpr Text kBundlerConfiguration[] = {".rspec",         "spec_helper.rb", "rails_helper.rb",
                                          "test_helper.rb", "Rakefile",       "*.rake"};
constexpr Text kBundlerSources[] = {"*.rb", "*.erb", "*.rake"};
constexpr WarmDirectory kBundlerDirectories[] = {{"vendor/bundle", true, true}};
constexpr Variable kBundlerOffline[] = {{"BUNDLE_FROZEN", "true"}};
constexpr Text kBundlerCaches[] = {"bundler"};
constexpr Text kBundlerDropped[] = {".bundle/**", ".rspec_status", "vendor/bundle/**"};

constexpr Text kComposerMarkers[] = {"composer.json"};
constexpr Text kComposerManifests[] = {"composer.json", "composer.lock"};
constexpr Text kComposerConfiguration[] = {"phpunit.xml*", "phpunit.dist.xml", "codeception.yml",
                                           "behat.yml*"};
constexpr Text kComposerSources[] = {"*.php", "*.inc"};
constexpr WarmDirectory kComposerDirectories[] = {{"vendor", true, true}};
constexpr Variable kComposerOffline[] = {{"COMPOSER_DISABLE_NETWORK", "1"}};
constexpr Text kComposerCaches[] = {"composer"};
constexpr Text kComposerDropped[] = {".phpunit.result.cache", ".phpunit.cache/**", ".php-cs-fixer.cache",
                                     ".php_cs.cache"};

constexpr Text kMixMarkers[] = {"mix.exs"};
constexpr Text kMixManifests[] = {"mix.exs", "mix.lock"};
constexpr Text kMixConfiguration[] = {"mix.exs", "config/*.exs", "test_helper.exs"};
constexpr Text kMixSources[] = {"*.ex", "*.exs", "*.erl", "*.hrl", "*.eex", "*.heex"};
constexpr WarmDirectory kMixDirectories[] = {{"deps", true, true}, {"_build", false, false}};
constexpr Variable kMixOffline[] = {{"HEX_OFFLINE", "1"}};
constexpr Text kMixCaches[] = {"hex", "mix"};
constexpr Text kMixDropped[] = {"*.beam", "_build/**"};

// --- Of no tool
constexpr Text kVersionFiles[] = {
    ".tool-versions", "mise.toml",     ".mise.toml",  ".nvmrc",    ".node-version",  ".python-version",
    ".ruby-version",  ".java-version", ".go-version", ".sdkmanrc", "rust-toolchain", "rust-toolchain.toml"};
constexpr Text kCommonConfiguration[] = {
    ".tool-versions", "mise.toml",     ".mise.toml",  ".nvmrc",      ".node-version",  ".python-version",
    ".ruby-version",  ".java-version", ".go-version", ".sdkmanrc",   "rust-toolchain", "rust-toolchain.toml",
    ".gitmodules",    "justfile",      "Justfile",    "Taskfile.yml"};

constexpr Ecosystem kCommon{"common", {}, kVersionFiles, kCommonConfiguration, {}, {}, {}, {}, {}, {}};

// Lock files before bare manifests: the order is the order of detection.
constexpr Ecosystem kTable[] = {
    {"pnpm",
     kPnpmMarkers,
     kPnpmManifests,
     kNodeConfiguration,
     kNodeSources,
     kNodeDirectories,
     {},
     kPnpmOffline,
     kPnpmCaches,
     kNodeDropped},
    {"yarn",
     kYarnMarkers,
     kYarnManifests,
     kNodeConfiguration,
     kNodeSources,
     kNodeDirectories,
     {},
     kYarnOffline,
     kYarnCaches,
     kNodeDropped},
    {"bun",
     kBunMarkers,
     kBunManifests,
     kNodeConfiguration,
     kNodeSources,
     kNodeDirectories,
     {},
     kNpmOffline,
     kBunCaches,
     kNodeDropped},
    {"npm",
     kNpmMarkers,
     kNpmManifests,
     kNodeConfiguration,
     kNodeSources,
     kNodeDirectories,
     {},
     kNpmOffline,
     kNpmCaches,
     kNodeDropped},
    {"uv",
     kUvMarkers,
     kUvManifests,
     kPythonConfiguration,
     kPythonSources,
     kPythonDirectories,
     {},
     kUvOffline,
     kUvCaches,
     kPythonDropped},
    {"poetry",
     kPoetryMarkers,
     kPoetryManifests,
     kPythonConfiguration,
     kPythonSources,
     kPythonDirectories,
     {},
     kPipOffline,
     kPoetryCaches,
     kPythonDropped},
    {"pip",
     kPipMarkers,
     kPipManifests,
     kPythonConfiguration,
     kPythonSources,
     kPythonDirectories,
     {},
     kPipOffline,
     kPipCaches,
     kPythonDropped},
    {"cargo",
     kCargoMarkers,
     kCargoManifests,
     kCargoConfiguration,
     kCargoSources,
     kCargoDirectories,
     {},
     kCargoOffline,
     kCargoCaches,
     kCargoDropped},
    {"go", kGoMarkers, kGoManifests, {}, kGoSources, {}, kGoAlways, kGoOffline, kGoCaches, kGoDropped},
    {"cmake",
     kCmakeMarkers,
     kCmakeManifests,
     kCmakeConfiguration,
     kCSources,
     kCmakeDirectories,
     {},
     {},
     kCCaches,
     kCDropped,
     true,
     true},
    {"meson",
     kMesonMarkers,
     kMesonManifests,
     kMesonConfiguration,
     kCSources,
     kMesonDirectories,
     {},
     {},
     kCCaches,
     kCDropped,
     true,
     true},
    {"autotools",
     kAutotoolsMarkers,
     kAutotoolsManifests,
     kAutotoolsManifests,
     kCSources,
     {},
     {},
     {},
     kCCaches,
     kCDropped,
     true,
     false},
    {"maven",
     kMavenMarkers,
     kMavenManifests,
     kMavenConfiguration,
     kJavaSources,
     kMavenDirectories,
     {},
     {},
     kMavenCaches,
     kJavaDropped},
    {"gradle",
     kGradleMarkers,
     kGradleManifests,
     kGradleConfiguration,
     kJavaSources,
     kGradleDirectories,
     kGradleAlways,
     {},
     kGradleCaches,
     kGradleDropped},
    {"dotnet",
     kDotnetMarkers,
     kDotnetManifests,
     kDotnetConfiguration,
     kDotnetSources,
     kDotnetDirectories,
     kDotnetAlways,
     kDotnetOffline,
     kDotnetCaches,
     {},
     true,
     false},
    {"swift",
     kSwiftMarkers,
     kSwiftManifests,
     kSwiftManifests,
     kSwiftSources,
     kSwiftDirectories,
     {},
     {},
     kSwiftCaches,
     kSwiftDropped},
    {"bundler",
     kBundlerMarkers,
     kBundlerManifests,
     kBundlerConfiguration,
     kBundlerSources,
     kBundlerDirectories,
     {},
     kBundlerOffline,
     kBundlerCaches,
     kBundlerDropped},
    {"composer",
     kComposerMarkers,
     kComposerManifests,
     kComposerConfiguration,
     kComposerSources,
     kComposerDirectories,
     {},
     kComposerOffline,
     kComposerCaches,
     kComposerDropped,
     false,
     true},
    {"mix",
     kMixMarkers,
     kMixManifests,
     kMixConfiguration,
     kMixSources,
     kMixDirectories,
     {},
     kMixOffline,
     kMixCaches,
     kMixDropped},
    {"make", kMakeMarkers, {}, kMakeConfiguration, kCSources, {}, {}, {}, kCCaches, kCDropped},
};

}  // namespace

std::span<const Ecosystem> ecosystems() { return kTable; }
const Ecosystem& common_ecosystem() { return kCommon; }

}  // namespace hydra::config
