// base: the plain files of one directory.
#pragma once

#include "base/files.hpp"
#include "base/text_file.hpp"

#include <vector>

namespace hydra {

/// One file of a directory as it was found.
struct ReadFile {
  std::string name;  ///< without the directory
  Result<std::string> text;
};
/// The plain files of `directory` that end in `suffix`, sorted by name, at most `most` of them; none where it
/// is not there. Links are followed: it is the user's own directory. A file of more than `max_bytes`, or one
/// that can't be read, is an error of its own.
std::vector<ReadFile> read_files(const fs::path& directory, std::string_view suffix, std::size_t most,
                                 std::size_t max_bytes);

/// The files in TOML of a user's directory, read as above: at most 500 of at most 1 MiB. `errors`: of those
/// that can't be read.
std::vector<TextFile> toml_files(const fs::path& directory, std::vector<Error>* errors = nullptr);

}  // namespace hydra
