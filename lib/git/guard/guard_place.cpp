// The identity of `.git`, and packed-refs: the rest of the repository depends on both, where an agent could
// have written. The guard can restore both.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"
#include "git/merge/checkout_move.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {

namespace {

constexpr std::size_t kMostPacked = 64u << 20;

/// "directory DEVICE INODE", or "file " and its content; empty: nothing exists.
std::string what_is_at(const fs::path& path) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return {};
  if (S_ISDIR(st.st_mode)) return "directory " + std::to_string(st.st_dev) + " " + std::to_string(st.st_ino);
  if (S_ISREG(st.st_mode)) return "file " + read_file(path, 1 << 16).value_or("");
  return "something else";
}

/// Finds the removed directory under another name, beside the checkout or inside it, by its identity `was`.
fs::path find_again(const fs::path& root, const std::string& was) {
  std::error_code error;
  for (const auto& directory : {root, root.parent_path()})
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
      if (what_is_at(entry->path()) == was) return entry->path();
  return {};
}

/// Accepts a line "ID refs/…" of packed-refs; other lines mean nothing alone.
bool is_packed_ref(std::string_view line) {
  const auto blank = std::min(line.find(' '), line.size());
  return is_object_id(line.substr(0, blank)) && line.substr(blank).starts_with(" refs/") &&
         line.find('\0') == std::string_view::npos;
}

/// Joins the remembered refs with the readable refs of the present file.
std::string joined_refs(const std::string& before, const std::string& now) {
  std::set<std::string, std::less<>> names;
  std::string text;
  for (const auto* side : {&before, &now}) {
    const bool whole = side->ends_with('\n');
    auto all = lines(*side);
    if (side == &now && !whole && !all.empty()) all.pop_back();  // incomplete last line
    for (const auto line : all)
      if (is_packed_ref(line) && names.emplace(line.substr(line.find(' ') + 1)).second)
        text += std::string(line) + "\n";
  }
  return text;
}

}  // namespace

Result<void> Guard::save_place() const {
  HYDRA_CHECK(write_file(store_ / "guard.place", what_is_at(fs::path(facts_.root) / ".git"), 0600));
  const auto packed = read_file(fs::path(facts_.common_dir) / "packed-refs", kMostPacked);
  if (packed.ok()) return write_file(store_ / "guard.packed-refs", *packed, 0600);
  ::unlink((store_ / "guard.packed-refs").c_str());
  return {};
}

std::string Guard::place_problem() const {
  const auto was = read_file(store_ / "guard.place", 1 << 17);
  const auto is = what_is_at(fs::path(facts_.root) / ".git");
  if (!was.ok() || was->empty() || *was == is) return {};
  if (is.empty()) return ".git (gone)";
  if (is.starts_with("file gitdir: ")) return ".git (it leads to " + sanitize(trim(is.substr(13))) + " now)";
  return is.starts_with("directory ") ? ".git (another directory)" : ".git (no directory any more)";
}

std::string Guard::refs_problem() const {
  const auto listed = git().run({"for-each-ref", "--count=1"});
  if (!listed.ok() || listed->ok()) return {};
  return "packed-refs (git cannot read the refs: " + last_words(listed->err) + ")";
}

Result<void> Guard::keep_replaced(const fs::path& path, const std::string& name) const {
  const fs::path kept = store_ / "replaced";
  HYDRA_CHECK(make_dirs(kept, 0700));
  // A rename fails between file systems; then copy: the content matters, not the inode.
  std::error_code error;
  fs::remove_all(kept / name, error);
  fs::rename(path, kept / name, error);
  if (error)
    fs::copy(path, kept / name, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
  if (error) return system_error("cannot keep " + path.string(), error.value());
  return remove_tree(path);
}

Result<void> Guard::repair_place() const {
  if (place_problem().empty()) return {};
  HYDRA_TRY(const auto was, read_file(store_ / "guard.place", 1 << 17));
  const fs::path entry = fs::path(facts_.root) / ".git";
  const bool file = was.starts_with("file ");
  const auto moved = file ? fs::path() : find_again(facts_.root, was);
  if (!file && moved.empty())
    return refused("the repository's own directory is gone: " + entry.string(),
                   "put it back from a backup; the race's results are in " + store_.string());
  struct stat st {};
  if (::lstat(entry.c_str(), &st) == 0) HYDRA_CHECK(keep_replaced(entry, "dot-git"));
  if (file) return write_file(entry, was.substr(5));
  if (::rename(moved.c_str(), entry.c_str()) != 0)
    return system_error("cannot make " + entry.string(), errno);
  return {};
}

Result<void> Guard::repair_packed_refs() const {
  if (refs_problem().empty()) return {};
  const fs::path packed = fs::path(facts_.common_dir) / "packed-refs";
  const auto before = read_file(store_ / "guard.packed-refs", kMostPacked);
  const auto now = read_file(packed, kMostPacked);
  if (!before.ok() && !now.ok()) return {};
  struct stat st {};
  if (::lstat(packed.c_str(), &st) == 0) HYDRA_CHECK(keep_replaced(packed, "packed-refs"));
  return write_file_atomic(packed, joined_refs(before.value_or(""), now.value_or("")), true, 0644);
}

}  // namespace hydra::git
