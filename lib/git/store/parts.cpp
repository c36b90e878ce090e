// Parts of several results combined into one commit.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/store/layout.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <unistd.h>

namespace hydra::git {
namespace {

std::string plain(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  while (path.ends_with('/')) path.pop_back();
  return path == "." ? std::string{} : path;
}

bool covers(const std::string& wanted, const std::string& path) {
  return wanted.empty() || path == wanted || (path.starts_with(wanted) && path[wanted.size()] == '/');
}

struct Chosen {
  const Part* of;
  RawEntry entry;
};
using ChosenPaths = std::map<std::string, Chosen>;

Result<void> choose(const Part& part, const std::vector<RawEntry>& changes, ChosenPaths& chosen) {
  for (const auto& asked : part.paths) {
    // An unset variable of a script must not select the whole result; "." does that.
    if (asked.empty())
      return Error{Errc::usage, "a part of " + part.name + " has no name", {}, "name a file or directory"};
    const auto wanted = plain(asked);
    bool any = false;
    for (const auto& change : changes) {
      if (!covers(wanted, change.path)) continue;
      any = true;
      if (part.without.contains(change.path)) continue;
      const auto [at, fresh] = chosen.try_emplace(change.path, Chosen{&part, change});
      const auto& before = at->second.entry;
      if (!fresh && (before.new_id != change.new_id || before.new_mode != change.new_mode))
        return refused(at->second.of->name + " and " + part.name + " both change " + sanitize(change.path),
                       "name it for one of them only");
    }
    if (!any)
      return Error{Errc::not_found,
                   part.name + " does not change '" + sanitize(asked) + "'",
                   {},
                   "hydra diff " + part.name + " shows what it does"};
  }
  return {};
}

/// git lets a file replace a directory and vice versa, which loses the earlier content.
Result<void> nothing_displaced(const ChosenPaths& chosen, const std::vector<RawEntry>& made) {
  std::map<std::string, const RawEntry*> there;
  for (const auto& entry : made) there[entry.path] = &entry;
  const auto misfit = [](const std::string& path, const std::string& whose) {
    return refused("the parts do not fit together: " + whose + sanitize(path) +
                       " has no place beside a file or directory of the same name",
                   "take fewer of them, or all of one result's");
  };
  for (const auto& [path, choice] : chosen) {
    const auto found = there.find(path);
    if (found == there.end() || found->second->new_id != choice.entry.new_id)
      return misfit(path, choice.of->name + "'s ");
  }
  for (const auto& entry : made)
    if (!chosen.contains(entry.path)) return misfit(entry.path, "the base's ");
  return {};
}

}  // namespace

std::string renamed_from_elsewhere(const std::vector<DiffEntry>& entries,
                                   const std::vector<std::string>& parts) {
  const auto taken = [&](const std::string& path) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return covers(plain(part), path); });
  };
  std::vector<std::string> stay;
  for (const auto& entry : entries)
    if (entry.status == 'R' && taken(entry.path) && !taken(entry.old_path)) stay.push_back(entry.old_path);
  return stay.empty() ? std::string{}
                      : "renamed in the result, but named as no part, so it stays: " + listed(stay);
}

Result<model::Capture> Store::combine(const std::vector<Part>& parts, const std::string& name) const {
  const Command git = command();
  ChosenPaths chosen;
  for (const auto& part : parts) {
    HYDRA_TRY(const auto changes, changes_between(git, repository_.base, part.commit));
    HYDRA_CHECK(choose(part, changes, chosen));
  }
  std::string removed, added;
  for (const auto& [path, choice] : chosen) {
    const auto& entry = choice.entry;
    if (entry.status == 'D')
      removed += "0 " + std::string(entry.old_id.size(), '0') + "\t" + path + '\0';
    else
      added += entry.new_mode + " " + entry.new_id + "\t" + path + '\0';
  }
  Command index = git;
  // A unique name: a merge of parts and `hydra merge A:x B:y` may run concurrently.
  static std::atomic<unsigned> counter{0};
  const fs::path file =
      directory_ / ("combine." + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)));
  const ScratchIndex scratch(file);  // clears an old file: process ids are reused
  index.index(file);
  HYDRA_CHECK(index.output({"read-tree", repository_.base}));
  HYDRA_TRY(const auto done, index.run({"update-index", "-z", "--index-info"}, removed + added));
  if (!done.ok())
    return refused("the parts do not fit together: " + last_words(done.err), "take fewer of them");
  HYDRA_TRY(const auto tree, index.line({"write-tree"}));
  HYDRA_TRY(auto capture, commit_tree(git, tree, name));
  HYDRA_TRY(const auto made, changes_between(git, repository_.base, capture.commit));
  HYDRA_CHECK(nothing_displaced(chosen, made));
  HYDRA_TRY(const auto entries, compare_trees(git, repository_.base, capture.commit));
  capture.diff = sum(entries);
  return capture;
}

}  // namespace hydra::git
