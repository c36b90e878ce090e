// config: the entries of [workspace] caches.
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"

#include <algorithm>

namespace hydra::config {
namespace {

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
  for (const auto secret : toolchains().secrets)
    if (below(path, secret) || below(secret, path))
      return "~/" + std::string(secret) + " holds keys, tokens or settings: checks never see it";
  for (const auto& cache : named_caches()) {
    if (!below(path, cache.directory) || path == cache.directory) continue;
    const std::vector<std::string> hidden(cache.hidden.begin(), cache.hidden.end());
    if (covered_by(hidden, std::string_view(path).substr(cache.directory.size() + 1)))
      return "~/" + path + " holds keys, tokens or settings: checks never see it";
  }
  return std::nullopt;
}

// A directory entry hides the same paths as the named caches inside it.
void add_hidden(CachePlace& place) {
  for (const auto& cache : named_caches()) {
    if (cache.directory == place.directory || !below(cache.directory, place.directory)) continue;
    const auto inside = std::string(cache.directory.substr(place.directory.size() + 1));
    for (const auto pattern : cache.hidden) place.hidden.push_back(inside + "/" + std::string(pattern));
  }
}

}  // namespace

std::span<const NamedCache> named_caches() { return toolchains().caches; }

const NamedCache* find_cache(std::string_view name) {
  for (const auto& cache : named_caches())
    if (cache.name == name) return &cache;
  return nullptr;
}

std::string cache_names() {
  std::string out;
  for (const auto& cache : named_caches()) out += (out.empty() ? "" : ", ") + std::string(cache.name);
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
  for (const auto& cache : named_caches()) names.emplace_back(cache.name);
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
      for (const auto& known : named_caches())
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
