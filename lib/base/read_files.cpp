#include "base/read_files.hpp"

#include <algorithm>

namespace hydra {

std::vector<ReadFile> read_files(const fs::path& directory, std::string_view suffix, std::size_t most,
                                 std::size_t max_bytes) {
  std::vector<std::string> names;
  std::error_code ec;
  for (fs::directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec))
    if (auto name = it->path().filename().string(); name.ends_with(suffix)) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  if (names.size() > most) names.resize(most);
  std::vector<ReadFile> out;
  for (auto& name : names) {
    std::error_code unknown;
    const auto path = directory / name;
    auto text = fs::is_regular_file(path, unknown)
                    ? read_file(path, max_bytes)
                    : Result<std::string>(Error{Errc::io, "is no plain file", path.string(), {}});
    out.push_back({std::move(name), std::move(text)});
  }
  return out;
}

std::vector<TextFile> toml_files(const fs::path& directory, std::vector<Error>* errors) {
  constexpr std::size_t kMostFiles = 500, kTomlBytes = std::size_t{1} << 20;
  std::vector<TextFile> out;
  for (auto& file : read_files(directory, ".toml", kMostFiles, kTomlBytes))
    if (file.text.ok())
      out.push_back({std::move(file.name), std::move(*file.text)});
    else if (errors != nullptr)
      errors->push_back(file.text.error());
  return out;
}

}  // namespace hydra
