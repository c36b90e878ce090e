// A capture without git: when files equal their blobs, the blobs, the tree and the comparison with the base
// are made in the process. That saves the two programs that cost a capture most.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/letter_case.hpp"
#include "git/merge/hooks.hpp"
#include "git/store/object_database.hpp"
#include "git/store/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sys/stat.h>

namespace hydra::git {
namespace {

constexpr std::uint64_t kMostBytes = 32u << 20;  ///< bytes of all files together, which are read as a whole

/// Returns whether git might refuse the name, because some file system takes it for `.git`, or reads the file
/// as rules.
bool name_needs_git(const std::string& path) {
  const auto parts = split(path, '/');
  return path.find('\\') != std::string::npos ||
         std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
           const auto name = to_lower(part.substr(0, 4));
           const bool odd = std::any_of(part.begin(), part.end(), [](char c) { return (c & 0x80) != 0; });
           return name == ".git" || name == "git~" || (part.starts_with('.') && odd);
         });
}

/// A changed file as git would store it. Nothing: git must read the file.
std::optional<TreeChange> stored(const ObjectDatabase& objects, const fs::path& work, const std::string& path,
                                 std::uint64_t& left) {
  struct stat st {};
  const auto file = work / path;
  if (::lstat(file.c_str(), &st) != 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(st.st_size);
  if (!(S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) || size > left) return std::nullopt;
  left -= size;
  TreeChange change;
  change.path = path;
  std::optional<std::string> id;
  if (S_ISLNK(st.st_mode)) {
    std::error_code failed;
    const auto target = fs::read_symlink(file, failed);
    change.mode = "120000";
    if (!failed) id = objects.write_blob(target.native());
  } else {
    change.mode = (st.st_mode & 0100) != 0 ? "100755" : "100644";
    if (const auto bytes = read_file(file, size); bytes.ok()) id = objects.write_blob(*bytes);
  }
  if (!id) return std::nullopt;
  change.id = std::move(*id);
  return change;
}

/// Returns whether git might take an added file for a moved one: equal bytes, or a size between half and
/// twice that of a removed file, which is git's own first test.
bool may_have_moved(const ObjectDatabase& objects, const std::vector<TreeChange>& changes) {
  constexpr std::size_t kMostFiles = 64;
  std::vector<std::size_t> added, removed;
  for (const auto& change : changes) {
    if (change.status != 'A' && change.status != 'D') continue;
    auto& sizes = change.status == 'A' ? added : removed;
    const auto size = objects.blob_size(change.status == 'A' ? change.id : change.old_id);
    if (!size || sizes.size() == kMostFiles) return true;
    sizes.push_back(*size);
  }
  return std::any_of(added.begin(), added.end(), [&](std::size_t one) {
    return std::any_of(removed.begin(), removed.end(),
                       [&](std::size_t other) { return 2 * std::min(one, other) >= std::max(one, other); });
  });
}

/// Prints the changes as `git diff --raw --numstat -z` does.
std::optional<std::string> as_git_prints(const ObjectDatabase& objects,
                                         const std::vector<TreeChange>& changes) {
  std::string raw, numbers;
  for (const auto& change : changes) {
    raw +=
        fmt::format(":{} {} {} {} {}", change.old_mode, change.mode, change.old_id, change.id, change.status);
    raw += '\0' + change.path + '\0';
    const auto lines = objects.changed_lines(change.old_id, change.id);
    if (!lines) return std::nullopt;
    numbers += lines->binary ? "-\t-\t" : fmt::format("{}\t{}\t", lines->added, lines->removed);
    numbers += change.path + '\0';
  }
  return raw + numbers;
}

}  // namespace

bool Capturing::needs_git(const model::RepositoryFacts& facts) const {
  return facts.object_format != "sha1" || ignores_case(facts) || holds_conversion(store_, facts) ||
         std::any_of(tracked_.begin(), tracked_.end(), is_attributes) ||
         std::any_of(changed_.begin(), changed_.end(), name_needs_git) ||
         std::any_of(untracked_.begin(), untracked_.end(), name_needs_git) ||
         (base_.empty() ? must_remove_first() : removed_below_file());
}

std::optional<std::string> Capturing::compare_in_process(const model::RepositoryFacts& facts) {
  if (needs_git(facts)) return std::nullopt;
  const ObjectDatabase objects(store_ / "objects");
  std::vector<TreeChange> wanted;
  const std::string nothing(facts.base_tree.size(), '0');
  for (const auto& path : removed_) wanted.push_back({path, 'D', {}, "000000", nothing, nothing});
  auto left = kMostBytes;
  for (const auto* paths : {&changed_, &untracked_}) {
    for (const auto& path : *paths) {
      auto change = stored(objects, work_, path, left);
      if (!change) return std::nullopt;
      wanted.push_back(std::move(*change));
    }
  }
  const auto tree = objects.write_tree(facts.base_tree, wanted);
  auto changes = tree ? objects.changes(facts.base_tree, *tree) : std::nullopt;
  if (!changes) return std::nullopt;
  const auto any = [&](char status) {
    return std::any_of(changes->begin(), changes->end(), [&](const auto& c) { return c.status == status; });
  };
  // git decides which files are renamed.
  if (any('T') || (any('A') && any('D') && may_have_moved(objects, *changes))) return std::nullopt;
  std::sort(changes->begin(), changes->end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  auto text = as_git_prints(objects, *changes);
  if (!text) return std::nullopt;
  // Drop files that were touched but not changed.
  std::erase_if(changed_, [&](const std::string& path) {
    return std::none_of(changes->begin(), changes->end(), [&](const auto& c) { return c.path == path; });
  });
  return text;
}

}  // namespace hydra::git
