#include "base/letter_case.hpp"

#include "base/strings.hpp"

#include <sys/stat.h>
#include <system_error>

namespace hydra {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0;
}

/// Returns the listed name of the entry that `directory` finds as `name`.
std::optional<std::string> listed_as(const fs::path& directory, const std::string& name) {
  std::optional<std::string> other;
  const auto folded = to_lower(name);
  std::error_code ec;
  for (auto at = fs::directory_iterator(directory, ec); !ec && at != fs::directory_iterator();
       at.increment(ec)) {
    auto own = at->path().filename().string();
    if (own == name) return own;
    if (!other && to_lower(own) == folded) other = std::move(own);
  }
  return other;
}

}  // namespace

bool folds_case(const fs::path& existing) {
  auto other = existing.filename().string();
  bool has_letter = false;
  for (char& c : other) {
    const bool lower = c >= 'a' && c <= 'z';
    if (!lower && (c < 'A' || c > 'Z')) continue;
    has_letter = true;
    c = static_cast<char>(lower ? c - 'a' + 'A' : c - 'A' + 'a');
  }
  const auto directory = existing.parent_path();
  if (!has_letter || !is_there(existing) || !is_there(directory / other)) return false;
  // Two files with both names are listed separately, so the file system distinguishes them.
  const auto listed = listed_as(directory, other);
  return listed && *listed != other;
}

std::optional<std::string> spelled(const fs::path& root, const std::string& relative) {
  if (!is_there(root / relative)) return std::nullopt;
  std::string found;
  for (const auto part : split(relative, '/')) {
    const auto own = listed_as(root / found, std::string(part));
    if (!own) return std::nullopt;
    found += (found.empty() ? "" : "/") + *own;
  }
  return found;
}

}  // namespace hydra
