#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/store/layout.hpp"
#include "git/store/modules.hpp"

#include <algorithm>

namespace hydra::git {

bool Capturing::in_gitlink(const std::string& path) const {
  return std::any_of(gitlink_paths_.begin(), gitlink_paths_.end(), [&](const std::string& link) {
    return path.size() > link.size() && path[link.size()] == '/' && path.starts_with(link);
  });
}

// Files that the submodule tracks count even if its rules ignore them; an inner submodule counts by its
// recorded commit.
Result<std::string> Capturing::tree_of_submodule(const Gitlink& link, const fs::path& clone,
                                                 const fs::path& index) {
  HYDRA_CHECK(remove_tree(index));
  drop_lock(index);
  Command git = git_;
  git.work_tree(work_ / link.path).cwd(work_ / link.path).index(index);
  std::string tracked, inner;
  std::vector<std::string> below;
  if (!clone.empty()) {
    HYDRA_TRY(const auto known, ask_for_files(reading(git, clone), link.commit));
    for (const auto& file : known) {
      if (file.mode == "160000") {
        inner += "160000 " + file.id + "\t" + file.path + '\0';
        below.push_back(file.path + "/");
      } else {
        tracked += file.path + '\0';
      }
    }
  }
  HYDRA_TRY(auto files, git.run({"ls-files", "-o", "-z", "--exclude-per-directory=.gitignore"}));
  HYDRA_CHECK(note(files, "listing a submodule"));
  for (const auto path : records(files.out))
    if (std::none_of(below.begin(), below.end(), [&](const auto& b) { return path.starts_with(b); }))
      tracked += std::string(path) + '\0';
  if (!inner.empty()) HYDRA_CHECK(git.output({"update-index", "-z", "--index-info"}, inner));
  HYDRA_TRY(auto added, git.run({"update-index", "-z", "--add", "--remove", "--stdin"}, tracked));
  HYDRA_CHECK(note(added, "recording a submodule"));
  return git.line({"write-tree"});
}

Result<void> Capturing::add_submodules(const std::vector<Gitlink>& gitlinks,
                                       const model::RepositoryFacts& facts, const std::string& ref_prefix,
                                       model::Capture& capture) {
  for (const auto& link : gitlinks) gitlink_paths_.push_back(link.path);
  if (gitlinks.empty()) return {};
  HYDRA_TRY(const auto modules, submodules_of(git_, facts, facts.base));
  int number = 0;
  for (const auto& link : gitlinks) {
    const std::string prefix = link.path + "/";
    const bool any = std::any_of(scan_.files.begin(), scan_.files.end(),
                                 [&](const std::string& path) { return path.starts_with(prefix); });
    if (!any) continue;
    const auto module =
        std::find_if(modules.begin(), modules.end(), [&](const auto& m) { return m.link.path == link.path; });
    const fs::path clone = module == modules.end() ? fs::path() : module->clone;
    const fs::path index = store_ / ("sub." + name_ + "." + std::to_string(++number));
    HYDRA_TRY(const auto tree, tree_of_submodule(link, clone, index));
    // The user's clone of the submodule has the tree of the recorded commit; without a clone, any files count
    // as a change.
    if (!clone.empty()) {
      HYDRA_TRY(const auto known, reading(git_, clone).line({"rev-parse", link.commit + "^{tree}"}));
      if (known == tree) continue;
    }
    const auto ref = ref_prefix + "/sub/" + std::to_string(number);
    drop_lock(store_ / ref);
    HYDRA_CHECK(git_.output({"update-ref", ref, tree}));
    capture.flags.push_back({model::FlagKind::submodule_changed, link.path});
  }
  return {};
}

}  // namespace hydra::git
