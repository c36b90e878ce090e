#include "git/refs.hpp"

#include "base/strings.hpp"

#include <git2.h>

#include <algorithm>
#include <memory>

namespace hydra::git {
namespace {

struct RefCloser {
  void operator()(git_repository* repository) const { git_repository_free(repository); }
  void operator()(git_reference* reference) const { git_reference_free(reference); }
  void operator()(git_reference_iterator* iterator) const { git_reference_iterator_free(iterator); }
};

using OpenRepository = std::unique_ptr<git_repository, RefCloser>;
using OpenReference = std::unique_ptr<git_reference, RefCloser>;

OpenRepository open_for_refs(const fs::path& common_dir) {
  static const bool ready = git_libgit2_init() > 0;
  std::error_code ec;
  git_repository* repository = nullptr;
  // Files are all that this libgit2 knows of; another kind of store has a directory of its own.
  if (!ready || fs::exists(common_dir / "reftable", ec) || ec ||
      git_repository_open_bare(&repository, common_dir.c_str()) != 0)
    return nullptr;
  return OpenRepository(repository);
}

std::string id_text(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '0');
  git_oid_fmt(text.data(), &id);
  return text;
}

}  // namespace

std::optional<std::vector<Ref>> read_refs(const fs::path& common_dir) {
  const auto repository = open_for_refs(common_dir);
  git_reference_iterator* opened = nullptr;
  if (!repository || git_reference_iterator_new(&opened, repository.get()) != 0) return std::nullopt;
  const std::unique_ptr<git_reference_iterator, RefCloser> iterator(opened);
  std::vector<Ref> refs;
  git_reference* next = nullptr;
  int code = 0;
  while ((code = git_reference_next(&next, iterator.get())) == 0) {
    const OpenReference reference(next);
    git_reference* end = nullptr;
    if (git_reference_resolve(&end, next) != 0) continue;  // leads nowhere: git leaves it out, too
    const OpenReference target(end);
    refs.push_back({git_reference_name(next), id_text(*git_reference_target(end))});
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
