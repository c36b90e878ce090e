#include "trees/workspace.hpp"

#include "base/files.hpp"
#include "base/glob.hpp"
#include "trees/clone_tree.hpp"
#include "trees/hidden_tests.hpp"
#include "trees/layered.hpp"
#include "trees/layers.hpp"
#include "trees/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::trees {
namespace {

class FreshWorkspaces final : public WorkspaceProvider {
 public:
  FreshWorkspaces(git::Store store, const model::RaceSpec& spec, fs::path directory, fs::path trash)
      : store_(std::move(store)),
        checkout_(spec.repository.root),
        copies_(spec.config.workspace.copy),
        sandboxed_(model::sandboxed(spec)),
        directory_(std::move(directory)),
        trash_(std::move(trash)) {
    copies_.insert(copies_.end(), spec.config.workspace.share.begin(), spec.config.workspace.share.end());
  }

  [[nodiscard]] Result<PreparedWorkspace> prepare(const WorkspaceRequest& request) const override {
    auto workspace = at(request.subject, {});
    move_to_trash(workspace.host, trash_);
    HYDRA_CHECK(make_dirs(workspace.host.parent_path(), 0700));
    HYDRA_CHECK(store_.checkout(workspace.host, request.commit,
                                sandboxed_ ? objects_inside(store_) : std::vector<fs::path>()));
    HYDRA_CHECK(copy_from_checkout(checkout_, workspace.host, copies_));
    if (!request.hidden.empty()) {
      HYDRA_TRY(auto writer, trees::directory_writer(workspace.host));
      timespec now{};
      ::clock_gettime(CLOCK_REALTIME, &now);
      HYDRA_CHECK(lay_over(*writer, request.hidden, now));
      HYDRA_CHECK(writer->finish());
    }
    model::WorkspaceFacts facts;
    facts.tree = model::TreeKind::checkout;
    facts.setup = true;
    return PreparedWorkspace{std::move(workspace), std::move(facts)};
  }

  [[nodiscard]] Workspace at(const model::Subject& subject, const model::WorkspaceFacts&) const override {
    Workspace workspace;
    workspace.host = directory_ / model::directory_name(subject);
    workspace.inside = sandboxed_ ? checkout_ : workspace.host;
    if (!sandboxed_) return workspace;
    workspace.binds.push_back({workspace.host, workspace.inside, true, false});
    bind_objects(store_, workspace);
    return workspace;
  }

  void discard(const model::Subject& subject) const override { move_to_trash(at(subject, {}).host, trash_); }

 private:
  git::Store store_;
  fs::path checkout_;
  std::vector<std::string> copies_;
  bool sandboxed_;
  fs::path directory_, trash_;
};

}  // namespace

fs::path objects_inside(std::size_t index) { return fs::path("/run/hydra/objects") / std::to_string(index); }

std::vector<fs::path> objects_inside(const git::Store& store) {
  std::vector<fs::path> inside;
  for (std::size_t i = 0; i < store.objects_dirs().size(); ++i) inside.push_back(objects_inside(i));
  return inside;
}

void bind_objects(const git::Store& store, Workspace& workspace) {
  const auto objects = store.objects_dirs();
  for (std::size_t i = 0; i < objects.size(); ++i)
    workspace.binds.push_back({objects[i], objects_inside(i), false, false});
}

std::unique_ptr<WorkspaceProvider> fresh_workspaces(git::Store store, const model::RaceSpec& spec,
                                                    fs::path directory, fs::path trash) {
  return std::make_unique<FreshWorkspaces>(std::move(store), spec, std::move(directory), std::move(trash));
}

void move_to_trash(const fs::path& path, const fs::path& trash) {
  static std::atomic<unsigned> counter{0};
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return;
  (void)make_dirs(trash, 0700);
  const auto name = fmt::format("{}-{}-{}", path.filename().string(), ::getpid(), counter.fetch_add(1));
  if (::rename(path.c_str(), (trash / name).c_str()) != 0) (void)remove_tree(path);
}

std::vector<std::string> expand_paths(const fs::path& checkout, const std::vector<std::string>& paths,
                                      const std::vector<std::string>& except) {
  // Outputs inside installed dependencies belong to the dependencies.
  const std::vector<std::string> dependencies{"**/node_modules", "**/.venv", "**/.git"};
  std::vector<std::string> found;
  for (const auto& path : paths) {
    if (path.find_first_of("*?") == std::string::npos) {
      found.push_back(path);
      continue;
    }
    std::vector<std::string> matches;
    walk_below(checkout, [&](auto& at) {
      const auto relative = at->path().lexically_relative(checkout).string();
      const bool wanted = match_path(path, relative) && at->path().filename() != ".git";
      const bool closed = covered_by(dependencies, relative) || covered_by(except, relative);
      if (wanted && !covered_by(except, relative)) matches.push_back(relative);
      if (wanted || closed) at.disable_recursion_pending();
    });
    std::sort(matches.begin(), matches.end());
    found.insert(found.end(), matches.begin(), matches.end());
  }
  return found;
}

Result<void> copy_from_checkout(const fs::path& checkout, const fs::path& workspace,
                                const std::vector<std::string>& paths) {
  for (const auto& relative : expand_paths(checkout, paths)) {
    struct stat st {};
    if (::lstat((checkout / relative).c_str(), &st) == 0)
      HYDRA_CHECK(copy_over(checkout / relative, workspace / relative));
  }
  return {};
}

}  // namespace hydra::trees
