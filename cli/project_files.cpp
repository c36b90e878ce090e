#include "cli/project_files.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"
#include "exec/tool.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace hydra::cli {
namespace {

constexpr std::size_t kTextBytes = 1u << 20, kTestTextBytes = 64u << 10, kMostTestTexts = 40;
constexpr std::size_t kMostPaths = 20000, kMostDepth = 4;

bool is_manifest(std::string_view name) {
  return !name.starts_with('.') && config::names_one_of(config::toolchains().reads, name);
}

bool looks_into(std::string_view directory) {
  const auto& list = config::toolchains().looks_into;
  return std::find(list.begin(), list.end(), directory) != list.end();
}

/// Returns the bytes of text that proposals need of a file; 0: none.
std::size_t wanted_bytes(std::string_view path, std::size_t& tests) {
  const auto name = base_name(path);
  if (name.size() == path.size()) return is_manifest(name) ? kTextBytes : 0;
  if (!looks_into(directory_of(path))) return 0;
  if (name.ends_with(".txt")) return is_manifest(name) ? kTextBytes : 0;
  const bool test = name.ends_with(".py") && (name.starts_with("test") || name.ends_with("_test.py"));
  return test && ++tests <= kMostTestTexts ? kTestTextBytes : 0;
}

/// Returns the files of HEAD below the directory; nullopt: no repository, or nothing is committed.
std::optional<std::vector<std::string>> committed(const fs::path& directory, const EnvLookup& env) {
  exec::ToolCall call;
  call.argv = {"git", "ls-tree", "-r", "-z", "--name-only", "HEAD"};
  for (const char* variable : {"PATH", "HOME", "XDG_CONFIG_HOME"})
    if (auto value = env(variable)) call.env.emplace_back(variable, std::move(*value));
  call.cwd = directory;
  call.deadline = std::chrono::seconds(10);
  const auto answer = exec::run_tool(call);
  if (!answer.ok() || !answer->ok()) return std::nullopt;
  std::vector<std::string> files;
  for (const auto name : split(answer->out, '\0'))
    if (!name.empty()) files.emplace_back(name);
  return files;
}

std::vector<std::string> walked(const fs::path& directory) {
  std::vector<std::string> files;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(directory, ec), end; !ec && it != end && files.size() < kMostPaths;
       it.increment(ec)) {
    const auto name = it->path().filename().string();
    std::error_code ignored;
    const bool closed = name.starts_with('.') || it.depth() + 1 >= static_cast<int>(kMostDepth) ||
                        config::is_no_project(name + "/x");
    if (closed && it->is_directory(ignored)) it.disable_recursion_pending();
    files.push_back(it->path().lexically_relative(directory).string());
  }
  return files;
}

/// Adds Python packages by their "NAME-VERSION.dist-info" etc., with normalised names.
void add_python_packages(std::vector<std::string>& packages) {
  std::error_code ec;
  std::vector<fs::path> places{"/usr/lib/python3/dist-packages"};
  for (const char* root : {"/usr/local/lib", "/usr/lib"})
    for (fs::directory_iterator it(root, ec), end; !ec && it != end; it.increment(ec))
      if (it->path().filename().string().starts_with("python3."))
        for (const char* leaf : {"dist-packages", "site-packages"}) places.push_back(it->path() / leaf);
  for (const auto& place : places) {
    std::error_code none;
    for (fs::directory_iterator it(place, none), end; !none && it != end; it.increment(none)) {
      const auto name = it->path().filename().string();
      if (!name.ends_with(".dist-info") && !name.ends_with(".egg-info")) continue;
      auto plain = to_lower(name.substr(0, name.find_first_of("-.")));
      std::replace(plain.begin(), plain.end(), '_', '-');
      packages.push_back("python:" + plain);
    }
  }
}

}  // namespace

void add_machine(const EnvLookup& env, config::ProjectFiles& files) {
  files.programs.emplace();
  const auto path = env("PATH").value_or("");
  for (const auto& program : config::proposed_programs())
    if (!exec::find_program(program, path).empty()) files.programs->push_back(program);
  files.packages.emplace();
  add_python_packages(*files.packages);
  files.caches.emplace();
  const fs::path home = env("HOME").value_or("");
  if (home.empty()) return;
  std::error_code ec;
  for (const auto& cache : config::named_caches())
    if (fs::is_directory(home / cache.directory, ec)) files.caches->emplace_back(cache.name);
}

Listing list_files(const fs::path& directory, const EnvLookup& env) {
  std::set<std::string> paths;
  const auto files = committed(directory, env);
  for (const auto& file : files ? *files : walked(directory)) {
    std::size_t depth = 0, at = 0;
    while (at != std::string::npos && depth++ < kMostDepth && (depth == 1 || paths.size() < kMostPaths)) {
      at = file.find('/', at + 1);
      if (auto path = file.substr(0, at); !config::is_no_project(path)) paths.insert(std::move(path));
    }
  }
  return {directory, {paths.begin(), paths.end()}};
}

config::ProjectFiles read_project(const Listing& all, const std::string& below) {
  config::ProjectFiles files;
  files.directory = below;
  const auto directory = all.directory / below;
  const auto prefix = below.empty() ? "" : below + "/";
  std::size_t tests = 0;
  for (auto it = std::lower_bound(all.paths.begin(), all.paths.end(), prefix);
       it != all.paths.end() && it->starts_with(prefix); ++it) {
    const auto name = it->substr(prefix.size());
    files.names.push_back(name);
    const auto bytes = wanted_bytes(name, tests);
    std::error_code ignored;
    const bool script = name.ends_with(".sh") || base_name(name).find('.') == std::string_view::npos;
    if ((bytes == 0 && !script) || !fs::is_regular_file(directory / name, ignored)) continue;
    if (script && ::access((directory / name).c_str(), X_OK) != 0) files.no_programs.insert(name);
    if (bytes == 0) continue;
    if (auto text = read_file(directory / name, bytes)) files.texts[name] = std::move(*text);
  }
  // Installed dependencies are shared although no commit holds them.
  for (const auto path : config::toolchains().looks_for)
    if (std::error_code ec; fs::exists(directory / path, ec)) files.names.emplace_back(path);
  std::sort(files.names.begin(), files.names.end());
  files.names.erase(std::unique(files.names.begin(), files.names.end()), files.names.end());
  return files;
}

std::vector<SubProject> projects_below(const Listing& all) {
  constexpr std::size_t kMostProjects = 20, kMostLooks = 400;
  std::vector<SubProject> found;
  std::size_t looks = 0;
  const auto inside = [&](const std::string& path) {
    return std::any_of(found.begin(), found.end(),
                       [&](const SubProject& one) { return path.starts_with(one.directory + "/"); });
  };
  // A directory comes before its content.
  for (auto it = all.paths.begin(); it != all.paths.end() && found.size() < kMostProjects; ++it) {
    const bool directory = std::next(it) != all.paths.end() && fs::is_directory(all.directory / *it);
    if (!directory || it->starts_with('.') || std::count(it->begin(), it->end(), '/') > 1) continue;
    if (inside(*it) || ++looks > kMostLooks) continue;
    if (const auto kind = config::recognised_by(read_project(all, *it)); !kind.empty())
      found.push_back({*it, kind});
  }
  return found;
}

}  // namespace hydra::cli
