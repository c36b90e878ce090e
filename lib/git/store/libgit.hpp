// git, inside only: owners of libgit2 objects.
#pragma once

#include <git2.h>

#include <memory>
#include <optional>
#include <string>

namespace hydra::git {

struct LibgitCloser {
  void operator()(git_commit* commit) const { git_commit_free(commit); }
  void operator()(git_config* config) const { git_config_free(config); }
  void operator()(git_index* index) const { git_index_free(index); }
  void operator()(git_odb* objects) const { git_odb_free(objects); }
  void operator()(git_odb_object* object) const { git_odb_object_free(object); }
  void operator()(git_packbuilder* pack) const { git_packbuilder_free(pack); }
  void operator()(git_patch* patch) const { git_patch_free(patch); }
  void operator()(git_reference* reference) const { git_reference_free(reference); }
  void operator()(git_reference_iterator* iterator) const { git_reference_iterator_free(iterator); }
  void operator()(git_repository* repository) const { git_repository_free(repository); }
  void operator()(git_tree* tree) const { git_tree_free(tree); }
};
template <class T>
using Held = std::unique_ptr<T, LibgitCloser>;

/// Returns whether libgit2 can be used at all.
inline bool libgit_ready() {
  static const bool ready = git_libgit2_init() > 0;
  return ready;
}

/// Object made by `open`; null: `open` failed.
template <class T, class Open, class... Arguments>
Held<T> held(Open open, Arguments... arguments) {
  T* made = nullptr;
  return Held<T>(libgit_ready() && open(&made, arguments...) == 0 ? made : nullptr);
}

/// Id of 40 digits; absent for any other text (sha256, a name).
inline std::optional<git_oid> oid_of(const std::string& id) {
  git_oid oid;
  if (id.size() != GIT_OID_HEXSZ || git_oid_fromstr(&oid, id.c_str()) != 0) return std::nullopt;
  return oid;
}

inline std::string hex_of(const git_oid& oid) {
  std::string id(GIT_OID_HEXSZ, '0');
  git_oid_fmt(id.data(), &oid);
  return id;
}

}  // namespace hydra::git
