#include "checks/cross_files.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace hydra::checks {
namespace {

bool travels(const git::TreeChange& change, const integrity::ProtectedPaths& rules, bool reached) {
  const bool regular = change.mode == "100644" || change.mode == "100755";
  if (!regular || change.status == 'D') return false;
  const auto protection = rules.of(change.path);
  // A path in [evaluation] unprotected is not protected, and still may be a test.
  if (!protection) return reached || rules.is_test(change.path);
  if (protection->kind == integrity::ProtectedKind::check_script)
    return protection->on_change == integrity::RestoreAction::base;
  if (protection->kind != integrity::ProtectedKind::test_file) return false;
  // A test module below src is useless without the parent that names it, and its parent is the product.
  const bool listed = protection->on_change == integrity::RestoreAction::flag && change.path.ends_with(".rs");
  return !listed;
}

}  // namespace

std::vector<git::TreeChange> cross_files(const std::vector<git::TreeChange>& changes,
                                         const integrity::ProtectedPaths& rules) {
  std::vector<git::TreeChange> files;
  std::vector<std::string> paths;
  for (const auto& change : changes) paths.push_back(change.path);
  const auto reached = rules.only_tests_reach(paths);
  for (const auto& change : changes)
    if (travels(change, rules, reached.contains(change.path))) files.push_back(change);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::string digest_of(const std::vector<git::TreeChange>& files) {
  std::string text;
  for (const auto& file : files) text += file.mode + " " + file.id + " " + file.path + '\0';
  return fingerprint(text);
}

}  // namespace hydra::checks
