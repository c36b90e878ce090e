#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/import.hpp"
#include "git/large_files.hpp"
#include "git/repository.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unistd.h>

namespace hydra::git {
namespace {

constexpr int kAttempts = 8;

/// The name's n-th successor: "hydra/codex-17" gives "hydra/codex-17-2", "hydra/codex-17-3".
std::string counted(const std::string& name, int n) { return n < 2 ? name : name + "-" + std::to_string(n); }

}  // namespace

Result<KeptPack> import_commits(const Command& store, const Command& user, const fs::path& objects,
                                const std::vector<std::string>& commits, const std::string& base,
                                const std::string& of) {
  std::string wanted;
  for (const auto& commit : commits) wanted += commit + "\n";
  HYDRA_TRY(auto pack,
            store.output({"pack-objects", "-q", "--revs", "--thin", "--stdout"}, wanted + "^" + base + "\n"));
  // The keep file holds a `git gc --prune=now` of the user off until a ref names the objects.
  const std::string text = of.empty() ? "hydra" : "hydra: " + of;
  HYDRA_TRY(auto said,
            user.line({"index-pack", "--stdin", "--fix-thin", "--fsck-objects", "--keep=" + text}, pack));
  const auto tab = said.find('\t');
  if (tab == std::string::npos) return Error{Errc::git, "git index-pack gave an unexpected answer", {}, {}};
  // "pack" where the pack is there already: then the keep file is ours only if an import of Hydra's that was
  // killed before its branches left it, which is what it says.
  KeptPack kept;
  const auto keep = objects / "pack" / ("pack-" + said.substr(tab + 1) + ".keep");
  const auto there = read_file(keep, 256).value_or("");
  if (said.starts_with("keep") || there == "hydra\n" || there == text + "\n") kept.keep = keep;
  return kept;
}

void release_all(const fs::path& objects, const std::string& of) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (fs::directory_iterator entry(objects / "pack", error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".keep" &&
        read_file(entry->path(), 256).value_or("") == "hydra: " + of + "\n")
      ours.push_back(entry->path());
  for (const auto& path : ours) ::unlink(path.c_str());
}

void release(const KeptPack& kept) {
  if (!kept.keep.empty()) ::unlink(kept.keep.c_str());
}

Result<std::vector<std::string>> Store::publish(const std::vector<PublishItem>& items) const {
  std::vector<std::string> names;
  if (items.empty()) return names;
  const Command user = Command::in_repository(repository_, path_variable_, home_);
  std::vector<std::string> commits;
  for (const auto& item : items) {
    // The base itself is there already; a pack of nothing is refused by no one, but costs two programs.
    if (item.commit != repository_.base) commits.push_back(item.commit);
  }
  KeptPack kept;
  if (!commits.empty()) {
    HYDRA_CHECK(copy_large_files(directory_, repository_));
    HYDRA_TRY(kept, import_commits(command(), user, fs::path(repository_.common_dir) / "objects", commits,
                                   repository_.base));
  }
  Result<std::vector<std::string>> made = Error{Errc::conflict, "branches could not be made", {}, {}};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // Names are free as a rule: looking first would cost a program.
    made = create_branches(user, items, attempt > 0);
    if (made.ok() || made.error().code != Errc::conflict) break;
  }
  release(kept);
  return made;
}

Result<std::vector<std::string>> Store::create_branches(const Command& user,
                                                        const std::vector<PublishItem>& items,
                                                        bool look_first) const {
  std::map<std::string, std::string, std::less<>> existing;
  if (look_first) {
    HYDRA_TRY(auto text,
              user.output({"for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/hydra"}));
    for (const auto line : lines(text)) {
      const auto blank = line.find(' ');
      existing.emplace(std::string(line.substr(blank + 1)), std::string(line.substr(0, blank)));
    }
  }
  std::vector<std::string> names;
  std::set<std::string> taken;
  std::string orders;
  for (const auto& item : items) {
    int n = 1;
    for (;; ++n) {
      const std::string ref = "refs/heads/" + counted(item.branch, n);
      if (taken.contains(ref)) continue;
      const auto found = existing.find(ref);
      if (found != existing.end() && found->second != item.commit) continue;
      if (found == existing.end()) orders += "create " + ref + " " + item.commit + "\n";
      taken.insert(ref);
      break;
    }
    names.push_back(counted(item.branch, n));
  }
  if (orders.empty()) return names;
  HYDRA_TRY(auto done, user.run({"update-ref", "-m", "hydra: result of " + race_, "--stdin"}, orders));
  if (done.ok()) return names;
  Error error = git_error("making the branches", done);
  // Somebody made such a branch meanwhile: look again.
  if (done.err.find("already exists") != std::string::npos ||
      done.err.find("Unable to create") != std::string::npos)
    error.code = Errc::conflict;
  return error;
}

}  // namespace hydra::git
