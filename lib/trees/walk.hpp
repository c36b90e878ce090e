// trees, inside only: a walk over everything below a directory.
#pragma once

#include <filesystem>
#include <system_error>

namespace hydra::trees {

/// Calls `each` with the iterator, by which it may keep the walk out of a directory; unreadable entries are
/// omitted.
template <class Each>
void walk_below(const std::filesystem::path& root, Each each) {
  std::error_code ec;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator at(root, options, ec), end; !ec && at != end;
       at.increment(ec))
    each(at);
}

}  // namespace hydra::trees
