// base: the entries of a directory. A range-for over directory_iterator throws on a read error; this function
// does not.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace hydra {

/// Returns the entries in no particular order; on an error, those read before it.
inline std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& directory,
                                                                std::error_code& error) {
  std::vector<std::filesystem::directory_entry> entries;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    entries.push_back(*it);
  return entries;
}

}  // namespace hydra
