#include "git/refs.hpp"

#include "base/strings.hpp"
#include "git/store/libgit.hpp"

#include <algorithm>

namespace hydra::git {
namespace {

Held<git_repository> open_for_refs(const fs::path& common_dir) {
  std::error_code ec;
  // libgit2 here knows only the files backend; reftable has its own directory.
  if (fs::exists(common_dir / "reftable", ec) || ec) return nullptr;
  return held<git_repository>(git_repository_open_bare, common_dir.c_str());
}

}  // namespace

std::optional<std::vector<Ref>> read_refs(const fs::path& common_dir) {
  const auto repository = open_for_refs(common_dir);
  const auto iterator =
      repository ? held<git_reference_iterator>(git_reference_iterator_new, repository.get()) : nullptr;
  if (!iterator) return std::nullopt;
  std::vector<Ref> refs;
  git_reference* next = nullptr;
  int code = 0;
  while ((code = git_reference_next(&next, iterator.get())) == 0) {
    const Held<git_reference> reference(next);
    const auto end = held<git_reference>(git_reference_resolve, next);
    if (!end) continue;  // unresolvable: git omits the ref too
    refs.push_back({git_reference_name(next), hex_of(*git_reference_target(end.get()))});
  }
  if (code != GIT_ITEROVER) return std::nullopt;
  std::sort(refs.begin(), refs.end(), [](const Ref& a, const Ref& b) { return a.name < b.name; });
  return refs;
}

std::optional<bool> has_ref(const fs::path& common_dir, const std::string& name) {
  const auto repository = open_for_refs(common_dir);
  git_oid id;
  if (!repository) return std::nullopt;
  const int code = git_reference_name_to_id(&id, repository.get(), name.c_str());
  if (code == 0) return true;
  return code == GIT_ENOTFOUND ? std::optional(false) : std::nullopt;
}

Result<std::vector<Ref>> ask_for_refs(const Command& git) {
  HYDRA_TRY(const auto text, git.output({"for-each-ref", "--format=%(objectname) %(refname)"}));
  std::vector<Ref> refs;
  for (const auto line : lines(text)) {
    const auto blank = line.find(' ');
    if (blank != std::string_view::npos)
      refs.push_back({std::string(line.substr(blank + 1)), std::string(line.substr(0, blank))});
  }
  return refs;
}

}  // namespace hydra::git
