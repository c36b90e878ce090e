// config: what Hydra knows about build tools, as one table: files that mark them, files that mean "set up
// again", warm directories, caches below the home directory, offline variables (toolchains reference,
// sections 4, 6, 8 and 9). Pure data and pure look-ups.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

enum class CacheMode {
  read_only,  ///< shown as it is; nobody writes
  overlay,    ///< the tool writes into it: under an overlay that is thrown away, else a copy or read-only
};

/// One named cache of [workspace] caches.
struct NamedCache {
  std::string_view name;
  std::string_view directory;                ///< below the home directory, no leading "~/"
  CacheMode mode = CacheMode::overlay;       ///< how it is best shown
  std::span<const std::string_view> hidden;  ///< patterns below `directory` that no check may ever see
  std::string_view variable;                 ///< environment variable that moves it; may be empty
};

std::span<const NamedCache> named_caches();
const NamedCache* find_cache(std::string_view name);
/// Every name, with ", " between.
std::string cache_names();

/// Complaint about one entry of [workspace] caches: a known name, or a path "~/…" that holds no known place
/// of keys and tokens. Nothing: fine.
std::optional<std::string> check_cache(std::string_view entry);

/// A directory below the home directory that checks may see.
struct CachePlace {
  std::string directory;  ///< relative to the home directory
  CacheMode mode = CacheMode::overlay;
  std::vector<std::string> hidden;  ///< patterns below `directory`
  std::string variable;
};

/// The entries of [workspace] caches as places; entries that check_cache() complains about are left out.
std::vector<CachePlace> cache_places(const std::vector<std::string>& entries);

}  // namespace hydra::config
