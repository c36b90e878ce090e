// State that the guard remembers: files that git obeys, refs, and, where an agent could have written, index
// flags and the state of the checkout.
#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"
#include "git/store/plain_checkout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {

using namespace guard;

namespace {

constexpr std::size_t kMaxFile = 4u << 20;
constexpr std::size_t kMaxDirtyCompared = 2000;  ///< paths of the checkout whose state is compared

std::string mode_of(const struct stat& st) { return std::to_string(st.st_mode & (S_IFMT | 0111)); }

std::string content_of(const fs::path& file, const struct stat& st) {
  std::error_code error;
  if (S_ISLNK(st.st_mode)) return fs::read_symlink(file, error).string();
  if (S_ISREG(st.st_mode)) return read_file(file, kMaxFile).value_or("(unreadable)");
  return {};
}

/// Lists the index as `git ls-files -z -s -v` does. Nothing: libgit2 cannot read the index, and git must be
/// asked.
std::optional<std::string> entries_of_index(const fs::path& file) {
  const auto index = open_index(file);
  if (!index) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < git_index_entrycount(index.get()); ++i) {
    const auto& entry = *git_index_get_byindex(index.get(), i);
    const int stage = GIT_INDEX_ENTRY_STAGE(&entry);
    const bool skipped = (entry.flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
    char tag = skipped ? 'S' : stage > 0 ? 'M' : 'H';
    if ((entry.flags & GIT_INDEX_ENTRY_VALID) != 0) tag += 'a' - 'A';
    text += fmt::format("{} {:06o} {} {}\t{}", tag, entry.mode, hex_of(entry.id), stage, entry.path) + '\0';
  }
  return text;
}

/// Size, time and inode: an edit of a path that is dirty already changes them.
std::string stamp(const fs::path& file) {
  struct stat st {};
  if (::lstat(file.c_str(), &st) != 0) return "-";
  return std::to_string(st.st_size) + ":" + std::to_string(st.st_mtim.tv_sec) + "." +
         std::to_string(st.st_mtim.tv_nsec) + ":" + std::to_string(st.st_ino);
}

}  // namespace

bool guard::is_file(std::string_view name) {
  for (const auto& prefix : {kRef, kRefs, kWorktree, kFlag, kDirty, kHook})
    if (name.starts_with(prefix)) return false;
  return name != "HEAD" && name != "index";
}

bool guard::only_hides(std::string_view name) {
  return name == "info/exclude" || name == "info/sparse-checkout";
}

fs::path Guard::path_of(const std::string& name) const {
  const bool of_the_checkout = name == "config.worktree" || name == "info/sparse-checkout";
  return fs::path(of_the_checkout ? facts_.git_dir : facts_.common_dir) / name;
}

bool Guard::exists() const { return ::access((store_ / "guard").c_str(), F_OK) == 0; }

Guard::Items Guard::look_at_files() const {
  Items items;
  const auto add = [&](const std::string& name) {
    const fs::path file = path_of(name);
    struct stat st {};
    if (::lstat(file.c_str(), &st) == 0) items[name] = {mode_of(st), content_of(file, st)};
  };
  for (const char* name : {"config", "config.worktree", "info/attributes", "info/grafts", "info/exclude",
                           "info/sparse-checkout", "objects/info/alternates"})
    add(name);
  std::error_code error;
  for (const auto& entry : entries_of(fs::path(facts_.common_dir) / "hooks", error))
    if (entry.path().extension() != ".sample") add("hooks/" + entry.path().filename().string());
  const fs::path modules = fs::path(facts_.common_dir) / "modules";
  auto walk = fs::recursive_directory_iterator(modules, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const auto name = walk->path().filename().string();
    if (name == "objects" || name == "logs" || name == "refs" || walk.depth() > 8)
      walk.disable_recursion_pending();
    const bool hook = walk->path().parent_path().filename() == "hooks" && !name.ends_with(".sample");
    if (name == "config" || hook) add(walk->path().lexically_relative(facts_.common_dir).string());
  }
  return items;
}

Result<std::vector<Ref>> Guard::refs(bool trusted) const {
  // Some refs belong to a single worktree; the git program lists them.
  if ((!exposed_ || trusted) && facts_.git_dir == facts_.common_dir)
    if (auto read = read_refs(facts_.common_dir)) return std::move(*read);
  return ask_for_refs(git());
}

// Branches and tags are compared one by one; other namespaces by their hash only: a fetch brings thousands.
void Guard::look_at_refs(const std::vector<Ref>& refs, Items& items) const {
  std::map<std::string, std::string> others;
  for (const auto& [name, id] : refs) {
    // Hydra's own refs change: results are published and cleaned.
    if (name.starts_with("refs/hydra/") || name.starts_with("refs/worktree/")) continue;
    if (name.starts_with("refs/heads/") || name.starts_with("refs/tags/") ||
        name.starts_with("refs/replace/")) {
      items[std::string(kRef) + name] = {{}, id};
      continue;
    }
    const auto end = name.find('/', std::string_view("refs/").size());
    others[name.substr(0, end)] += id + " " + name + "\n";
  }
  for (const auto& [space, text] : others) items[std::string(kRefs) + space] = {{}, sha256_hex(text)};
  items["HEAD"] = {{}, read_file(fs::path(facts_.git_dir) / "HEAD", 1 << 16).value_or("")};
  std::error_code error;
  const auto own = store_.parent_path().parent_path().string();
  for (const auto& entry : entries_of(fs::path(facts_.common_dir) / "worktrees", error)) {
    const auto there = read_file(entry.path() / "gitdir", 1 << 16).value_or("");
    if (!there.starts_with(own))
      items[std::string(kWorktree) + entry.path().filename().string()] = {{}, there};
  }
}

Result<void> Guard::look_at_checkout(Items& items) const {
  const Command in_it = git();
  Items hooks;
  auto hooks_looked = side_by_side([&] { return look_at_hooks_elsewhere(in_it, hooks); });
  auto entries = entries_of_index(fs::path(facts_.git_dir) / "index");
  if (!entries) {
    HYDRA_TRY(entries, in_it.output({"ls-files", "-z", "-s", "-v"}));
  }
  std::string content;
  for (const auto entry : records(*entries)) {
    if (entry.size() < 2) continue;
    const char tag = entry.front();
    const auto rest = entry.substr(2);
    (content += rest) += '\0';
    const bool skipped = tag == 'S' || tag == 's', assumed = tag >= 'a' && tag <= 'z';
    if (!skipped && !assumed) continue;
    const auto tab = rest.find('\t');
    const std::string path(rest.substr(tab == rest.npos ? 0 : tab + 1));
    items[std::string(kFlag) + path] = {{}, skipped ? "skip-worktree" : "assume-unchanged"};
  }
  items["index"] = {{}, sha256_hex(content)};
  HYDRA_TRY(const auto status,
            in_it.output({"--no-optional-locks", "status", "--porcelain", "-z", "--no-renames",
                          "--untracked-files=normal", "--ignore-submodules=all"}));
  std::size_t count = 0;
  for (const auto entry : records(status)) {
    if (entry.size() < 4 || ++count > kMaxDirtyCompared) continue;
    const std::string path(entry.substr(3));
    items[std::string(kDirty) + path] = {
        {}, std::string(entry.substr(0, 2)) + stamp(fs::path(facts_.root) / path)};
  }
  HYDRA_CHECK(hooks_looked.get());
  items.merge(hooks);
  return {};
}

// Reads core.hooksPath, which husky and similar tools set.
Result<void> Guard::look_at_hooks_elsewhere(const Command& in_it, Items& items) const {
  Command theirs = in_it;
  theirs.with_user_configuration();
  // Command sets the key itself: skip the command-line scope and use the files' values.
  HYDRA_TRY(const auto listed,
            theirs.run({"config", "--show-scope", "-z", "--type=path", "--get-all", "core.hooksPath"}));
  fs::path directory;
  const auto fields = records(listed.out);
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2)
    if (fields[i] != "command") directory = fs::path(facts_.root) / fields[i + 1];
  std::error_code error;
  if (directory.empty() || !fs::is_directory(directory, error)) return {};
  for (const auto& entry : entries_of(directory, error)) {
    struct stat st {};
    if (::lstat(entry.path().c_str(), &st) != 0 || S_ISDIR(st.st_mode)) continue;
    items[std::string(kHook) + entry.path().string()] = {mode_of(st), content_of(entry.path(), st)};
  }
  return {};
}

Result<void> Guard::save() const {
  HYDRA_TRY(const auto all, refs(true));
  return save(all);
}

Result<void> Guard::save(const std::vector<Ref>& refs) const {
  auto items = look_at_files();
  look_at_refs(refs, items);
  if (exposed_) {
    HYDRA_CHECK(look_at_checkout(items));
    HYDRA_CHECK(save_place());
  }
  std::string text;
  for (const auto& [name, item] : items)
    text += name + '\0' + item.mode + '\0' + std::to_string(item.bytes.size()) + '\0' + item.bytes;
  return write_file_atomic(store_ / "guard", text, false, 0600);
}

Result<Guard::Items> Guard::saved() const {
  Items items;
  HYDRA_TRY(const auto text, read_file(store_ / "guard"));
  std::string_view rest = text;
  const auto field = [&] {
    const auto end = std::min(rest.find('\0'), rest.size());
    std::string value(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
    return value;
  };
  while (!rest.empty()) {
    const auto name = field();
    Item item{field(), {}};
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(parse_int(field()).value_or(0), 0));
    item.bytes = std::string(rest.substr(0, size));
    rest.remove_prefix(std::min(rest.size(), size));
    items[name] = std::move(item);
  }
  return items;
}

}  // namespace hydra::git
