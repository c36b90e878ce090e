#include "git/merge.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/consent.hpp"
#include "git/guard.hpp"
#include "git/import.hpp"
#include "git/landing.hpp"

#include <algorithm>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {

/// One merge from the first look to the last hook.
class Merge {
 public:
  Merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request)
      : store_(store),
        facts_(spec.repository),
        request_(request),
        landing_(spec.repository, request.journal, store.path_variable_, store.home_),
        user_(Command::in_repository(spec.repository, store.path_variable_, store.home_)),
        commit_(request.commit),
        hydra_ref_("refs/hydra/" + spec.id + "/merge") {}

  ~Merge() {
    (void)remove_tree(scratch());
    (void)remove_tree(scratch_index());
    // Objects of a merge that did not land belong to nobody; those of one that did are the branch's.
    if (imported_ && !keep_ && user_.run({"update-ref", "-d", hydra_ref_}).ok())
      ::unlink((request_.journal / "import").c_str());
  }
  Merge(const Merge&) = delete;
  Merge& operator=(const Merge&) = delete;

  Result<MergePreview> run() {
    HYDRA_CHECK(guard());
    HYDRA_CHECK(landing_.hold());
    HYDRA_TRY(const auto standing, landing_.look(request_.expected_ref));
    preview_.ref = standing.ref;
    preview_.old_commit = standing.commit;
    if (!request_.parts.empty()) {
      const Part part{request_.branch, request_.commit, request_.parts};
      HYDRA_TRY(const auto chosen, store_.combine({part}, "parts"));
      commit_ = chosen.commit;
      HYDRA_TRY(const auto entries, store_.diff_entries(request_.commit));
      preview_.note = renamed_from_elsewhere(entries, request_.parts);
    }
    HYDRA_CHECK(compute());
    if (preview_.already_merged) return preview_;
    if (!preview_.conflicts.empty()) {
      if (request_.dry_run) return preview_;
      return refused("the result conflicts with " + preview_.ref + " in: " + listed(preview_.conflicts),
                     "merge " + request_.branch + " by hand with `git merge`, or rebase and race again");
    }
    HYDRA_CHECK(find_overlap());
    if (request_.dry_run) return preview_;
    HYDRA_CHECK(ask_for_consent());
    if (!preview_.overlap.empty()) return Landing::overlap_error(preview_.overlap);
    HYDRA_CHECK(import());
    auto landed = landing_.land(move_);
    if (!landed.ok()) {
      keep_ = !merge_settled(request_.journal);
      return std::move(landed).error();
    }
    run_post_merge();
    // What Hydra did itself is no difference for the next one.
    (void)store_.guard().save();
    return preview_;
  }

 private:
  [[nodiscard]] fs::path scratch() const { return request_.journal / "scratch"; }
  [[nodiscard]] fs::path scratch_index() const { return request_.journal / "scratch.index"; }
  [[nodiscard]] bool forwards() const {
    return forward_ && !request_.squash && (request_.ff_only || request_.ff);
  }

  /// The repository's configuration as the race found it, before any git of ours reads it for the user.
  Result<void> guard() {
    HYDRA_TRY(preview_.changed,
              store_.guard().judge(request_.accept_changes, request_.repair_changes, request_.dry_run));
    return {};
  }

  /// The merged commit, in the store only.
  Result<void> compute() {
    const Command git = store_.command();
    HYDRA_TRY(const auto bases, git.run({"merge-base", "--all", preview_.old_commit, commit_}));
    const auto base = trim(bases.out);
    forward_ = base == preview_.old_commit;
    if (base == commit_) return nothing_to_do();
    if (request_.ff_only && !forward_)
      return refused(preview_.ref + " has moved on since the race started: no fast-forward is possible",
                     "merge without --ff-only");
    HYDRA_TRY(const auto merged, git.run({"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages",
                                          preview_.old_commit, commit_}));
    if (merged.exit_code > 1) return git_error("computing the merge", merged);
    const auto parts = records(merged.out);
    if (parts.empty()) return git_error("computing the merge", merged);
    if (merged.exit_code == 1) {
      for (std::size_t i = 1; i < parts.size(); ++i) preview_.conflicts.emplace_back(parts[i]);
      return {};
    }
    tree_ = std::string(parts[0]);
    HYDRA_TRY(const auto old_tree,
              git.line({"rev-parse", "--verify", "-q", preview_.old_commit + "^{tree}"}));
    // A squash leaves no trace of the result: what it brought in is only seen by its content.
    if (tree_ == old_tree) return nothing_to_do();
    if (forwards()) {
      preview_.new_commit = commit_;
    } else {
      HYDRA_TRY(preview_.new_commit, commit(git, request_.message, false));
    }
    HYDRA_TRY(const auto changes, changes_between(git, preview_.old_commit, preview_.new_commit));
    HYDRA_TRY(preview_.consent, consent_needed(git, changes));
    if (!facts_.head_ref.empty() && facts_.head_ref != preview_.ref)
      preview_.consent.insert(preview_.consent.begin(), {"branch", {preview_.ref}});
    auto args = diff_options();
    args.insert(args.begin(), "diff-tree");
    args.insert(args.end(), {preview_.old_commit, preview_.new_commit});
    HYDRA_TRY(const auto text, git.output(args));
    HYDRA_TRY(const auto entries, parse_diff(text));
    preview_.diff = sum(entries);
    return {};
  }

  Result<void> nothing_to_do() {
    preview_.already_merged = true;
    preview_.new_commit = preview_.old_commit;
    return {};
  }

  Result<std::string> commit(const Command& where, const std::string& message, bool sign) {
    Command git = where;
    if (committed_at_ == 0) committed_at_ = static_cast<std::int64_t>(::time(nullptr));
    git.identity(facts_.user_name, facts_.user_email, committed_at_);
    std::vector<std::string> args{"commit-tree", tree_, "-p", preview_.old_commit};
    if (!request_.squash) args.insert(args.end(), {"-p", commit_});
    if (sign) args.insert(args.begin() + 1, "-S");
    return git.line(args, message.empty() ? "Merge " + request_.branch + "\n" : message);
  }

  /// What of the user's stands in the way. A result of a dirty checkout takes that state with it, where it is
  /// still the same: then only what is different from it stands in the way.
  Result<void> find_overlap() {
    move_ = {preview_.ref, preview_.old_commit, preview_.new_commit, preview_.old_commit,
             preview_.new_commit};
    const Command store = store_.command();
    HYDRA_TRY(preview_.overlap, landing_.overlap(move_, &store));
    if (preview_.overlap.empty() || !facts_.included_dirty || preview_.old_commit != facts_.head) return {};
    Move with_state = move_;
    with_state.from = facts_.base;
    HYDRA_TRY(preview_.overlap, landing_.overlap(with_state, &store));
    if (!preview_.overlap.empty()) return {};
    move_ = with_state;
    preview_.state = facts_.base;
    add_note("your uncommitted changes of the race's start are part of it");
    return {};
  }

  Result<void> ask_for_consent() {
    std::string words;
    std::vector<std::string> what;
    for (const auto& [kind, paths] : preview_.consent) {
      if (std::find(request_.allow.begin(), request_.allow.end(), kind) != request_.allow.end()) continue;
      words += (words.empty() ? "" : ",") + kind;
      what.push_back(kind + " (" + listed(paths) + ")");
    }
    if (words.empty()) return {};
    return refused("this needs your explicit word: " + join(what, "; "),
                   "look at it, then add --allow " + words);
  }

  /// Objects into the user's repository, kept by a ref of ours; the user's hooks have their say.
  Result<void> import() {
    // Told beforehand: a kill on the way leaves a ref and a keep file that nobody else would find.
    HYDRA_CHECK(write_file_atomic(request_.journal / "import", hydra_ref_ + "\n", true));
    imported_ = true;
    HYDRA_TRY(const auto kept,
              import_commits(store_.command(), user_, fs::path(facts_.common_dir) / "objects",
                             {preview_.new_commit}, preview_.old_commit, hydra_ref_));
    auto done = keep_and_ask();
    release(kept);
    return done;
  }

  Result<void> keep_and_ask() {
    HYDRA_CHECK(user_.output({"update-ref", hydra_ref_, preview_.new_commit}));
    HYDRA_CHECK(find_hooks());
    if (forwards()) return {};
    std::string message = request_.message;
    if (commit_msg_ || pre_merge_) HYDRA_CHECK(ask_hooks(message));
    HYDRA_TRY(const bool sign, wants_signature());
    if (!sign && message == request_.message) return {};
    Command git = user_;
    // An agent of theirs that holds keys outlives this.
    if (sign) git.with_user_configuration().of_the_user();
    for (const auto& [name, value] : request_.environment)
      if (sign) git.variable(name, value);
    auto made = commit(git, message, sign);
    if (!made.ok() && sign)
      return refused("the merge commit cannot be signed: " + made.error().message,
                     "make the key usable (commit.gpgSign is on), or set commit.gpgSign to false");
    if (!made.ok()) return std::move(made).error();
    preview_.new_commit = move_.new_commit = move_.to = *made;
    preview_.signed_ = sign;
    return user_.run({"update-ref", hydra_ref_, preview_.new_commit}).ok()
               ? Result<void>{}
               : Error{Errc::git, "the merge commit cannot be kept", {}, {}};
  }

  Result<bool> wants_signature() {
    Command git = user_;
    git.with_user_configuration();
    HYDRA_TRY(const auto asked, git.run({"config", "--type=bool", "--get", "commit.gpgSign"}));
    return asked.ok() && trim(asked.out) == "true";
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
  Result<void> ask_hooks(std::string& message) {
    const fs::path file = request_.journal / "MERGE_MSG";
    HYDRA_CHECK(remove_tree(scratch()));
    HYDRA_CHECK(make_dirs(scratch()));
    HYDRA_CHECK(write_file(file, message));
    Command git = user_;
    git.with_user_configuration().work_tree(scratch()).cwd(scratch()).index(scratch_index());
    HYDRA_CHECK(git.output({"read-tree", preview_.new_commit}));
    HYDRA_CHECK(git.output({"checkout-index", "-a", "-f", "-u"}));
    git.with_hooks();
    for (const std::string hook : {"pre-merge-commit", "commit-msg"}) {
      if (!(hook == "commit-msg" ? commit_msg_ : pre_merge_)) continue;
      std::vector<std::string> args{"hook", "run", hook};
      if (hook == "commit-msg") args.insert(args.end(), {"--", file.string()});
      HYDRA_TRY(const auto asked, git.run(args));
      if (!asked.ok())
        return refused("the hook " + hook +
                           " refuses the merge: " + last_words(asked.err.empty() ? asked.out : asked.err),
                       "run the hook by hand in a checkout of " + request_.branch);
    }
    HYDRA_TRY(message, read_file(file, 1 << 22));
    return {};
  }

  void add_note(const std::string& text) { preview_.note += (preview_.note.empty() ? "" : "; ") + text; }

  void run_post_merge() {
    if (!post_merge_) return;
    Command git = Command::in_repository(facts_, store_.path_variable_, store_.home_);
    git.with_user_configuration().with_hooks();
    const auto ran = git.run({"hook", "run", "post-merge", "--", request_.squash ? "1" : "0"});
    if (!ran.ok())
      add_note("the hook post-merge could not be run: " + ran.error().message);
    else if (!ran->ok())
      add_note("the hook post-merge failed: " + last_words(ran->err));
  }

  const Store& store_;
  const model::RepositoryFacts& facts_;
  const MergeRequest& request_;
  Landing landing_;
  Command user_;
  std::string commit_, hydra_ref_, tree_;
  MergePreview preview_;
  Move move_;
  std::int64_t committed_at_ = 0;
  bool forward_ = false, imported_ = false, keep_ = false;
  bool commit_msg_ = false, pre_merge_ = false, post_merge_ = false;
};

Result<MergePreview> merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request) {
  return Merge(store, spec, request).run();
}

}  // namespace hydra::git
