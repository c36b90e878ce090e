#include "race/tool_paths.hpp"

#include "base/entries.hpp"
#include "base/strings.hpp"
#include "race/job_parts.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

namespace hydra::race {
namespace {

using detail::below;
using detail::cover_of;
using detail::holds_secrets;

constexpr std::size_t kMostEntries = 4000;  ///< of a directory of programs
constexpr int kMostLinks = 3;               ///< a tool of a tool of a tool: pipx, its environment, its Python
constexpr std::size_t kFirstLine = 512;     ///< bytes read of a script
constexpr std::array<std::string_view, 10> kSiblings{"lib", "lib64", "libexec", "share",    "include",
                                                     "etc", "ssl",   "envs",    "condabin", "pkgs"};

bool is_bin(const fs::path& directory) {
  const auto leaf = directory.filename();
  return leaf == "bin" || leaf == "sbin" || leaf == "shims" || leaf == "libexec";
}

/// Returns the interpreter of a script; empty: no script, or a relative path.
fs::path interpreter_of(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  std::string text(kFirstLine, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!text.starts_with("#!")) return {};
  const auto line = trim(std::string_view(text).substr(2, text.find('\n') - 2));
  const fs::path interpreter = std::string(line.substr(0, line.find_first_of(" \t")));
  return interpreter.is_absolute() ? interpreter : fs::path();
}

class Finder {
 public:
  Finder(fs::path home, fs::path repository) : home_(std::move(home)), repository_(std::move(repository)) {}

  void of_path_entry(const fs::path& directory) {
    if (!directory.is_absolute() || !is_hidden(directory) || holds_more(directory)) return;
    const auto root = directory.parent_path();
    add(takes_whole(directory, root) ? root : directory);
    if (directory == home_ / ".cargo/bin") add(home_ / ".rustup");
    const bool kit =
        is_bin(directory) && root.parent_path() == home_ && !root.filename().string().starts_with('.');
    for (const auto sibling : kSiblings)
      if (kit && is_directory(root / sibling)) add(root / sibling);
    of_programs(directory, kMostLinks);
  }

  void of_shared(const fs::path& directory) {
    for (const char* programs : {"bin", ".bin"}) of_programs(directory / programs, kMostLinks);
  }

  [[nodiscard]] std::vector<std::string> take() {
    std::vector<std::string> paths;
    for (const auto& path : found_) paths.push_back(path.string());
    return paths;
  }

 private:
  static bool is_directory(const fs::path& path) {
    std::error_code ec;
    return fs::is_directory(path, ec);
  }
  [[nodiscard]] bool is_hidden(const fs::path& path) const { return cover_of(path, home_).has_value(); }
  [[nodiscard]] bool holds_more(const fs::path& path) const {
    return detail::holds_more(path, home_, repository_);
  }
  // A root directly below the home may hold credentials (~/.cargo): only roots of version managers contain
  // just tools.
  [[nodiscard]] bool takes_whole(const fs::path& directory, const fs::path& root) const {
    constexpr std::array<const char*, 6> kManagers{".pyenv", ".rbenv", ".volta", ".asdf", ".bun", ".deno"};
    const bool manager = std::any_of(kManagers.begin(), kManagers.end(),
                                     [&](const char* name) { return root == home_ / name; });
    const bool package = directory.filename() == ".bin" && root.filename() == "node_modules";
    return (package || (is_bin(directory) && (manager || is_deep(root)))) && !holds_more(root);
  }
  /// Returns whether a directory is below a directory of the home, but for those that hold everything.
  [[nodiscard]] bool is_deep(const fs::path& root) const {
    return is_hidden(root) && root.parent_path() != home_ && root != home_ / ".local" &&
           root != home_ / ".config" && root.parent_path().has_relative_path();
  }
  /// Returns the directory that a program needs; a program beside other files needs only itself.
  [[nodiscard]] fs::path package_of(const fs::path& program) const {
    auto root = program.parent_path();
    std::optional<fs::path> modules;
    for (auto at = root; is_hidden(at); at = at.parent_path())
      if (at.filename() == "node_modules") modules = at;
    if (modules) return *modules;
    if (is_bin(root) && is_deep(root.parent_path())) return root.parent_path();
    return program;
  }
  void add(const fs::path& path) {
    const bool known =
        std::any_of(found_.begin(), found_.end(), [&](const auto& each) { return below(path, each); });
    if (!known) found_.push_back(path);
  }
  void of_programs(const fs::path& directory, int links) {
    std::error_code ec;
    std::size_t seen = 0;
    for (const auto& entry : entries_of(directory, ec)) {
      if (++seen > kMostEntries) return;
      std::error_code gone;
      if (entry.is_symlink(gone))
        of_program(fs::canonical(entry.path(), gone), links);
      else if (entry.is_regular_file(gone))
        of_program(interpreter_of(entry.path()), links);
    }
  }
  // The link of an environment's Python may lead to another link (python3 -> python3.12).
  void of_program(const fs::path& program, int links) {
    if (links == 0 || program.empty() || !is_hidden(program) || below(program, repository_)) return;
    std::error_code ec;
    const auto real = fs::canonical(program, ec);
    if (ec) return;
    for (const auto& each : {program, real}) {
      const auto root = package_of(each);
      if (!is_hidden(root) || holds_more(root) || holds_secrets(root, home_) || below(root, repository_))
        continue;
      const bool fresh =
          std::none_of(found_.begin(), found_.end(), [&](const auto& f) { return below(root, f); });
      add(root);
      if (fresh && is_directory(root / "bin")) of_programs(root / "bin", links - 1);
    }
  }

  fs::path home_, repository_;
  std::vector<fs::path> found_;
};

}  // namespace

std::vector<std::string> tool_paths(const std::string& path_variable, const fs::path& home,
                                    const fs::path& repository, const std::vector<fs::path>& shared) {
  Finder finder(home, repository);
  for (const auto entry : split(path_variable, ':')) finder.of_path_entry(fs::path(entry).lexically_normal());
  for (const auto& directory : shared) finder.of_shared(directory);
  return finder.take();
}

}  // namespace hydra::race
