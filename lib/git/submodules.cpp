#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture.hpp"
#include "git/layout.hpp"
#include "model/capture_words.hpp"

#include <algorithm>

namespace hydra::git {

bool Capturing::in_gitlink(const std::string& path) const {
  return std::any_of(gitlink_paths_.begin(), gitlink_paths_.end(), [&](const std::string& link) {
    return path.size() > link.size() && path[link.size()] == '/' && path.starts_with(link);
  });
}

Result<void> Capturing::add_submodules(const std::vector<Gitlink>& gitlinks,
                                       const model::RepositoryFacts& facts, const std::string& ref_prefix,
                                       model::Capture& capture) {
  for (const auto& link : gitlinks) gitlink_paths_.push_back(link.path);
  int number = 0;
  for (const auto& link : gitlinks) {
    const std::string prefix = link.path + "/";
    const bool any = std::any_of(scan_.files.begin(), scan_.files.end(),
                                 [&](const std::string& path) { return path.starts_with(prefix); });
    if (!any) continue;
    const fs::path index = store_ / ("sub." + name_ + "." + std::to_string(++number));
    HYDRA_CHECK(remove_tree(index));
    drop_lock(index);
    Command git = git_;
    git.work_tree(work_ / link.path).cwd(work_ / link.path).index(index);
    HYDRA_TRY(auto files, git.run({"ls-files", "-o", "-z", "--exclude-per-directory=.gitignore"}));
    HYDRA_CHECK(note(files, "listing a submodule"));
    HYDRA_TRY(auto added, git.run({"update-index", "-z", "--add", "--stdin"}, files.out));
    HYDRA_CHECK(note(added, "recording a submodule"));
    HYDRA_TRY(auto tree, git.line({"write-tree"}));
    // The user's clone of the submodule knows the tree of the recorded commit; without it, files count as a
    // change.
    Command theirs = git_;
    const fs::path modules = fs::path(facts.common_dir) / "modules" / link.path;
    theirs.git_dir(modules).work_tree(store_ / "empty").cwd(store_);
    HYDRA_TRY(auto known, theirs.run({"rev-parse", "--verify", "-q", link.commit + "^{tree}"}));
    if (known.ok() && trim(known.out) == tree) continue;
    const auto ref = ref_prefix + "/sub/" + std::to_string(number);
    drop_lock(store_ / ref);
    HYDRA_CHECK(git_.output({"update-ref", ref, tree}));
    capture.flags.push_back(std::string(model::kSubmoduleChanged) + link.path);
    capture.changed = true;
  }
  return {};
}

}  // namespace hydra::git
