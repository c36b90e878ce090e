#include "git/loose.hpp"

#include <git2.h>

#include <memory>

namespace hydra::git {
namespace {

struct OdbCloser {
  void operator()(git_odb* odb) const { git_odb_free(odb); }
};
using Odb = std::unique_ptr<git_odb, OdbCloser>;

Odb open_odb(const fs::path& objects) {
  static const bool ready = git_libgit2_init() > 0;
  git_odb* odb = nullptr;
  if (!ready || git_odb_open(&odb, objects.c_str()) != 0) return nullptr;
  return Odb(odb);
}

/// What git would clean out of a name; such names are left to git.
bool plain_name(const std::string& text) {
  return !text.empty() && text.find_first_of("<>\n\"'\\") == std::string::npos && text.front() > ' ' &&
         text.back() > '.' && text.front() > '.';
}

}  // namespace

std::optional<std::string> read_blob(const fs::path& objects, const std::string& id) {
  const Odb odb = open_odb(objects);
  git_oid oid;
  git_odb_object* object = nullptr;
  if (!odb || id.size() != GIT_OID_HEXSZ || git_oid_fromstr(&oid, id.c_str()) != 0) return std::nullopt;
  if (git_odb_read(&object, odb.get(), &oid) != 0) return std::nullopt;
  std::string bytes(static_cast<const char*>(git_odb_object_data(object)), git_odb_object_size(object));
  git_odb_object_free(object);
  return bytes;
}

std::optional<std::string> write_commit(const fs::path& objects, const model::RepositoryFacts& facts,
                                        const std::string& tree, const std::string& message,
                                        std::int64_t unix_seconds) {
  if (facts.object_format != "sha1" || !plain_name(facts.user_name) || !plain_name(facts.user_email))
    return std::nullopt;
  const Odb odb = open_odb(objects);
  if (!odb) return std::nullopt;
  const std::string who =
      facts.user_name + " <" + facts.user_email + "> " + std::to_string(unix_seconds) + " +0000\n";
  const std::string text =
      "tree " + tree + "\nparent " + facts.base + "\nauthor " + who + "committer " + who + "\n" + message;
  git_oid oid;
  if (git_odb_write(&oid, odb.get(), text.data(), text.size(), GIT_OBJECT_COMMIT) != 0) return std::nullopt;
  std::string id(GIT_OID_HEXSZ, '0');
  git_oid_fmt(id.data(), &oid);
  return id;
}

}  // namespace hydra::git
