#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/ignored_paths.hpp"
#include "git/environment.hpp"
#include "git/guard/guard.hpp"
#include "git/pin.hpp"
#include "git/refs.hpp"
#include "git/repository.hpp"
#include "git/store/layout.hpp"
#include "git/store/objects.hpp"
#include "git/store/plain_checkout.hpp"
#include "model/agent_run.hpp"
#include "model/environment.hpp"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace hydra::git {
namespace {

constexpr const char* kBaseObjects = "base";

/// Returns whether agents and checks may see this ref. A name of a commit that the base holds tells no
/// secret.
bool is_shared(std::string_view name) {
  const bool space =
      name.starts_with("refs/tags/") || name.starts_with("refs/heads/") || name.starts_with("refs/remotes/");
  return space && !name.starts_with("refs/heads/hydra/");
}

/// Content of `packed-refs` of every private repository: tags, branches and remote-tracking refs that the
/// base reaches. Starts no git where all of them are branches at the base itself.
Result<std::string> reachable_refs(const Command& git, const model::RepositoryFacts& facts,
                                   const std::vector<Ref>& refs) {
  std::string packed;
  bool ask = false;
  for (const auto& ref : refs) {
    if (!is_shared(ref.name)) continue;
    ask = ask || ref.id != facts.base || ref.name.starts_with("refs/tags/");
    packed += ref.id + " " + ref.name + "\n";
  }
  if (ask) {
    packed.clear();
    HYDRA_TRY(const auto text, git.output({"for-each-ref", "--merged=" + facts.base,
                                           "--format=%(objectname) %(refname)%0a^%(*objectname)",
                                           "refs/heads", "refs/remotes", "refs/tags"}));
    bool kept = false;
    for (const auto line : lines(text)) {
      if (!line.starts_with('^')) kept = is_shared(line.substr(std::min(line.find(' ') + 1, line.size())));
      if (kept && line != "^" && !line.empty()) packed += std::string(line) + "\n";
    }
  }
  return packed.empty() ? packed : "# pack-refs with: peeled fully-peeled sorted \n" + packed;
}

/// Configuration with the user's name and address, below what the system's file says.
std::string identity_of(const model::RepositoryFacts& facts) {
  std::string text = "[include]\n\tpath = /etc/gitconfig\n[user]\n";
  if (!facts.user_name.empty()) text += "\tname = " + in_quotes(facts.user_name) + "\n";
  if (!facts.user_email.empty()) text += "\temail = " + in_quotes(facts.user_email) + "\n";
  return text;
}

std::string user_ignores(const model::RepositoryFacts& facts) {
  std::string text;
  for (const fs::path& path : {fs::path(facts.excludes_file), fs::path(facts.common_dir) / "info/exclude"}) {
    if (path.empty()) continue;
    const auto content = read_file(path, 1 << 22);
    if (content.ok()) text += *content + "\n";
  }
  return text;
}

}  // namespace

Store::Store(fs::path directory, const model::RaceSpec& spec)
    : directory_(std::move(directory)),
      race_(spec.id),
      repository_(spec.repository),
      exposed_(spec.isolation == model::Isolation::none),
      copied_(spec.config.workspace.copy),
      max_new_bytes_(spec.config.limits.disk_bytes),
      path_variable_(model::variable(spec, "PATH")),
      home_(model::variable(spec, "HOME")),
      created_seconds_(spec.created_ms / 1000),
      ignored_(std::make_shared<IgnoredPaths>()),
      base_paths_(std::make_shared<std::atomic<std::shared_ptr<const Paths>>>()),
      base_files_(std::make_shared<SharedFiles>()) {
  generated_.assign(model::kGenerated.begin(), model::kGenerated.end());
  for (const auto* list : {&spec.config.workspace.outputs, &spec.config.workspace.share})
    for (const auto& path : *list) generated_.push_back(fs::path(path).filename());
}

Store Store::open(const fs::path& directory, const model::RaceSpec& spec) { return Store(directory, spec); }

Result<Store> Store::create(const fs::path& directory, const model::RaceSpec& spec, const fs::path& cache) {
  Store store(directory, spec);
  const auto& facts = store.repository_;
  const Command git = Command::in_repository(facts, store.path_variable_, store.home_);
  const auto place_of_refs = fs::path(facts.common_dir) / "refs";
  if (::access(place_of_refs.c_str(), W_OK) != 0)
    return system_error(
        "a race keeps its base in the repository, and " + place_of_refs.string() + " cannot be written",
        errno);
  // Agents wait for the store: git runs beside the work done in the process.
  auto pinned = side_by_side([&] {
    return git.output({"update-ref", "-m", "hydra: base of " + spec.id, base_pin(spec.id), facts.base});
  });
  if (::access((directory / "complete").c_str(), F_OK) == 0) {
    HYDRA_CHECK(pinned.get());
    return store;
  }
  HYDRA_CHECK(make_dirs(directory));
  const auto watch = store.guard();
  HYDRA_TRY(const auto refs, watch.refs(true));
  auto watched = side_by_side([&] { return watch.save(refs); });

  HYDRA_TRY(auto rules, read_base_rules(git, facts));
  RepositoryFiles files;
  files.commit = facts.base;
  files.objects = {fs::path(facts.common_dir) / "objects"};
  HYDRA_TRY(files.packed_refs, reachable_refs(git, facts, refs));
  if (!facts.partial)
    HYDRA_CHECK(make_base_objects(git, facts, files.packed_refs, cache, directory / kBaseObjects));
  files.attributes = flatten_attributes(std::move(rules.attributes));
  HYDRA_CHECK(write_repository(directory, files, facts));
  HYDRA_CHECK(
      write_file(directory / "ignore", flatten_ignores(user_ignores(facts), std::move(rules.ignores))));
  std::string gitlinks;
  for (const auto& link : rules.gitlinks) gitlinks += link.commit + " " + link.path + '\0';
  HYDRA_CHECK(write_file(directory / "gitlinks", gitlinks));
  HYDRA_CHECK(write_file(directory / "identity", identity_of(facts)));
  HYDRA_CHECK(make_dirs(directory / "empty"));
  HYDRA_CHECK(pinned.get());
  HYDRA_CHECK(watched.get());
  HYDRA_CHECK(write_file(directory / "complete", "1\n"));
  return store;
}

std::vector<fs::path> Store::objects_dirs() const {
  std::vector<fs::path> dirs{directory_ / "objects", fs::path(repository_.common_dir) / "objects"};
  dirs.insert(dirs.end(), repository_.alternates.begin(), repository_.alternates.end());
  return dirs;
}

std::vector<fs::path> Store::agent_objects() const {
  const auto base = directory_ / kBaseObjects;
  if (::access(base.c_str(), F_OK) == 0) return {base};
  auto dirs = objects_dirs();
  dirs.erase(dirs.begin());
  return dirs;
}

Command Store::command() const {
  Command git(path_variable_, home_);
  git.git_dir(directory_).work_tree(directory_ / "empty").cwd(directory_);
  return git;
}

Guard Store::guard() const { return {directory_, repository_, exposed_, path_variable_, home_}; }

Result<RepositoryChanges> Store::compare_repository() const { return guard().compare(true); }

Result<RepositoryChanges> Store::repair_repository() const {
  const auto watch = guard();
  HYDRA_CHECK(watch.repair());
  return watch.compare(true);
}

std::string branch_name(const std::string& agent, std::int64_t created_ms) {
  return "hydra/" + agent + "-" + std::to_string(created_ms / 1000);
}

}  // namespace hydra::git
