#include "cli/project_files.hpp"

#include "base/files.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace hydra::cli {
namespace {

constexpr std::size_t kTextBytes = 1u << 20;
constexpr std::size_t kMostNames = 2000;

bool is_manifest(const std::string& name) {
  constexpr std::array<std::string_view, 12> kNames{
      "Makefile", "makefile",       "GNUmakefile", "Gemfile", "Rakefile",  "justfile",
      "Justfile", "CMakeLists.txt", "go.mod",      "tox.ini", "WORKSPACE", "requirements.txt"};
  constexpr std::array<std::string_view, 10> kEndings{".toml", ".json",  ".cfg", ".gradle", ".kts",
                                                      ".xml",  ".build", ".ini", ".csproj", ".mod"};
  if (name.starts_with(".")) return false;
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](auto ending) { return name.ends_with(ending); });
}

}  // namespace

config::ProjectFiles read_project(const fs::path& directory) {
  config::ProjectFiles files;
  std::error_code ec;
  for (fs::directory_iterator it(directory, ec), end; !ec && it != end && files.names.size() < kMostNames;
       it.increment(ec)) {
    const auto name = it->path().filename().string();
    files.names.push_back(name);
    std::error_code ignored;
    if (!is_manifest(name) || !it->is_regular_file(ignored)) continue;
    if (auto text = read_file(it->path(), kTextBytes)) files.texts[name] = std::move(*text);
  }
  std::sort(files.names.begin(), files.names.end());
  return files;
}

}  // namespace hydra::cli
