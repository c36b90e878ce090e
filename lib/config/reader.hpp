// config, inside the room: reads TOML nodes into members of the model by the table of keys, and collects
// every complaint.
#pragma once

#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 0
#endif
#include "base/result.hpp"
#include "config/config.hpp"
#include "config/schema.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// A file being read; collects complaints with their places.
struct Source {
  std::string name;
  std::vector<Error>* errors = nullptr;
  /// Whether the form of texts is checked. Compiling patterns is most of the cost of reading agent files.
  Forms forms = Forms::check;

  void complain(const toml::source_region& at, std::string message, std::string hint = {}) const;
  [[nodiscard]] std::string where(const toml::source_region& at) const;
};

/// The place where each key was set last ("scoring.weights" -> "hydra.toml:2:11").
using Places = std::map<std::string, std::string>;

/// Checks a value against type, range and form, and stores it; false after a complaint.
bool assign(const Source& source, std::string_view path, const toml::node& node, const Target& target,
            const Rule& rule);

/// Returns the hint for an unknown key, from the known `paths`; `parent`: the enclosing table ("": top
/// level).
std::string suggest(std::string_view parent, std::string_view key,
                    const std::vector<std::string_view>& paths);

/// Reads a table by the table of keys. `skip`: top-level keys that another function reads.
template <class Root>
void read_table(const Source& source, const toml::table& table, std::string_view parent,
                std::span<const Key<Root>> keys, Root& root, Places& places,
                const std::vector<std::string_view>& skip = {}) {
  for (const auto& [key, node] : table) {
    const std::string path =
        parent.empty() ? std::string(key.str()) : std::string(parent) + "." + std::string(key.str());
    if (std::find(skip.begin(), skip.end(), path) != skip.end()) continue;
    const Key<Root>* row = nullptr;
    bool is_section = false;
    for (const auto& k : keys) {
      if (k.path == path) row = &k;
      is_section = is_section ||
                   (k.path.starts_with(path) && k.path.size() > path.size() && k.path[path.size()] == '.');
    }
    if (row != nullptr) {
      if (assign(source, path, node, row->at(root), row->rule)) places[path] = source.where(node.source());
    } else if (is_section && node.is_table()) {
      places[path] = source.where(node.source());
      read_table<Root>(source, *node.as_table(), path, keys, root, places);
    } else if (is_section) {
      source.complain(node.source(), "'" + path + "' is a table",
                      "write [" + path + "] and its keys below it");
    } else {
      std::vector<std::string_view> paths;
      for (const auto& k : keys) paths.push_back(k.path);
      paths.insert(paths.end(), skip.begin(), skip.end());
      source.complain(key.source(),
                      "unknown key '" + std::string(key.str()) + "'" +
                          (parent.empty() ? std::string() : " in [" + std::string(parent) + "]"),
                      suggest(parent, key.str(), paths));
    }
  }
}

/// Returns the parsed text, or complains about its first syntax error.
std::optional<toml::table> parse(const Source& source, std::string_view text);

}  // namespace hydra::config
