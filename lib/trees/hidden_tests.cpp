#include "trees/hidden_tests.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace hydra::trees {
namespace {

constexpr std::uint64_t kLargestFile = 64ull << 20;

Error refused(const std::string& what, const fs::path& where) {
  return {Errc::usage, "hidden tests: " + what, where.string(), {}};
}

/// Regular files below `root`, relative, sorted.
Result<std::vector<std::string>> files_below(const fs::path& root) {
  std::vector<std::string> paths;
  std::error_code ec;
  for (auto at = fs::recursive_directory_iterator(root, ec); !ec && at != fs::recursive_directory_iterator();
       at.increment(ec)) {
    struct stat st {};
    if (::lstat(at->path().c_str(), &st) != 0)
      return system_error("cannot look at " + at->path().string(), errno);
    if (to_lower(at->path().filename().string()) == ".git")
      return refused("a repository is in it", at->path());
    if (S_ISDIR(st.st_mode)) continue;
    if (!S_ISREG(st.st_mode)) return refused("only plain files and directories are taken", at->path());
    if (paths.size() >= kMostHiddenFiles) return refused("more than 10,000 files", root);
    paths.push_back(at->path().lexically_relative(root).string());
  }
  if (ec) return system_error("cannot read " + root.string(), ec.value());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool executable(const fs::path& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0 && (st.st_mode & S_IXUSR) != 0;
}

std::string_view without_extension(std::string_view path) {
  const auto dot = path.rfind('.');
  const auto slash = path.rfind('/');
  const bool in_name = dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash + 1);
  return in_name ? path.substr(0, dot) : path;
}

bool boundary(char c) {
  return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-');
}

bool stands_alone(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || boundary(text[at - 1])) && (end == text.size() || boundary(text[end]))) return true;
  }
  return false;
}

}  // namespace

Result<HiddenTests> take_hidden_tests(const fs::path& source, const fs::path& to) {
  struct stat st {};
  if (::lstat(source.c_str(), &st) != 0 || !S_ISDIR(st.st_mode))
    return refused("not a directory, or a link", source);
  HiddenTests taken;
  HYDRA_TRY(taken.paths, files_below(source));
  if (taken.paths.empty()) return refused("no file is in the directory", source);
  std::string facts;
  std::uint64_t total = 0;
  HYDRA_CHECK(make_dirs(to, 0700));
  for (const auto& path : taken.paths) {
    HYDRA_TRY(const auto bytes, read_file(source / path, kLargestFile));
    total += bytes.size();
    if (total > kMostHiddenBytes) return refused("more than 256 MiB", source);
    const bool runs = executable(source / path);
    HYDRA_CHECK(make_dirs((to / path).parent_path(), 0700));
    HYDRA_CHECK(write_file(to / path, bytes, runs ? 0700 : 0600));
    facts += path + '\0' + (runs ? "x" : "-") + fingerprint(bytes) + "\n";
  }
  taken.digest = fingerprint(facts);
  return taken;
}

Result<void> lay_over(trees::TreeWriter& writer, const fs::path& kept, const timespec& time) {
  HYDRA_TRY(const auto paths, files_below(kept));
  for (const auto& path : paths) {
    HYDRA_TRY(const auto bytes, read_file(kept / path, kLargestFile));
    HYDRA_CHECK(writer.put(path, executable(kept / path) ? 0100755 : 0100644, bytes));
    HYDRA_CHECK(writer.set_mtime(path, time));
  }
  return {};
}

bool is_hidden_test(std::string_view test_name, const std::vector<std::string>& hidden_paths) {
  return std::any_of(hidden_paths.begin(), hidden_paths.end(), [&](const std::string& path) {
    const auto stem = without_extension(path);
    return stands_alone(test_name, path) || stands_alone(test_name, stem) ||
           stands_alone(test_name, replace_all(std::string(stem), "/", ".")) ||
           stands_alone(test_name, replace_all(std::string(stem), "/", "::"));
  });
}

}  // namespace hydra::trees
