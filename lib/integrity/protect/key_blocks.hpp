// integrity, inside only: restores parts of a text by name: the text is cut into blocks, and the blocks with
// certain names are replaced by the base's.
#pragma once

#include "base/strings.hpp"
#include "integrity/protect/protected_paths.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

/// A named part of a file; "": belongs to no name.
struct Block {
  std::string name, text;
};

/// Returns the candidate's blocks, with those that `wanted` names replaced by the base's (all blocks of one
/// name at the place of the first). Blocks that only the base has are appended.
template <class Wanted>
RestoredKeys put_back(const std::vector<Block>& base, const std::vector<Block>& candidate,
                      std::string_view text, std::string_view prefix, Wanted wanted) {
  const auto collect = [&](const std::vector<Block>& blocks) {
    std::map<std::string, std::string> out;
    for (const auto& block : blocks)
      if (wanted(block.name)) out[block.name] += block.text;
    return out;
  };
  auto before = collect(base), after = collect(candidate);
  RestoredKeys out;
  std::set<std::string> different;
  const auto same = [](const std::map<std::string, std::string>& map, const std::string& key,
                       const std::string& value) {
    const auto found = map.find(key);
    return found != map.end() && trim(found->second) == trim(value);
  };
  for (const auto& [name, value] : before)
    if (!same(after, name, value)) different.insert(name);
  for (const auto& [name, value] : after)
    if (!before.contains(name)) different.insert(name);
  if (different.empty()) {
    out.text = text;
    return out;
  }
  std::set<std::string> written;
  for (const auto& block : candidate) {
    if (!different.contains(block.name)) {
      out.text += block.text;
    } else if (written.insert(block.name).second && before.contains(block.name)) {
      out.text += before[block.name];
      if (!out.text.ends_with('\n')) out.text += '\n';
    }
  }
  for (const auto& name : different) {
    out.keys.push_back(sanitize(std::string(prefix) + name));
    if (!written.contains(name) && before.contains(name)) {
      if (!out.text.empty() && !out.text.ends_with('\n')) out.text += '\n';
      out.text += before[name];
      if (!out.text.ends_with('\n')) out.text += '\n';
    }
  }
  return out;
}

/// Lines with their line ends.
inline std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto size = end == std::string_view::npos ? text.size() : end + 1;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace hydra::integrity
