#include "base/scratch_directory.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/store/layout.hpp"

#include <ctime>
#include <unistd.h>

namespace hydra::git {

Result<void> snapshot_checkout(const Command& user, model::RepositoryFacts& facts) {
  const ScratchDirectory scratch(fs::temp_directory_path() / "hydra-XXXXXX");
  if (scratch.path().empty()) return system_error("cannot make a temporary directory", scratch.error());
  const fs::path index = scratch.path() / "index";
  const fs::path theirs = fs::path(facts.git_dir) / "index";
  if (::access(theirs.c_str(), F_OK) == 0) HYDRA_CHECK(copy_index(theirs, index));
  Command git = user;
  git.git_dir(facts.git_dir).work_tree(facts.root).index(index).cwd(facts.root);
  HYDRA_TRY(auto unmerged, git.output({"ls-files", "-z", "-u"}));
  if (!unmerged.empty())
    return Error{Errc::refused, "a merge with conflicts is going on in the checkout", facts.root,
                 "finish or abort it first"};
  HYDRA_TRY(auto listed, git.output({"ls-files", "-t", "-z", "-m", "-d", "-o", "--exclude-standard"}));
  LeadingLinks beyond_link(facts.root);
  std::string removed, fed;
  for (const auto record : records(listed)) {
    if (record.size() < 3 || record.ends_with('/')) continue;
    const std::string path(record.substr(2));
    const bool gone = record.front() == 'R' || (record.front() == 'C' && beyond_link(path));
    (gone ? removed : fed) += path + '\0';
  }
  if (!removed.empty()) HYDRA_CHECK(git.output({"update-index", "-z", "--force-remove", "--stdin"}, removed));
  if (!fed.empty())
    HYDRA_CHECK(git.output({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, fed));
  HYDRA_TRY(auto tree, git.line({"write-tree"}));
  if (tree == facts.base_tree) return {};
  git.identity(facts.user_name, facts.user_email, static_cast<std::int64_t>(::time(nullptr)));
  HYDRA_TRY(facts.base, git.line({"commit-tree", tree, "-p", facts.head}, "hydra: uncommitted changes\n"));
  facts.base_tree = tree;
  facts.included_dirty = true;
  return {};
}

}  // namespace hydra::git
