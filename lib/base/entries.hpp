// base: the entries of a directory. A range-for over directory_iterator throws where the directory can't be read on.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace hydra {

/// In no order. Where an error comes, the entries before.
inline std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& directory,
                                                                std::error_code& error) {
  std::vector<std::filesystem::directory_entry> entries;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    entries.push_back(*it);
  return entries;
}

}  // namespace hydra
