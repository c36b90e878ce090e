#include "git/pin.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "model/environment.hpp"

namespace hydra::git {

std::string base_pin(const std::string& race) { return "refs/hydra/base/" + race; }
Result<void> unpin_base(const model::RaceSpec& spec) {
  std::error_code ec;
  if (!fs::is_directory(spec.repository.common_dir, ec)) return {};
  const auto git =
      Command::in_repository(spec.repository, model::variable(spec, "PATH"), model::variable(spec, "HOME"));
  const auto ref = base_pin(spec.id);
  HYDRA_TRY(const bool there, git.succeeds({"rev-parse", "-q", "--verify", ref}));
  if (there) HYDRA_CHECK(git.step("removing " + ref, {"update-ref", "-d", ref, spec.repository.base}));
  return {};
}

void forget_worktree(const model::RepositoryFacts& repository, const std::filesystem::path& workspace) {
  std::error_code ec;
  const auto link = workspace / ".git";
  // Only the repository's own metadata for exactly this path counts, and only once the workspace is gone.
  if (fs::symlink_status(workspace, ec).type() != fs::file_type::not_found) return;
  const auto all = fs::path(repository.common_dir) / "worktrees";
  std::vector<fs::path> ours;
  for (fs::directory_iterator entry(all, ec), end; !ec && entry != end; entry.increment(ec)) {
    if (entry->is_symlink(ec) || fs::exists(entry->path() / "locked", ec)) continue;
    const auto back = read_file(entry->path() / "gitdir", 1 << 16);
    if (back.ok() && fs::path(std::string(trim(*back))) == link) ours.push_back(entry->path());
  }
  for (const auto& path : ours) (void)remove_tree(path);
}

}  // namespace hydra::git
