#include "git/merge.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/import.hpp"
#include "git/layout.hpp"

#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {

std::function<bool(std::string_view)> stop_merge_after;

namespace {

Error refused(std::string message, std::string hint) {
  return Error{Errc::refused, std::move(message), {}, std::move(hint)};
}

Error stopped() { return Error{Errc::internal, "stopped by a test", {}, {}}; }

bool stop(std::string_view step) { return stop_merge_after && stop_merge_after(step); }

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (std::size_t i = 0; i < paths.size() && i < 10; ++i) text += (i == 0 ? "" : ", ") + sanitize(paths[i]);
  if (paths.size() > 10) text += " and " + std::to_string(paths.size() - 10) + " more";
  return text;
}

}  // namespace

/// One merge from the first look to the last hook.
class Merge {
 public:
  Merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request)
      : store_(store),
        facts_(spec.repository),
        request_(request),
        journal_(request.journal, spec.repository, store.path_variable_, store.home_),
        user_(Command::in_repository(spec.repository, store.path_variable_, store.home_)),
        hydra_ref_("refs/hydra/" + spec.id + "/merge") {}

  Result<MergePreview> run() {
    // A merge of this journal that died comes first: beginning anew would forget what it did.
    HYDRA_CHECK(recover_merge(request_.journal, facts_, store_.path_variable_, store_.home_));
    HYDRA_CHECK(journal_.hold());
    HYDRA_CHECK(look());
    HYDRA_CHECK(compute());
    if (preview_.already_merged) return preview_;
    if (!preview_.conflicts.empty()) {
      if (request_.dry_run) return preview_;
      return refused("the result conflicts with " + preview_.ref + " in: " + listed(preview_.conflicts),
                     "merge " + request_.branch + " by hand with `git merge`, or rebase and race again");
    }
    HYDRA_CHECK(find_overlap());
    if (request_.dry_run) return preview_;
    if (!preview_.overlap.empty()) return overlap_error();
    HYDRA_CHECK(import());
    HYDRA_CHECK(apply());
    run_post_merge();
    return preview_;
  }

 private:
  [[nodiscard]] Error overlap_error() const {
    return refused("the checkout has changes or files of its own that the merge would write over: " +
                       listed(preview_.overlap),
                   "commit, stash or move them away first");
  }

  /// Where the user stands now.
  Result<void> look() {
    HYDRA_TRY(const auto head, read_file(fs::path(facts_.git_dir) / "HEAD", 1 << 16));
    const auto line = trim(head);
    if (!line.starts_with("ref: "))
      return refused("HEAD is detached: there is no branch to merge into", "switch to a branch first");
    const std::string ref(trim(line.substr(5)));
    if (!request_.expected_ref.empty() && request_.expected_ref != ref)
      return refused("the checkout is on " + ref + " now, not on " + request_.expected_ref,
                     "switch back, or ask again");
    if (const auto operation = operation_in_progress(facts_); !operation.empty())
      return refused(operation + " is in progress in the checkout", "finish or abort it first");
    preview_.ref = ref;
    HYDRA_TRY(const auto now, user_.run({"rev-parse", "--verify", "-q", ref + "^{commit}"}));
    if (!now.ok()) return refused("the branch " + ref + " has no commit", "make a commit first");
    preview_.old_commit = std::string(trim(now.out));
    return {};
  }

  /// The merged commit, in the store only.
  Result<void> compute() {
    const Command git = store_.command();
    HYDRA_TRY(const auto bases, git.run({"merge-base", "--all", preview_.old_commit, request_.commit}));
    const auto base = trim(bases.out);
    const bool forward = base == preview_.old_commit;
    if (base == request_.commit) {
      preview_.already_merged = true;
      preview_.new_commit = preview_.old_commit;
      return {};
    }
    if (request_.ff_only && !forward)
      return refused(preview_.ref + " has moved on since the race started: no fast-forward is possible",
                     "merge without --ff-only");
    HYDRA_TRY(const auto merged, git.run({"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages",
                                          preview_.old_commit, request_.commit}));
    if (merged.exit_code > 1) return git_error("computing the merge", merged);
    const auto parts = records(merged.out);
    if (parts.empty()) return git_error("computing the merge", merged);
    if (merged.exit_code == 1) {
      for (std::size_t i = 1; i < parts.size(); ++i) preview_.conflicts.emplace_back(parts[i]);
      return {};
    }
    tree_ = std::string(parts[0]);
    if (request_.ff_only && !request_.squash) {
      preview_.new_commit = request_.commit;
    } else {
      HYDRA_TRY(preview_.new_commit, commit(git, request_.message));
    }
    HYDRA_TRY(changes_, changes_between(git, preview_.old_commit, preview_.new_commit));
    auto args = diff_options();
    args.insert(args.begin(), "diff-tree");
    args.insert(args.end(), {preview_.old_commit, preview_.new_commit});
    HYDRA_TRY(const auto text, git.output(args));
    HYDRA_TRY(const auto entries, parse_diff(text));
    preview_.diff = sum(entries);
    return {};
  }

  Result<std::string> commit(const Command& where, const std::string& message) {
    Command git = where;
    if (committed_at_ == 0) committed_at_ = static_cast<std::int64_t>(::time(nullptr));
    git.identity(facts_.user_name, facts_.user_email, committed_at_);
    std::vector<std::string> args{"commit-tree", tree_, "-p", preview_.old_commit};
    if (!request_.squash) args.insert(args.end(), {"-p", request_.commit});
    return git.line(args, message.empty() ? "Merge " + request_.branch + "\n" : message);
  }

  /// A private copy of the user's index, and what of theirs the merge would touch.
  Result<void> find_overlap() {
    HYDRA_CHECK(copy_users_index());
    const Command git = journal_.git();
    std::set<std::string, std::less<>> dirty;
    for (const bool cached : {false, true}) {
      std::vector<std::string> args{
          "diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"};
      if (cached) args.emplace_back("--cached");
      args.push_back(preview_.old_commit);
      HYDRA_TRY(const auto text, git.output(args));
      for (const auto path : records(text)) dirty.emplace(path);
    }
    preview_.overlap = overlapping(facts_.root, changes_, dirty);
    return {};
  }

  Result<void> copy_users_index() {
    const fs::path theirs = fs::path(facts_.git_dir) / "index";
    ::unlink((journal_.directory() / "index.lock").c_str());
    if (::access(theirs.c_str(), F_OK) != 0) {
      ::unlink(journal_.index().c_str());
      return {};
    }
    HYDRA_CHECK(copy_index(theirs, journal_.index()));
    // Exit code 1 only says that something differs.
    HYDRA_TRY(const auto refreshed, journal_.git().run({"update-index", "-q", "--refresh"}));
    if (refreshed.exit_code > 1) return git_error("reading the index", refreshed);
    return {};
  }

  /// Objects into the user's repository, kept by a ref of ours; the user's hooks have their say.
  Result<void> import() {
    HYDRA_TRY(const auto kept,
              import_commits(store_.command(), user_, fs::path(facts_.common_dir) / "objects",
                             {preview_.new_commit}, preview_.old_commit));
    auto done = keep_and_ask();
    release(kept);
    return done;
  }

  Result<void> keep_and_ask() {
    HYDRA_CHECK(user_.output({"update-ref", hydra_ref_, preview_.new_commit}));
    HYDRA_CHECK(find_hooks());
    if (request_.ff_only && !request_.squash) return {};
    if (commit_msg_ || pre_merge_) HYDRA_CHECK(ask_hooks());
    return {};
  }

  Result<void> find_hooks() {
    Command git = user_;
    git.with_user_configuration().with_hooks();
    HYDRA_TRY(const auto text, git.output({"rev-parse", "--git-path", "hooks/commit-msg", "--git-path",
                                           "hooks/pre-merge-commit", "--git-path", "hooks/post-merge"}));
    const auto paths = lines(text);
    const auto runs = [&](std::size_t i) {
      return i < paths.size() && ::access((fs::path(facts_.root) / paths[i]).c_str(), X_OK) == 0;
    };
    commit_msg_ = runs(0);
    pre_merge_ = runs(1);
    post_merge_ = runs(2);
    return {};
  }

  /// Runs the hooks over a scratch checkout of the merged tree, before anything of the user's changes.
  Result<void> ask_hooks() {
    const fs::path scratch = journal_.directory() / "scratch";
    const fs::path index = journal_.directory() / "scratch.index";
    const fs::path message = journal_.directory() / "MERGE_MSG";
    HYDRA_CHECK(remove_tree(scratch));
    HYDRA_CHECK(make_dirs(scratch));
    HYDRA_CHECK(write_file(message, request_.message));
    Command git = user_;
    git.with_user_configuration().work_tree(scratch).cwd(scratch).index(index);
    HYDRA_CHECK(git.output({"read-tree", preview_.new_commit}));
    HYDRA_CHECK(git.output({"checkout-index", "-a", "-f", "-u"}));
    git.with_hooks();
    for (const std::string hook : {"pre-merge-commit", "commit-msg"}) {
      if (!(hook == "commit-msg" ? commit_msg_ : pre_merge_)) continue;
      std::vector<std::string> args{"hook", "run", hook};
      if (hook == "commit-msg") args.insert(args.end(), {"--", message.string()});
      HYDRA_TRY(const auto asked, git.run(args));
      if (!asked.ok())
        return refused("the hook " + hook +
                           " refuses the merge: " + last_words(asked.err.empty() ? asked.out : asked.err),
                       "run the hook by hand in a checkout of " + request_.branch);
    }
    HYDRA_TRY(const auto text, read_file(message, 1 << 22));
    (void)remove_tree(scratch);
    if (text == request_.message) return {};
    HYDRA_TRY(preview_.new_commit, commit(user_, text));
    HYDRA_CHECK(user_.output({"update-ref", hydra_ref_, preview_.new_commit}));
    return {};
  }

  /// Steps 1 to 7: on an Error nothing that the user sees has changed.
  Result<void> apply() {
    HYDRA_CHECK(journal_.begin(preview_.old_commit, preview_.new_commit, preview_.ref));
    if (stop("intent")) return stopped();
    if (auto locked = journal_.lock_index(); !locked.ok()) return give_up(std::move(locked).error());
    if (stop("lock")) return stopped();
    if (auto checked = check_again(); !checked.ok()) return give_up(std::move(checked).error());
    if (stop("check")) return stopped();
    if (auto marked = journal_.mark("go"); !marked.ok()) return give_up(std::move(marked).error());
    if (stop("go")) return stopped();
    if (auto moved = journal_.move_tree(); !moved.ok()) return go_back(std::move(moved).error());
    if (stop("moved")) return stopped();
    if (auto marked = journal_.mark("tree"); !marked.ok()) return go_back(std::move(marked).error());
    if (stop("tree")) return stopped();
    if (auto moved = journal_.move_ref(); !moved.ok()) return go_back(std::move(moved).error());
    if (stop("ref")) return stopped();
    // From here on it is done as far as the branch is concerned: an error leaves the journal for recovery.
    HYDRA_CHECK(journal_.move_index());
    if (stop("index")) return stopped();
    HYDRA_CHECK(journal_.mark("done"));
    if (stop("done")) return stopped();
    journal_.unlock_index();
    return {};
  }

  /// The state under our lock: the same questions again, and git's own dry run.
  Result<void> check_again() {
    const std::string old = preview_.old_commit, ref = preview_.ref;
    HYDRA_CHECK(look());
    if (preview_.ref != ref || preview_.old_commit != old)
      return refused("the branch " + ref + " moved meanwhile", "try again");
    HYDRA_CHECK(find_overlap());
    if (!preview_.overlap.empty()) return overlap_error();
    HYDRA_TRY(const auto dry,
              journal_.git().run({"read-tree", "-m", "-n", preview_.old_commit, preview_.new_commit}));
    if (!dry.ok())
      return refused("git refuses to bring the files in: " + last_words(dry.err),
                     "commit, stash or move them away first");
    return {};
  }

  Result<void> give_up(Error error) {
    (void)journal_.mark("undone");
    journal_.unlock_index();
    return error;
  }

  Result<void> go_back(Error error) {
    HYDRA_CHECK(journal_.unmark("tree"));
    HYDRA_TRY(const auto left, journal_.back());
    if (!left.empty()) error.message += "; left with other content: " + listed(left);
    return give_up(std::move(error));
  }

  void run_post_merge() {
    if (!post_merge_) return;
    Command git = Command::in_repository(facts_, store_.path_variable_, store_.home_);
    git.with_user_configuration().with_hooks();
    const auto ran = git.run({"hook", "run", "post-merge", "--", request_.squash ? "1" : "0"});
    if (!ran.ok())
      preview_.note = "the hook post-merge could not be run: " + ran.error().message;
    else if (!ran->ok())
      preview_.note = "the hook post-merge failed: " + last_words(ran->err);
  }

  const Store& store_;
  const model::RepositoryFacts& facts_;
  const MergeRequest& request_;
  Journal journal_;
  Command user_;
  std::string hydra_ref_, tree_;
  MergePreview preview_;
  std::vector<RawEntry> changes_;
  std::int64_t committed_at_ = 0;
  bool commit_msg_ = false, pre_merge_ = false, post_merge_ = false;
};

Result<MergePreview> merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request) {
  return Merge(store, spec, request).run();
}

}  // namespace hydra::git
