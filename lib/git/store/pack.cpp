#include "git/store/libgit.hpp"
#include "git/store/object_database.hpp"

#include <git2/sys/repository.h>

namespace hydra::git {
namespace {

constexpr int kDeepestPacked = 1024;  ///< directory levels: no file system takes a longer path

class PackMaker {
 public:
  PackMaker(git_repository* repository, git_packbuilder* pack) : repository_(repository), pack_(pack) {}

  bool add_commit(const std::string& id, const git_oid& base, const git_tree* base_tree) {
    const auto oid = oid_of(id);
    const auto commit = oid ? held<git_commit>(git_commit_lookup, repository_, &*oid) : nullptr;
    if (!commit || git_commit_parentcount(commit.get()) != 1 ||
        git_oid_equal(git_commit_parent_id(commit.get(), 0), &base) == 0)
      return false;
    return add(*oid) && add_tree(base_tree, *git_commit_tree_id(commit.get()), 0);
  }

 private:
  bool add(const git_oid& id) { return git_packbuilder_insert(pack_, &id, nullptr) == 0; }

  /// A null tree is an empty tree.
  bool add_tree(const git_tree* old, const git_oid& id, int depth) {
    if (old != nullptr && git_oid_equal(git_tree_id(old), &id) != 0) return true;
    const auto tree = held<git_tree>(git_tree_lookup, repository_, &id);
    if (!tree || depth > kDeepestPacked || !add(id)) return false;
    for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
      const auto* entry = git_tree_entry_byindex(tree.get(), i);
      const auto* before = old == nullptr ? nullptr : git_tree_entry_byname(old, git_tree_entry_name(entry));
      const auto* oid = git_tree_entry_id(entry);
      if (before != nullptr && git_oid_equal(git_tree_entry_id(before), oid) != 0) continue;
      const auto type = git_tree_entry_type(entry);
      if (type == GIT_OBJECT_BLOB && !add(*oid)) return false;
      if (type != GIT_OBJECT_TREE) continue;  // a submodule's commit is in no pack
      const bool grew = before != nullptr && git_tree_entry_type(before) == GIT_OBJECT_TREE;
      const auto below =
          grew ? held<git_tree>(git_tree_lookup, repository_, git_tree_entry_id(before)) : nullptr;
      if ((grew && !below) || !add_tree(below.get(), *oid, depth + 1)) return false;
    }
    return true;
  }

  git_repository* repository_;
  git_packbuilder* pack_;
};

}  // namespace

std::optional<std::string> pack_of(const std::filesystem::path& objects,
                                   const std::vector<std::string>& commits, const std::string& base) {
  const auto base_id = oid_of(base);
  const auto database = base_id ? held<git_odb>(git_odb_open, objects.c_str()) : nullptr;
  if (!database) return std::nullopt;
  const auto repository = held<git_repository>(git_repository_wrap_odb, database.get());
  const auto config = held<git_config>(git_config_new);
  // libgit2 would read the user's configuration by default.
  if (!repository || !config || git_repository_set_config(repository.get(), config.get()) != 0)
    return std::nullopt;
  const auto pack = held<git_packbuilder>(git_packbuilder_new, repository.get());
  const auto commit = held<git_commit>(git_commit_lookup, repository.get(), &*base_id);
  const auto tree = commit ? held<git_tree>(git_commit_tree, commit.get()) : nullptr;
  if (!pack || !tree) return std::nullopt;
  PackMaker maker(repository.get(), pack.get());
  for (const auto& id : commits)
    if (!maker.add_commit(id, *base_id, tree.get())) return std::nullopt;
  git_buf bytes = GIT_BUF_INIT;
  const bool written = git_packbuilder_write_buf(&bytes, pack.get()) == 0;
  auto text = written ? std::optional(std::string(bytes.ptr, bytes.size)) : std::nullopt;
  git_buf_dispose(&bytes);
  return text;
}

}  // namespace hydra::git
