// base: the plain files of one directory.
#pragma once

#include "base/files.hpp"
#include "base/text_file.hpp"

#include <vector>

namespace hydra {

struct ReadFile {
  std::string name;  ///< name without the directory
  Result<std::string> text;
};
/// Reads the regular files of `directory` that end in `suffix`, sorted by name, at most `most`. Symlinks are
/// followed: the user owns the directory. Each unreadable or larger file is an Error in the list.
std::vector<ReadFile> read_files(const fs::path& directory, std::string_view suffix, std::size_t most,
                                 std::size_t max_bytes);

/// Reads the TOML files of a user's directory: at most 500, each at most 1 MiB. `errors` receives read
/// failures.
std::vector<TextFile> toml_files(const fs::path& directory, std::vector<Error>* errors = nullptr);

}  // namespace hydra
