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

}  // namespace hydra
