// config: the named caches of [workspace] caches (toolchains reference, section 6).
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/ecosystem.hpp"

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

// Below each cache's directory. Logs and daemons' sockets are hidden beside the credentials: a daemon of the
// user's that answers from inside a check would build the user's tree.
constexpr std::array<std::string_view, 2> kCargo{"credentials", "credentials.toml"};
constexpr std::array<std::string_view, 4> kGradle{"daemon", "gradle.properties", "init.gradle", "init.d"};
constexpr std::array<std::string_view, 2> kMaven{"settings.xml", "settings-security.xml"};
constexpr std::array<std::string_view, 2> kNpm{"_logs", "_update-notifier-last-checked"};
constexpr std::array<std::string_view, 2> kBundle{"config", "plugin"};
constexpr std::array<std::string_view, 2> kGo{"**/.netrc", "cache/vcs"};
constexpr std::array<std::string_view, 2> kNuget{"NuGet.Config", "**/nuget.config"};
constexpr std::array<std::string_view, 2> kHex{"hex.config", "cache.ets"};
constexpr std::array<std::string_view, 1> kComposer{"auth.json"};

constexpr NamedCache kCaches[] = {
    {"npm", ".npm", CacheMode::overlay, kNpm, "npm_config_cache"},
    {"pnpm", ".local/share/pnpm/store", CacheMode::overlay, {}, {}},
    {"yarn", ".cache/yarn", CacheMode::overlay, {}, "YARN_CACHE_FOLDER"},
    {"yarn-berry", ".yarn/berry", CacheMode::overlay, {}, "YARN_GLOBAL_FOLDER"},
    {"bun", ".bun/install/cache", CacheMode::overlay, {}, "BUN_INSTALL_CACHE_DIR"},
    {"pip", ".cache/pip", CacheMode::overlay, {}, "PIP_CACHE_DIR"},
    {"uv", ".cache/uv", CacheMode::overlay, {}, "UV_CACHE_DIR"},
    {"poetry", ".cache/pypoetry", CacheMode::overlay, {}, "POETRY_CACHE_DIR"},
    {"cargo", ".cargo", CacheMode::overlay, kCargo, "CARGO_HOME"},
    {"go-build", ".cache/go-build", CacheMode::overlay, {}, "GOCACHE"},
    // go itself makes the module cache read-only.
    {"go-mod", "go/pkg/mod", CacheMode::read_only, kGo, "GOMODCACHE"},
    {"ccache", ".cache/ccache", CacheMode::overlay, {}, "CCACHE_DIR"},
    {"sccache", ".cache/sccache", CacheMode::overlay, {}, "SCCACHE_DIR"},
    {"m2", ".m2", CacheMode::overlay, kMaven, {}},
    {"gradle", ".gradle", CacheMode::overlay, kGradle, "GRADLE_USER_HOME"},
    {"bundler", ".bundle", CacheMode::overlay, kBundle, "BUNDLE_USER_HOME"},
    {"composer", ".cache/composer", CacheMode::overlay, kComposer, "COMPOSER_CACHE_DIR"},
    {"nuget", ".nuget/packages", CacheMode::overlay, kNuget, "NUGET_PACKAGES"},
    {"swiftpm", ".cache/org.swift.swiftpm", CacheMode::overlay, {}, {}},
    {"hex", ".hex", CacheMode::overlay, kHex, "HEX_HOME"},
    {"mix", ".mix", CacheMode::read_only, {}, "MIX_HOME"},
    {"playwright", ".cache/ms-playwright", CacheMode::read_only, {}, "PLAYWRIGHT_BROWSERS_PATH"},
    {"puppeteer", ".cache/puppeteer", CacheMode::read_only, {}, "PUPPETEER_CACHE_DIR"},
    {"cypress", ".cache/Cypress", CacheMode::read_only, {}, "CYPRESS_CACHE_FOLDER"},
};

// Places of keys and tokens, and Hydra's own state: neither shown themselves nor by a directory above.
constexpr std::array<std::string_view, 27> kSecretPlaces{".ssh",
                                                         ".gnupg",
                                                         ".aws",
                                                         ".azure",
                                                         ".config/gcloud",
                                                         ".config/gh",
                                                         ".config/hub",
                                                         ".config/op",
                                                         ".docker",
                                                         ".kube",
                                                         ".netrc",
                                                         ".npmrc",
                                                         ".yarnrc.yml",
                                                         ".pypirc",
                                                         ".pgpass",
                                                         ".git-credentials",
                                                         ".gitconfig",
                                                         ".config/git",
                                                         ".claude",
                                                         ".claude.json",
                                                         ".codex",
                                                         ".gemini",
                                                         ".password-store",
                                                         ".local/share/keyrings",
                                                         ".mozilla",
                                                         ".local/state/hydra",
                                                         ".config/hydra"};

bool below(std::string_view path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && path[directory.size()] == '/');
}

std::string plain(std::string_view path) {
  std::string out;
  for (const auto part : split(path, '/'))
    if (!part.empty() && part != ".") out += (out.empty() ? "" : "/") + std::string(part);
  return out;
}

std::optional<std::string> check_home_directory(std::string_view relative) {
  for (const auto part : split(relative, '/'))
    if (part == "..") return "\"..\" is not allowed in a cache's path";
  const auto path = plain(relative);
  if (path.empty()) return "the whole home directory can't be a cache; name a directory below ~/";
  for (const auto secret : kSecretPlaces)
    if (below(path, secret) || below(secret, path))
      return "~/" + std::string(secret) + " holds keys, tokens or settings: checks never see it";
  for (const auto& cache : kCaches) {
    if (!below(path, cache.directory) || path == cache.directory) continue;
    const std::vector<std::string> hidden(cache.hidden.begin(), cache.hidden.end());
    if (covered_by(hidden, std::string_view(path).substr(cache.directory.size() + 1)))
      return "~/" + path + " holds keys, tokens or settings: checks never see it";
  }
  return std::nullopt;
}

// What the tables hide stays hidden when somebody writes the directory instead of the name.
void add_hidden(CachePlace& place) {
  for (const auto& cache : kCaches) {
    if (cache.directory == place.directory || !below(cache.directory, place.directory)) continue;
    const auto inside = std::string(cache.directory.substr(place.directory.size() + 1));
    for (const auto pattern : cache.hidden) place.hidden.push_back(inside + "/" + std::string(pattern));
  }
}

}  // namespace

std::span<const NamedCache> named_caches() { return kCaches; }

const NamedCache* find_cache(std::string_view name) {
  const auto* found = std::find_if(std::begin(kCaches), std::end(kCaches),
                                   [&](const NamedCache& cache) { return cache.name == name; });
  return found == std::end(kCaches) ? nullptr : found;
}

std::string cache_names() {
  std::string out;
  for (const auto& cache : kCaches) out += (out.empty() ? "" : ", ") + std::string(cache.name);
  return out;
}

std::optional<std::string> check_cache(std::string_view entry) {
  for (const char c : entry)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return "a cache must not contain control characters";
  if (entry == "~") return check_home_directory({});
  if (entry.starts_with("~/")) return check_home_directory(entry.substr(2));
  if (find_cache(entry) != nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& cache : kCaches) names.emplace_back(cache.name);
  const auto near = nearest(entry, names);
  return "unknown cache '" + sanitize(entry) + "'; " +
         (near ? "did you mean '" + *near + "'? " : std::string()) + "known are " + cache_names() +
         ", or a path that begins with ~/";
}

std::vector<CachePlace> cache_places(const std::vector<std::string>& entries) {
  std::vector<CachePlace> places;
  for (const auto& entry : entries) {
    if (check_cache(entry)) continue;
    CachePlace place;
    const auto* cache = find_cache(entry);
    if (cache == nullptr) {
      place.directory = plain(std::string_view(entry).substr(2));
      for (const auto& known : kCaches)
        if (known.directory == place.directory) cache = &known;
    }
    if (cache != nullptr) {
      place.directory = cache->directory;
      place.mode = cache->mode;
      place.hidden.assign(cache->hidden.begin(), cache->hidden.end());
      place.variable = cache->variable;
    }
    add_hidden(place);
    const bool there = std::any_of(places.begin(), places.end(), [&](const CachePlace& other) {
      return other.directory == place.directory;
    });
    if (!there) places.push_back(std::move(place));
  }
  return places;
}

}  // namespace hydra::config
