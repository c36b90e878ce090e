#include "cli/project_files.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/ecosystem.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

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

bool is_program(const fs::path& path) {
  std::error_code ec;
  return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, ec);
}

}  // namespace

void add_machine(const EnvLookup& env, config::ProjectFiles& files) {
  files.programs.emplace();
  const auto path = env("PATH").value_or("");
  for (const auto& program : config::proposed_programs()) {
    const auto directories = split(path, ':');
    if (std::any_of(directories.begin(), directories.end(), [&](std::string_view directory) {
          return directory.starts_with('/') && is_program(fs::path(directory) / program);
        }))
      files.programs->push_back(program);
  }
  files.caches.emplace();
  const fs::path home = env("HOME").value_or("");
  if (home.empty()) return;
  std::error_code ec;
  for (const auto& cache : config::named_caches())
    if (fs::is_directory(home / cache.directory, ec)) files.caches->emplace_back(cache.name);
}

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
  // Looked for below the top: what proposals ask about.
  for (const auto* path : {"vendor/bundle", "build/CMakeCache.txt"})
    if (fs::exists(directory / path, ec)) files.names.emplace_back(path);
  std::sort(files.names.begin(), files.names.end());
  return files;
}

}  // namespace hydra::cli
