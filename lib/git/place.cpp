#include "git/place.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/pin.hpp"
#include "git/store/layout.hpp"
#include "model/environment.hpp"

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
    const auto linked = linked_git_dir(top);
    if (linked.empty()) return std::nullopt;
    place.git_dir = real(linked);
  }
  // git does not accept a `.git` directory without HEAD either.
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

Error gone(const model::RaceSpec& spec) {
  const auto& root = spec.repository.root;
  return {Errc::not_found, "the repository of this race no longer exists: " + root, spec.id,
          "move it back, or put a link to its new place there: ln -s NEW " + root};
}

Error leads_elsewhere(const model::RaceSpec& spec, const Place& place) {
  const auto& facts = spec.repository;
  return {Errc::refused,
          facts.root + "/.git leads to " + place.git_dir.string() + " now, and not to " + facts.git_dir,
          spec.id, "put it back, or `hydra merge --repair-only` does where the race ran without a sandbox"};
}

Error another(const model::RaceSpec& spec) {
  const auto& facts = spec.repository;
  return {Errc::refused,
          "another repository is at " + facts.root + " now: the commit that the race began on, " +
              facts.base.substr(0, 12) + ", is not in it",
          spec.id, "put the race's own repository back in its place, or race again"};
}

}  // namespace

Error another_checkout(const std::string& root) {
  return {Errc::refused, "the race belongs to the checkout " + root, {}, "run the command in that directory"};
}

bool is_checkout(const fs::path& root) { return repository_at(root).has_value(); }

bool has_pin(const fs::path& directory, const std::string& race) {
  const auto place = repository_above(directory);
  if (!place) return false;
  const auto pin = base_pin(race);
  if (::access((place->common_dir / pin).c_str(), F_OK) == 0) return true;
  const auto packed = read_file(place->common_dir / "packed-refs", std::size_t{64} << 20);
  if (!packed.ok()) return false;
  for (const auto line : lines(*packed))
    if (line.ends_with(" " + pin)) return true;
  return false;
}

Result<void> holds_base(const model::RaceSpec& spec) {
  const auto& facts = spec.repository;
  if (::access((fs::path(facts.common_dir) / "HEAD").c_str(), F_OK) != 0) return gone(spec);
  Command git(model::variable(spec, "PATH"), model::variable(spec, "HOME"));
  git.git_dir(facts.common_dir).cwd(facts.common_dir);
  HYDRA_TRY(const auto base, git.run({"cat-file", "-e", facts.base}));
  // Exit code 1 means that the commit is missing; any other code says nothing about it.
  if (base.ok()) return {};
  if (base.exit_code == 1) return another(spec);
  auto error = git_error("looking for the race's base", base);
  error.message = "git cannot read the repository of this race: " + error.message;
  error.hint = "`git fsck` in " + facts.root + " shows what is broken";
  return error;
}

Result<void> at_its_place(const model::RaceSpec& spec) {
  const auto& facts = spec.repository;
  const auto place = repository_at(facts.root);
  if (!place) return gone(spec);
  if (place->git_dir != real(facts.git_dir)) return leads_elsewhere(spec, *place);
  return holds_base(spec);
}

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
