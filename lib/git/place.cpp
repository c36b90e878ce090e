#include "git/place.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <optional>
#include <unistd.h>

namespace hydra::git {
namespace {

namespace fs = std::filesystem;

struct Place {
  fs::path git_dir, common_dir;
};

fs::path real(const fs::path& path) {
  std::error_code error;
  auto result = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

/// The repository whose checkout has its top level at `top`.
std::optional<Place> repository_at(const fs::path& top) {
  const fs::path entry = top / ".git";
  std::error_code error;
  Place place;
  if (fs::is_directory(entry, error)) {
    place.git_dir = real(entry);
  } else {
    const auto text = read_file(entry, 1 << 16);
    if (!text.ok() || !text->starts_with("gitdir: ")) return std::nullopt;
    place.git_dir = real(top / std::string(trim(std::string_view(*text).substr(8))));
  }
  // An empty directory of that name is no repository for git either.
  if (::access((place.git_dir / "HEAD").c_str(), F_OK) != 0) return std::nullopt;
  place.common_dir = place.git_dir;
  if (const auto text = read_file(place.git_dir / "commondir", 1 << 16); text.ok())
    place.common_dir = real(place.git_dir / std::string(trim(*text)));
  return place;
}

std::optional<Place> repository_above(const fs::path& directory) {
  for (fs::path at = real(directory);; at = at.parent_path()) {
    if (auto place = repository_at(at)) return place;
    if (at == at.parent_path()) return std::nullopt;
  }
}

}  // namespace

Relation relation(const fs::path& directory, const fs::path& root) {
  const auto here = repository_above(directory);
  const auto there = repository_at(root);
  if (!here || !there) {
    const auto path = real(directory).lexically_relative(real(root));
    return path.empty() || *path.begin() == ".." ? Relation::elsewhere : Relation::same;
  }
  if (here->git_dir == there->git_dir) return Relation::same;
  return here->common_dir == there->common_dir ? Relation::sibling : Relation::elsewhere;
}

}  // namespace hydra::git
