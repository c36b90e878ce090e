#include "git/guard.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/landing.hpp"
#include "git/repository.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

constexpr std::size_t kMaxFile = 4u << 20;
constexpr std::string_view kRef = "ref ";
constexpr std::string_view kWorktree = "worktree ";

bool is_config(std::string_view name) {
  return name == "config" || name.ends_with("/config") || name.ends_with("config.worktree");
}

/// Files are put back; refs and the like are the user's to judge.
bool is_file(std::string_view name) {
  return !name.starts_with(kRef) && !name.starts_with(kWorktree) && name != "HEAD" && name != "index";
}

/// `git push -u` and `git branch --set-upstream-to` write these all day.
bool is_daily(std::string_view key) { return key.starts_with("branch.") && !key.ends_with(".mergeoptions"); }

/// The values of one key in one file.
using Values = std::vector<std::string>;

bool all_harmless(const std::string& key, const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& v) { return is_harmless(key, v); });
}

std::string shown(std::string_view name) {
  return name.starts_with(kRef) ? std::string(name.substr(kRef.size())) : std::string(name);
}

}  // namespace

bool is_harmless(std::string_view key, std::string_view value) {
  const auto name = key.substr(key.rfind('.') + 1);
  // What begins with '!' is a command of a shell.
  if (key.starts_with("alias.")) return !trim(value).starts_with('!');
  if (key.starts_with("remote.")) {
    // "helper::address" runs a program of that name, and a leading dash is read as an option. Not here:
    // uploadpack, receivepack, proxy, vcs, promisor and all that is not known.
    constexpr std::array names{"url",   "pushurl",   "fetch",  "push",        "tagopt", "skipdefaultupdate",
                               "prune", "prunetags", "mirror", "skipfetchall"};
    return std::find(names.begin(), names.end(), name) != names.end() &&
           value.find("::") == std::string_view::npos && !value.starts_with('-');
  }
  if (key.starts_with("branch.")) return name != "mergeoptions";
  if (key.starts_with("gc.")) return name != "recentobjectshook";
  if (key.starts_with("user.") || key.starts_with("maintenance.")) return true;
  return key == "core.sparsecheckout" || key == "core.sparsecheckoutcone" || key == "index.sparse" ||
         key == "extensions.worktreeconfig";
}

Guard::Guard(fs::path store, const model::RepositoryFacts& facts, bool linked, std::string path_variable,
             std::string home)
    : store_(std::move(store)),
      facts_(facts),
      linked_(linked),
      path_variable_(std::move(path_variable)),
      home_(std::move(home)) {}

fs::path Guard::path_of(const std::string& name) const {
  const bool of_the_checkout = name == "config.worktree";
  return fs::path(of_the_checkout ? facts_.git_dir : facts_.common_dir) / name;
}

Result<void> Guard::stays_inside(const std::string& name) const {
  const fs::path file = path_of(name);
  fs::path at = file.string().substr(0, file.string().size() - name.size());
  struct stat st {};
  for (const auto& part : fs::path(name).parent_path()) {
    at /= part;
    if (::lstat(at.c_str(), &st) == 0 && !S_ISDIR(st.st_mode))
      return refused(at.string() + " is no directory of the repository itself: nothing was put back",
                     "look at it; --accept-changes takes it as it is");
  }
  return {};
}

Result<std::vector<Guard::Item>> Guard::look() const {
  std::vector<Item> items;
  const auto add = [&](const std::string& name) {
    const fs::path file = path_of(name);
    struct stat st {};
    if (::lstat(file.c_str(), &st) != 0) return;
    Item item{name, std::to_string(st.st_mode & (S_IFMT | 0111)), {}};
    std::error_code error;
    if (S_ISLNK(st.st_mode)) item.bytes = fs::read_symlink(file, error).string();
    if (S_ISREG(st.st_mode)) item.bytes = read_file(file, kMaxFile).value_or("(unreadable)");
    items.push_back(std::move(item));
  };
  for (const char* name :
       {"config", "config.worktree", "info/attributes", "info/grafts", "objects/info/alternates"})
    add(name);
  std::error_code error;
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(fs::path(facts_.common_dir) / "hooks", error))
    if (entry.path().extension() != ".sample") found.push_back("hooks/" + entry.path().filename().string());
  const fs::path modules = fs::path(facts_.common_dir) / "modules";
  auto walk = fs::recursive_directory_iterator(modules, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const auto name = walk->path().filename().string();
    if (name == "objects" || name == "logs" || name == "refs" || walk.depth() > 8)
      walk.disable_recursion_pending();
    const bool hook = walk->path().parent_path().filename() == "hooks" && !name.ends_with(".sample");
    if (name == "config" || hook)
      found.push_back(walk->path().lexically_relative(facts_.common_dir).string());
  }
  std::sort(found.begin(), found.end());
  for (const auto& name : found) add(name);
  // Ignore rules run nothing, and people edit them: they count only where an agent could have.
  if (linked_) add("info/exclude");
  if (linked_) HYDRA_CHECK(look_at_refs(items));
  return items;
}

Result<void> Guard::look_at_refs(std::vector<Item>& items) const {
  const Command git = Command::in_repository(facts_, path_variable_, home_);
  HYDRA_TRY(const auto refs,
            git.output({"for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"}));
  for (const auto line : lines(refs)) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos || line.substr(blank + 1).starts_with("refs/heads/hydra/")) continue;
    items.push_back(
        {std::string(kRef) + std::string(line.substr(blank + 1)), {}, std::string(line.substr(0, blank))});
  }
  items.push_back({"HEAD", {}, read_file(fs::path(facts_.git_dir) / "HEAD", 1 << 16).value_or("")});
  HYDRA_TRY(const auto entries, git.output({"ls-files", "-z", "-s"}));
  HYDRA_TRY(auto hash, git.line({"hash-object", "--stdin"}, entries + "\n"));
  items.push_back({"index", {}, std::move(hash)});
  std::error_code error;
  const auto own = store_.parent_path().parent_path().string();
  for (const auto& entry : fs::directory_iterator(fs::path(facts_.common_dir) / "worktrees", error)) {
    const auto there = read_file(entry.path() / "gitdir", 1 << 16).value_or("");
    if (!there.starts_with(own))
      items.push_back({std::string(kWorktree) + entry.path().filename().string(), {}, there});
  }
  return {};
}

Result<void> Guard::save() const {
  HYDRA_TRY(const auto items, look());
  std::string text;
  for (const auto& item : items)
    text += item.name + '\0' + item.mode + '\0' + std::to_string(item.bytes.size()) + '\0' + item.bytes;
  return write_file_atomic(store_ / "guard", text, false, 0600);
}

Result<std::vector<Guard::Item>> Guard::saved() const {
  std::vector<Item> items;
  HYDRA_TRY(const auto text, read_file(store_ / "guard"));
  std::string_view rest = text;
  const auto field = [&] {
    const auto end = std::min(rest.find('\0'), rest.size());
    std::string value(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
    return value;
  };
  while (!rest.empty()) {
    Item item{field(), field(), {}};
    const auto size = static_cast<std::size_t>(parse_int(field()).value_or(0));
    item.bytes = std::string(rest.substr(0, size));
    rest.remove_prefix(std::min(rest.size(), size));
    items.push_back(std::move(item));
  }
  return items;
}

Result<std::vector<std::string>> Guard::keys_that_differ(const Item& before, const Item& now,
                                                         std::vector<std::string>* harmless) const {
  std::map<std::string, Values> keys[2];
  for (int i = 0; i < 2; ++i) {
    Command git(path_variable_, home_);
    git.cwd(store_);
    HYDRA_TRY(const auto listed, git.run({"config", "--file", "-", "--no-includes", "-z", "--list"},
                                         i == 0 ? before.bytes : now.bytes));
    if (!listed.ok()) return std::vector<std::string>{now.name};  // git can't read it: that is a difference
    for (const auto record : records(listed.out)) {
      const auto end = record.find('\n');
      const std::string key(record.substr(0, end));
      if (!is_daily(key))
        keys[i][key].emplace_back(end == std::string_view::npos ? "" : record.substr(end + 1));
    }
  }
  std::vector<std::string> names;
  for (int i = 0; i < 2; ++i)
    for (const auto& [key, values] : keys[i]) {
      const auto other = keys[1 - i].find(key);
      const bool same = other != keys[1 - i].end() && other->second == values;
      if (same) continue;
      const auto name = now.name + " " + sanitize(key);
      const bool quiet =
          all_harmless(key, values) && (other == keys[1 - i].end() || all_harmless(key, other->second));
      if (quiet && harmless == nullptr) continue;
      auto& list = quiet ? *harmless : names;
      if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
    }
  return names;
}

Result<std::vector<std::string>> Guard::differences(std::vector<std::string>* harmless) const {
  std::vector<std::string> names;
  if (::access((store_ / "guard").c_str(), F_OK) != 0) return names;
  HYDRA_TRY(const auto before, saved());
  HYDRA_TRY(const auto now, look());
  std::map<std::string, const Item*> remembered;
  for (const auto& item : before) remembered[item.name] = &item;
  for (const auto& item : now) {
    const auto found = remembered.find(item.name);
    const Item nothing{item.name, item.mode, {}};
    const Item& was = found == remembered.end() ? nothing : *found->second;
    const bool is_new = found == remembered.end();
    if (!is_new) remembered.erase(found);
    if (!is_new && was.bytes == item.bytes && was.mode == item.mode) continue;
    if (is_config(item.name)) {
      HYDRA_TRY(const auto keys, keys_that_differ(was, item, harmless));
      names.insert(names.end(), keys.begin(), keys.end());
      continue;
    }
    names.push_back(shown(item.name));
  }
  for (const auto& [name, item] : remembered) names.push_back(shown(name) + " (gone)");
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<std::string>> Guard::judge(bool accept, bool repair_it, bool dry_run,
                                              std::vector<std::string>* harmless) const {
  HYDRA_TRY(auto changed, differences(harmless));
  if (changed.empty() || dry_run) return changed;
  if (repair_it) {
    HYDRA_CHECK(repair());
    HYDRA_TRY(changed, differences());
    if (changed.empty()) return changed;
  }
  if (accept) {
    HYDRA_CHECK(save());
    return changed;
  }
  return refused("the repository itself has changed since the race started: " + listed(changed),
                 "look at it; --accept-changes takes it as it is, --repair-changes puts configuration and "
                 "hooks back as they were");
}

Result<void> Guard::repair() const {
  if (::access((store_ / "guard").c_str(), F_OK) != 0) return {};
  HYDRA_TRY(const auto before, saved());
  HYDRA_TRY(const auto now, look());
  std::map<std::string, const Item*> remembered, present;
  for (const auto& item : before) remembered[item.name] = &item;
  for (const auto& item : now) present[item.name] = &item;
  const fs::path kept = store_ / "replaced";
  // What a link leads to is somebody else's: nothing is written or removed through it.
  for (const auto* items : {&before, &now})
    for (const auto& item : *items)
      if (is_file(item.name)) HYDRA_CHECK(stays_inside(item.name));
  for (const auto& item : now) {
    const auto was = remembered.find(item.name);
    if (!is_file(item.name)) continue;
    if (was != remembered.end() && was->second->bytes == item.bytes && was->second->mode == item.mode)
      continue;
    HYDRA_CHECK(make_dirs((kept / item.name).parent_path(), 0700));
    HYDRA_CHECK(write_file(kept / item.name, item.bytes, 0600));
    if (was != remembered.end()) continue;
    if (::unlink(path_of(item.name).c_str()) != 0)
      return system_error("cannot remove " + path_of(item.name).string(), errno);
  }
  for (const auto& item : before) {
    const auto is = present.find(item.name);
    if (!is_file(item.name)) continue;
    if (is != present.end() && is->second->bytes == item.bytes && is->second->mode == item.mode) continue;
    const auto mode = static_cast<mode_t>(parse_int(item.mode).value_or(S_IFREG));
    const fs::path path = path_of(item.name);
    if (S_ISLNK(mode)) {
      ::unlink(path.c_str());
      if (::symlink(item.bytes.c_str(), path.c_str()) != 0)
        return system_error("cannot make " + path.string(), errno);
      continue;
    }
    HYDRA_CHECK(make_dirs(path.parent_path()));
    HYDRA_CHECK(write_file_atomic(path, item.bytes, true, static_cast<mode_t>(0644 | (mode & 0111))));
  }
  return {};
}

}  // namespace hydra::git
