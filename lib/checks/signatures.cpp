#include "checks/signatures.hpp"

namespace hydra::checks {
namespace {

using Text = std::string_view;
using Kind = AdviceKind;

constexpr Text kPnpmWords[] = {"pnpm"};
constexpr Text kYarnWords[] = {"yarn"};
constexpr Text kBunWords[] = {"bun"};
constexpr Text kNpmWords[] = {"npm"};
constexpr Text kPythonWords[] = {"pip", "uv", "poetry"};
constexpr Text kCargoWords[] = {"cargo"};
constexpr Text kGoWords[] = {"go"};
constexpr Text kCmakeWords[] = {"cmake"};

constexpr Text kMismatchLines[] = {"CMakeCache.txt directory…is different",
                                   "does not match the source…used to generate cache"};
constexpr AdviceText kMismatch[] = {
    {"the build directory is of another path, so its results count for nothing; take it out of [workspace] "
     "share and "
     "name it in outputs, or report it"}};

constexpr Text kRenameLines[] = {"EXDEV", "Invalid cross-device link", "invalid cross-device link",
                                 "os error 18"};
constexpr AdviceText kRename[] = {{"nothing to do: the step is repeated in a copied workspace"}};

constexpr Text kLookupLines[] = {"EAI_AGAIN", "ENOTFOUND", "getaddrinfo"};
constexpr AdviceText kLookup[] = {
    {"install in the set-up, with network: [workspace] setup = \"npm ci\" and setup_network = true",
     When::preparing, kNpmWords},
    {"install in the set-up, with network: [workspace] setup and setup_network = true", When::preparing},
    {"the test needs a host: mock it, or [sandbox] check_network = true", When::testing}};

constexpr Text kNpmLines[] = {"ENOTCACHED", "only-if-cached"};
constexpr AdviceText kNpmCache[] = {
    {"[workspace] share = [\"node_modules\"], or setup = \"npm ci\" with setup_network = true; a lock file "
     "without "
     "`resolved` entries can't be installed offline even from a full cache"}};

constexpr Text kPnpmLines[] = {"ERR_PNPM_NO_OFFLINE_TARBALL"};
constexpr AdviceText kPnpmStore[] = {
    {"[workspace] setup = \"pnpm install --frozen-lockfile\" with setup_network = true, or caches = "
     "[\"pnpm\"]"}};

constexpr Text kNodeLockLines[] = {"ERR_PNPM_OUTDATED_LOCKFILE",
                                   "can only install packages when your package.json and package-lock.json",
                                   "lockfile needs to be updated, but yarn was run with", "YN0028"};
constexpr AdviceText kNodeLock[] = {{"the lock file does not fit package.json: install once and commit it"}};

constexpr Text kOfflineLines[] = {"Could not resolve host", "Temporary failure in name resolution",
                                  "Network is unreachable", "network is unreachable"};
constexpr AdviceText kOffline[] = {
    {"[workspace] setup = \"go mod download\" with setup_network = true and caches = [\"go-build\", "
     "\"go-mod\"]",
     When::preparing, kGoWords},
    {"fetch in the set-up: [workspace] setup_network = true; what CMake's FetchContent brought: share = "
     "[\"build/_deps\"]",
     When::preparing, kCmakeWords},
    {"fetch in the set-up: [workspace] setup and setup_network = true", When::preparing},
    {"the test needs a host: mock it, or [sandbox] check_network = true", When::testing}};

constexpr Text kCargoLines[] = {"failed to download from", "no matching package named",
                                "you're using offline mode (--offline)",
                                "attempting to make an HTTP request, but --offline was specified"};
constexpr AdviceText kCargoRegistry[] = {
    {"[workspace] setup = \"cargo fetch --locked\" with setup_network = true and caches = [\"cargo\"]"}};

constexpr Text kCargoLockLines[] = {"--locked was passed"};
constexpr AdviceText kCargoLock[] = {{"Cargo.lock is out of date: update and commit it"}};

constexpr Text kPipLines[] = {"Could not find a version that satisfies the requirement…(from versions: none)",
                              "NewConnectionError", "No matching distribution found for"};
constexpr AdviceText kPip[] = {
    {"[workspace] share = [\".venv\"], or install in the set-up with setup_network = true; offline, pip "
     "needs "
     "--no-build-isolation too"}};

constexpr Text kPythonModuleLines[] = {"ModuleNotFoundError: No module named", "ImportError: No module named",
                                       ": No module named", "^No module named"};
constexpr AdviceText kPythonModule[] = {
    {"[workspace] share = [\".venv\"] and .venv/bin/python in the commands, or install the package in the "
     "set-up",
     When::always, kPythonWords},
    {"the package is not installed in the check workspace: install it in [workspace] setup"}};

constexpr Text kProgramLines[] = {"^sh: 1: …: not found$",
                                  "^/bin/sh: 1: …: not found$",
                                  "^sh: line 1: …: command not found$",
                                  "^sh: …: command not found$",
                                  "^bash: …: command not found$",
                                  "^/bin/bash: …: command not found$",
                                  "Error: Cannot find module '",
                                  "error TS2307: Cannot find module '",
                                  "Error [ERR_MODULE_NOT_FOUND]: Cannot find",
                                  "Cannot find module '…' from '"};
constexpr AdviceText kProgram[] = {
    {"[workspace] share = [\"node_modules\"], with members of a workspace [\"**/node_modules\"], or setup = "
     "\"npm ci\"",
     When::always, kNpmWords},
    {"[workspace] share = [\"**/node_modules\"], or setup = \"pnpm install --frozen-lockfile\"", When::always,
     kPnpmWords},
    {"[workspace] share = [\"node_modules\"], or setup = \"yarn install --immutable\"", When::always,
     kYarnWords},
    {"[workspace] share = [\"node_modules\"], or setup = \"bun install --frozen-lockfile\"", When::always,
     kBunWords},
    {"the program is not in PATH, or a dependency directory is missing: [workspace] share or setup"}};

constexpr Text kToolLines[] = {"^make: …: No such file or directory$",
                               "^make: …: Command not found$",
                               "/usr/bin/env: ‘…’: No such file or directory",
                               "env: …: No such file or directory",
                               "No CMAKE_CXX_COMPILER could be found",
                               "No CMAKE_C_COMPILER could be found",
                               "CMake was unable to find a build program corresponding to",
                               "ERROR: Could not detect Ninja",
                               "linker `…` not found",
                               "no acceptable C compiler found in"};
constexpr AdviceText kTool[] = {
    {"that program is not installed on this machine: install it outside of a race, or take it out of the "
     "command"}};

constexpr Text kOldLines[] = {"cannot be built because it requires rustc",
                              "feature `edition2024` is required",
                              "requires rustc",
                              "go.mod requires go >=",
                              "note: module requires Go",
                              "invalid go version",
                              "EBADENGINE",
                              "Unsupported engine",
                              "The engine \"node\" is incompatible",
                              "or higher is required.  You are running version",
                              "requires a different Python:",
                              "is not in the supported Python range",
                              "invalid target release:",
                              "invalid source release:",
                              "error: release version",
                              "Meson version is…but project requires",
                              "requires Ruby version",
                              "Your Ruby version is…but your Gemfile specified"};
constexpr AdviceText kOld[] = {
    {"the project asks for a newer toolchain than this machine has: install it outside of a race"}};

constexpr Text kLibraryLines[] = {"cannot find -",
                                  "Package '…' not found",
                                  "No package '…' found",
                                  "Could NOT find",
                                  "does not provide \"Find",
                                  "ERROR: Dependency \"…\" not found",
                                  "ERROR: C header '…' not found",
                                  "Can't locate…in @INC"};
constexpr AdviceText kLibrary[] = {
    {"a library, its headers or a module is not installed on this machine: install its development package"}};

constexpr Text kGoLines[] = {"inconsistent vendoring",       "cannot find package \".\" in:",
                             "cannot find module providing", "module lookup disabled by GOPROXY=off",
                             "missing go.sum entry",         "no required module provides package"};
constexpr AdviceText kGoModules[] = {
    {"[workspace] setup = \"go mod download\" with setup_network = true and caches = [\"go-build\", "
     "\"go-mod\"]"}};

constexpr Text kGitLines[] = {"error obtaining VCS status", "not a git repository", "bad object HEAD"};
constexpr AdviceText kReport[] = {{"this is Hydra's fault, not yours: please report it with this log"}};

constexpr Text kOwnerLines[] = {"dubious ownership"};

constexpr Text kMavenLines[] = {"PluginResolutionException", "in offline mode and the artifact",
                                "Cannot access central"};
constexpr AdviceText kMaven[] = {
    {"[workspace] setup = \"mvn -B dependency:go-offline\" with setup_network = true and caches = [\"m2\"]"}};

constexpr Text kGemLines[] = {"Could not find gem", "Bundler::GemNotFound", "Could not reach host",
                              "Could not find…in locally installed gems"};
constexpr AdviceText kGems[] = {
    {"[workspace] setup = \"bundle install\" with setup_network = true, or share = [\"vendor/bundle\"]"}};

constexpr Text kComposerLines[] = {
    "Cannot open file \"vendor/autoload.php\"", "Failed opening required '…vendor/autoload.php'",
    "Failed to open stream…vendor/autoload.php", "vendor/autoload.php): Failed to open stream",
    "vendor/autoload.php): failed to open stream"};
constexpr AdviceText kComposer[] = {
    {"[workspace] share = [\"vendor\"], or setup = \"composer install\" with setup_network = true"}};

constexpr Text kReadOnlyLines[] = {"EROFS", "Read-only file system", "read-only file system", "os error 30"};
constexpr AdviceText kReadOnly[] = {
    {"a tool writes outside of tree, home and /tmp: a cache goes into [workspace] caches (rustup: the "
     "toolchain's own "
     "directory into PATH)",
     When::always, kCargoWords},
    {"a tool writes outside of tree, home and /tmp: name the cache in [workspace] caches"}};

constexpr Text kBusyLines[] = {"Device or resource busy", "EBUSY", "os error 16"};

constexpr Text kVersionLines[] = {"is not installed (set by", "syncing channel updates"};
constexpr AdviceText kVersion[] = {
    {"the project asks for another version of its tool: install it outside of a race"}};

constexpr Text kServiceLines[] = {
    "ECONNREFUSED 127.0.0.1:", "ECONNREFUSED ::1:", "could not connect to server", "docker.sock",
    "Cannot connect to the Docker daemon"};
constexpr AdviceText kService[] = {
    {"a service of the host is not there: start it in the test command, or [sandbox] check_network = true; "
     "what needs "
     "docker can't be isolated: [workspace] checks = \"in_place\", which results say"}};

constexpr Text kPortLines[] = {"EADDRINUSE", "Address already in use", "address already in use"};
constexpr AdviceText kPort[] = {
    {"checks share the host's ports: [limits] checks = 1, or [workspace] ports and $HYDRA_PORT_0"}};

constexpr Text kSpaceLines[] = {"ENOSPC", "No space left", "no space left on device",
                                "ENOENT: no such file or directory, mkdir '/tmp"};
constexpr AdviceText kSpace[] = {
    {"the private /tmp is full or missing: free disk, raise [limits], or report it"}};

constexpr Text kUserLines[] = {"uv_os_get_passwd", "os_get_passwd", "getpwuid"};

// Rows that decide something come first, then those of one tool, then what any program says: cargo, pip and
// go print a general complaint about the network beside their own.
constexpr Signature kSignatures[] = {
    {"cmake-cache-mismatch",
     Kind::reject_run,
     kMismatchLines,
     "a build directory of another path was used",
     kMismatch,
     {}},
    {"cross-device-rename",
     Kind::exdev,
     kRenameLines,
     "the overlay refuses to rename a directory of the template",
     kRename,
     {}},
    {"toolchain-too-old", Kind::environment, kOldLines, "the machine's toolchain is too old for the project",
     kOld, "the candidate asks for a newer toolchain than the base"},
    {"npm-not-cached", Kind::environment, kNpmLines, "npm is offline and the package is not in its cache",
     kNpmCache,
     "the candidate added a dependency: its set-up needs the network, [workspace] setup_network = true"},
    {"pnpm-not-stored", Kind::environment, kPnpmLines, "pnpm is offline and its store lacks the package",
     kPnpmStore,
     "the candidate added a dependency: its set-up needs the network, [workspace] setup_network = true"},
    {"node-lock-outdated", Kind::candidate, kNodeLockLines, "the lock file was not updated", kNodeLock,
     "the candidate must commit its lock file"},
    {"cargo-lock-outdated", Kind::candidate, kCargoLockLines, "Cargo.lock was not updated", kCargoLock,
     "the candidate must commit Cargo.lock"},
    {"cargo-registry", Kind::environment, kCargoLines, "cargo needs its registry", kCargoRegistry,
     "the candidate added a dependency: its set-up needs the network, [workspace] setup_network = true"},
    {"pip-not-found", Kind::environment, kPipLines, "pip finds no package without network", kPip,
     "the candidate added a dependency: its set-up needs the network, [workspace] setup_network = true"},
    {"go-modules", Kind::environment, kGoLines, "go lacks a module", kGoModules,
     "the candidate must commit go.sum, and the result of `go mod vendor` where the project vendors"},
    {"maven-offline", Kind::environment, kMavenLines, "maven's local repository lacks something", kMaven, {}},
    {"bundler-gem", Kind::environment, kGemLines, "a gem is missing", kGems, {}},
    {"composer-autoload",
     Kind::environment,
     kComposerLines,
     "the vendor directory is missing",
     kComposer,
     {}},
    {"name-lookup",
     Kind::environment,
     kLookupLines,
     "a host name was looked up, and checks have no network",
     kLookup,
     {}},
    {"no-network",
     Kind::environment,
     kOfflineLines,
     "the network was asked for, and checks have none",
     kOffline,
     {}},
    {"python-module",
     Kind::environment,
     kPythonModuleLines,
     "a Python module is not installed",
     kPythonModule,
     {}},
    {"tool-missing", Kind::environment, kToolLines, "a program is not installed", kTool, {}},
    {"library-missing", Kind::environment, kLibraryLines, "a dependency is not installed", kLibrary, {}},
    {"program-not-found", Kind::environment, kProgramLines, "a program or module is missing", kProgram, {}},
    {"git-in-workspace", Kind::hydra, kGitLines, "the workspace's own .git is broken", kReport, {}},
    {"owner", Kind::hydra, kOwnerLines, "the workspace belongs to another user id", kReport, {}},
    {"read-only",
     Kind::environment,
     kReadOnlyLines,
     "a tool writes where checks may only read",
     kReadOnly,
     {}},
    {"busy", Kind::hydra, kBusyLines, "a command removes a mount point", kReport, {}},
    {"tool-version",
     Kind::environment,
     kVersionLines,
     "a version manager wants another version",
     kVersion,
     {}},
    {"host-service",
     Kind::environment,
     kServiceLines,
     "a service of the host can't be reached",
     kService,
     {}},
    {"port-in-use", Kind::port, kPortLines, "a port is taken", kPort, {}},
    {"no-space", Kind::hydra, kSpaceLines, "the private /tmp has no room", kSpace, {}},
    {"user-id", Kind::hydra, kUserLines, "the user id has no entry in passwd", kReport, {}},
};

}  // namespace

std::span<const Signature> signatures() { return kSignatures; }

const Signature* find_signature(AdviceKind kind) {
  for (const auto& row : kSignatures)
    if (row.kind == kind) return &row;
  return nullptr;
}

}  // namespace hydra::checks
