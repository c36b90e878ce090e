#include "cli/project_files.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"
#include "exec/tool.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace hydra::cli {
namespace {

constexpr std::size_t kTextBytes = 1u << 20;
constexpr std::size_t kMostNames = 2000;

bool is_manifest(const std::string& name) {
  return !name.starts_with('.') && config::names_one_of(config::toolchains().reads, name);
}

constexpr std::size_t kMostBelow = 300, kTestTextBytes = 64u << 10, kMostTestTexts = 40;

void look_into(const fs::path& directory, const std::string& name, config::ProjectFiles& files) {
  std::error_code ec;
  std::vector<std::string> found;
  for (fs::directory_iterator it(directory / name, ec), end; !ec && it != end && found.size() < kMostBelow;
       it.increment(ec))
    found.push_back(name + "/" + it->path().filename().string());
  std::sort(found.begin(), found.end());
  std::size_t texts = 0;
  for (auto& path : found) {
    std::error_code ignored;
    const auto file = path.substr(name.size() + 1);
    const bool test = file.ends_with(".py") && (file.starts_with("test") || file.ends_with("_test.py"));
    if (test && texts < kMostTestTexts && fs::is_regular_file(directory / path, ignored)) {
      ++texts;
      if (auto text = read_file(directory / path, kTestTextBytes)) files.texts[path] = std::move(*text);
    }
    files.names.push_back(std::move(path));
  }
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

void add_gems(std::vector<std::string>& packages) {
  std::error_code ec;
  std::vector<fs::path> places;
  for (const char* root : {"/usr/share/rubygems-integration", "/var/lib/gems", "/usr/lib/ruby/gems"})
    for (fs::directory_iterator it(root, ec), end; !ec && it != end; it.increment(ec)) {
      places.push_back(it->path() / "specifications");
      places.push_back(it->path() / "specifications/default");
    }
  for (const auto& place : places) {
    std::error_code none;
    for (fs::directory_iterator it(place, none), end; !none && it != end; it.increment(none)) {
      const auto name = it->path().filename().string();
      const auto dash = name.rfind('-');
      if (name.ends_with(".gemspec") && dash != std::string::npos)
        packages.push_back("gem:" + name.substr(0, dash));
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
  add_gems(*files.packages);
  files.caches.emplace();
  const fs::path home = env("HOME").value_or("");
  if (home.empty()) return;
  std::error_code ec;
  for (const auto& cache : config::named_caches())
    if (fs::is_directory(home / cache.directory, ec)) files.caches->emplace_back(cache.name);
}

void leave_out_ignored_locks(const fs::path& directory, const EnvLookup& env, config::ProjectFiles& files) {
  exec::ToolCall call;
  call.argv = {"git", "check-ignore", "-z", "--stdin"};
  for (const auto& name : files.names)
    if (name.find('/') == std::string::npos && config::names_one_of(config::toolchains().locks, name))
      call.input += name + '\0';
  if (call.input.empty()) return;
  for (const char* variable : {"PATH", "HOME", "XDG_CONFIG_HOME"})
    if (auto value = env(variable)) call.env.emplace_back(variable, std::move(*value));
  call.cwd = directory;
  call.deadline = std::chrono::seconds(10);
  // Without an answer of git (as without a repository) all files count. git does not list tracked files as
  // ignored.
  const auto answer = exec::run_tool(call);
  if (!answer.ok() || !answer->ok()) return;
  for (const auto name : split(answer->out, '\0')) {
    std::erase(files.names, name);
    files.texts.erase(std::string(name));
  }
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
  // Proposals also ask for these files below the top level.
  for (const auto name : config::toolchains().looks_into) look_into(directory, std::string(name), files);
  for (const auto path : config::toolchains().looks_for)
    if (fs::exists(directory / path, ec)) files.names.emplace_back(path);
  std::sort(files.names.begin(), files.names.end());
  return files;
}

std::vector<SubProject> projects_below(const fs::path& directory) {
  constexpr std::size_t kMostProjects = 20, kMostLooks = 400;
  std::vector<SubProject> found;
  std::vector<std::string> open{""}, next;
  std::size_t looks = 0;
  for (int depth = 0; depth < 2; ++depth, open = std::exchange(next, {}))
    for (const auto& parent : open) {
      std::error_code ec;
      for (fs::directory_iterator it(directory / parent, ec), end; !ec && it != end; it.increment(ec)) {
        const auto name = it->path().filename().string();
        std::error_code ignored;
        if (name.starts_with('.') || !it->is_directory(ignored) || it->is_symlink(ignored)) continue;
        const auto path = parent.empty() ? name : parent + "/" + name;
        const auto below = path + "/x";
        if (name == "node_modules" || name == "vendor" || config::is_test_data(below) || ++looks > kMostLooks)
          continue;
        if (const auto kind = config::recognised_by(read_project(directory / path)); !kind.empty())
          found.push_back({path, kind});
        else
          next.push_back(path);
      }
    }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.directory < b.directory; });
  if (found.size() > kMostProjects) found.resize(kMostProjects);
  return found;
}

}  // namespace hydra::cli
