#include "git/store/raw_tree.hpp"

#include <git2/oid.h>

#include <algorithm>

namespace hydra::git {
namespace {

/// As git shows modes, whatever an old program wrote.
std::string_view canonical(unsigned mode) {
  switch (mode & 0170000) {
    case 0100000:
      return (mode & 0100) != 0 ? "100755" : "100644";
    case 0120000:
      return "120000";
    case 0040000:
      return "040000";
    default:
      return "160000";
  }
}

}  // namespace

std::optional<std::vector<RawTreeEntry>> entries_of(std::string_view bytes) {
  std::vector<RawTreeEntry> entries;
  while (!bytes.empty()) {
    unsigned mode = 0;
    std::size_t at = 0;
    for (; at < bytes.size() && at < 7 && bytes[at] >= '0' && bytes[at] <= '7'; ++at)
      mode = mode * 8 + static_cast<unsigned>(bytes[at] - '0');
    if (at == 0 || at >= bytes.size() || bytes[at] != ' ') return std::nullopt;
    const auto end = bytes.find('\0', at);
    if (end == std::string_view::npos || bytes.size() - end - 1 < GIT_OID_RAWSZ) return std::nullopt;
    RawTreeEntry entry{bytes.substr(at + 1, end - at - 1), canonical(mode), {}};
    if (entry.name.empty() || entry.name.find('/') != std::string_view::npos) return std::nullopt;
    git_oid_fromraw(&entry.id, reinterpret_cast<const unsigned char*>(bytes.data() + end + 1));
    entries.push_back(entry);
    bytes.remove_prefix(end + 1 + GIT_OID_RAWSZ);
  }
  return entries;
}

bool before(const RawTreeEntry& a, const RawTreeEntry& b) {
  const auto common = std::min(a.name.size(), b.name.size());
  if (const int order = a.name.compare(0, common, b.name, 0, common); order != 0) return order < 0;
  const auto next = [&](const RawTreeEntry& entry) {
    return entry.name.size() > common ? static_cast<unsigned char>(entry.name[common])
                                      : static_cast<unsigned char>(entry.directory() ? '/' : 0);
  };
  return next(a) < next(b);
}

}  // namespace hydra::git
