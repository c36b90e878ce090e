#include "git/merge/merge.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/merge/conflicts.hpp"
#include "git/merge/consent.hpp"
#include "git/merge/hooks.hpp"
#include "git/merge/import.hpp"
#include "git/place.hpp"

#include <algorithm>
#include <ctime>
#include <unistd.h>

namespace hydra::git {
namespace {

std::string short_name(const std::string& ref) {
  constexpr std::string_view kHeads = "refs/heads/";
  return ref.starts_with(kHeads) ? ref.substr(kHeads.size()) : ref;
}

}  // namespace

/// A merge, from the first check to the last hook.
class Merge {
 public:
  Merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request)
      : store_(store),
        spec_(spec),
        facts_(spec.repository),
        request_(request),
        checkout_(spec.repository, request.journal, store.path_variable_, store.home_, request.stop,
                  request.at_step),
        user_(Command::in_repository(spec.repository, store.path_variable_, store.home_)),
        commit_(request.commit),
        message_(clean_message(request.message.empty() ? "Merge " + request.branch : request.message)),
        hydra_ref_("refs/hydra/" + spec.id + "/merge") {}

  ~Merge() {
    (void)remove_tree(scratch());
    (void)remove_tree(scratch_index());
    (void)remove_tree(scratch().string() + ".attributes");
    (void)remove_tree(scratch().string() + ".attributes.index");
    // A landed branch keeps the merge's objects; otherwise nothing refers to them.
    if (imported_ && !keep_ && user_.run({"update-ref", "-d", hydra_ref_}).ok())
      ::unlink((request_.journal / "import").c_str());
  }
  Merge(const Merge&) = delete;
  Merge& operator=(const Merge&) = delete;

  Result<MergePreview> run() {
    HYDRA_CHECK(check_kinds(request_.allow));
    HYDRA_CHECK(at_its_place(spec_));
    if (message_.empty()) return Error{Errc::usage, "the message is empty", {}, "say what the merge brings"};
    HYDRA_CHECK(guard());
    HYDRA_CHECK(checkout_.hold(request_.accept_changes));
    HYDRA_TRY(const auto standing, checkout_.look(request_.expected_ref));
    preview_.ref = standing.ref;
    preview_.old_commit = standing.commit;
    if (!request_.parts.empty() || !request_.without.empty()) {
      Part part{request_.branch, request_.commit, request_.parts, request_.without};
      if (part.paths.empty()) part.paths = {"."};
      HYDRA_TRY(const auto chosen, store_.combine({part}, request_.branch));
      if (!chosen.changed)
        return refused("every change of " + request_.branch + " is left out of the merge",
                       "add --with-generated, or drop a --without");
      commit_ = chosen.commit;
      HYDRA_TRY(const auto entries, store_.diff_entries(request_.commit));
      if (const auto renamed = renamed_from_elsewhere(entries, request_.parts); !renamed.empty())
        add_note(renamed);
    }
    HYDRA_TRY(hooks_, Hooks::find(user_, facts_.root));
    HYDRA_CHECK(compute());
    HYDRA_CHECK(look_at_branch());
    if (preview_.already_merged) return preview_;
    if (!preview_.conflicts.empty()) {
      if (request_.dry_run) return preview_;
      return refused("the result conflicts with " + preview_.ref + " in: " + listed(preview_.conflicts),
                     "merge " + request_.branch + " by hand with `git " +
                         (rewritten_ ? "cherry-pick" : "merge") + "`, or rebase and race again");
    }
    HYDRA_CHECK(find_overlap());
    if (request_.dry_run) return preview_;
    HYDRA_CHECK(ask_for_consent());
    if (!preview_.overlap.empty()) return CheckoutMove::overlap_error(preview_.overlap);
    HYDRA_CHECK(import());
    auto landed = checkout_.land(move_);
    if (!landed.ok()) {
      keep_ = !merge_settled(request_.journal);
      return std::move(landed).error();
    }
    run_post_merge();
    // Hydra's own changes are no difference for the next merge.
    (void)store_.guard().save();
    return preview_;
  }

 private:
  [[nodiscard]] fs::path scratch() const { return request_.journal / "scratch"; }
  [[nodiscard]] fs::path scratch_index() const { return request_.journal / "scratch.index"; }
  [[nodiscard]] bool forwards() const {
    return forward_ && !request_.squash && (request_.ff_only || request_.ff);
  }

  /// Checks the repository's configuration against the race's start, before any git of ours reads it for the
  /// user.
  Result<void> guard() {
    std::vector<std::string> harmless;
    HYDRA_TRY(preview_.changed, store_.guard().judge(request_.accept_changes, request_.repair_changes,
                                                     request_.dry_run, &harmless));
    if (!harmless.empty()) add_note("changed since the race started, and harmless: " + listed(harmless));
    return {};
  }

  /// Computes the merged commit, in the store only.
  Result<void> compute() {
    const Command git = store_.command();
    HYDRA_TRY(const auto bases, git.run({"merge-base", "--all", preview_.old_commit, commit_}));
    const auto base = trim(bases.out);
    forward_ = base == preview_.old_commit;
    if (base == commit_) return nothing_to_do();
    if (request_.ff_only && !forward_)
      return refused(preview_.ref + " has moved on since the race started: no fast-forward is possible",
                     "merge without --ff-only");
    HYDRA_TRY(const auto ours, on_the_base(git, std::string(base)));
    HYDRA_TRY(const auto merged,
              git.run({"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, commit_}));
    if (merged.exit_code > 1) return git_error("computing the merge", merged);
    const auto parts = records(merged.out);
    if (parts.empty()) return git_error("computing the merge", merged);
    if (merged.exit_code == 1) {
      for (std::size_t i = 1; i < parts.size(); ++i) preview_.conflicts.emplace_back(parts[i]);
      if (request_.dry_run)
        preview_.conflict_text = conflict_texts(git, std::string(parts[0]), preview_.conflicts,
                                                {ours, commit_, short_name(preview_.ref), request_.branch});
      return {};
    }
    tree_ = std::string(parts[0]);
    HYDRA_TRY(const auto old_tree,
              git.line({"rev-parse", "--verify", "-q", preview_.old_commit + "^{tree}"}));
    // A squash records no parent: only equal content shows that the result was merged before.
    if (tree_ == old_tree && request_.submodules.empty()) return nothing_to_do();
    if (tree_ == old_tree)
      return refused("the result changes only files inside submodules, which no merge brings in: " +
                         listed(request_.submodules),
                     "bring them into the submodules' own repositories by hand");
    if (forwards()) {
      preview_.new_commit = commit_;
    } else {
      HYDRA_TRY(preview_.new_commit, commit(git, message_, false));
    }
    HYDRA_TRY(const auto changes, changes_between(git, preview_.old_commit, preview_.new_commit));
    HYDRA_TRY(preview_.consent, consent_needed(git, preview_.new_commit, changes, hooks_.run_from_tree()));
    HYDRA_CHECK(ask_about_branch(git));
    ask_about_submodules();
    preview_.consent.insert(preview_.consent.end(), request_.consent.begin(), request_.consent.end());
    HYDRA_TRY(const auto entries, compare_trees(git, preview_.old_commit, preview_.new_commit));
    preview_.diff = sum(entries);
    HYDRA_TRY(preview_.line_ends, line_ends_only(git, preview_.old_commit, preview_.new_commit, entries));
    return {};
  }

  /// Returns the commit to merge with: the branch or, when the branch was rewritten since the race started
  /// (amended, filtered, started over), the branch's tree on top of the commit that the race began on. The
  /// result differs from that commit; any history that git finds in common is older. The history that the
  /// user removed does not return with the result, which is merged as one commit.
  Result<std::string> on_the_base(const Command& git, const std::string& shared) {
    const std::string& begun = facts_.included_dirty ? facts_.head : facts_.base;
    if (shared == begun || forward_) return preview_.old_commit;
    HYDRA_TRY(const bool foreign, base_is_foreign(git));
    if (!shared.empty()) {
      HYDRA_TRY(const bool held, git.succeeds({"merge-base", "--is-ancestor", begun, preview_.old_commit}));
      if (held || foreign) return preview_.old_commit;
    }
    rewritten_ = true;
    if (!request_.squash)
      add_note(preview_.ref +
               " does not hold the commit any more that the race began on: the result comes in "
               "as one commit, without that history");
    Command made = git;
    made.identity(facts_.user_name, facts_.user_email, spec_.created_ms / 1000);
    return made.line({"commit-tree", preview_.old_commit + "^{tree}", "-p", begun}, "hydra: rewritten\n");
  }

  /// Returns whether the race began on a commit that was not the checkout's (`--base`) and is not in the
  /// branch now. A former commit of the checkout, amended since, is the user's own doing.
  Result<bool> base_is_foreign(const Command& git) {
    if (facts_.included_dirty || facts_.base == facts_.head) return false;
    for (const auto& of : {preview_.old_commit, facts_.head}) {
      HYDRA_TRY(const bool held, git.succeeds({"merge-base", "--is-ancestor", facts_.base, of}));
      if (held) return false;
    }
    return true;
  }

  /// Asks for consent when commits besides the result come in, or the target branch is another.
  Result<void> ask_about_branch(const Command& git) {
    std::vector<std::string> why;
    if (!facts_.head_ref.empty() && facts_.head_ref != preview_.ref) why.push_back(preview_.ref);
    HYDRA_TRY(const bool foreign, base_is_foreign(git));
    if (foreign)
      why.push_back("commits up to the base " + facts_.base.substr(0, 12) + ", which " + preview_.ref +
                    " does not have");
    if (!why.empty()) preview_.consent.insert(preview_.consent.begin(), {"branch", std::move(why)});
    return {};
  }

  /// No tree of the result has files inside submodules.
  void ask_about_submodules() {
    if (request_.submodules.empty()) return;
    add_note("changes inside submodules are not part of the merge: " + listed(request_.submodules));
    auto& all = preview_.consent;
    auto at = std::find_if(all.begin(), all.end(), [](const auto& c) { return c.kind >= "submodules"; });
    if (at == all.end() || at->kind != "submodules") at = all.insert(at, {"submodules", {}});
    for (const auto& path : request_.submodules)
      if (std::find(at->paths.begin(), at->paths.end(), path) == at->paths.end()) at->paths.push_back(path);
  }

  /// The merge takes the captured and checked commit. Commits that the user made on the result's branch are
  /// not merged, and a user who names that branch is told.
  Result<void> look_at_branch() {
    if (!request_.branch.starts_with("hydra/")) return {};
    HYDRA_TRY(const auto found, user_.run({"rev-parse", "--verify", "-q", "refs/heads/" + request_.branch}));
    const std::string tip(trim(found.out));
    if (!found.ok() || tip == request_.commit) return {};
    HYDRA_TRY(const bool held, user_.succeeds({"merge-base", "--is-ancestor", tip, preview_.old_commit}));
    if (!held)
      add_note(request_.branch + " has moved since the race, to " + tip.substr(0, 12) +
               ": what was committed there is not part of this merge, `git merge " + request_.branch +
               "` brings it in");
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
    if (!request_.squash && !rewritten_) args.insert(args.end(), {"-p", commit_});
    if (sign) args.insert(args.begin() + 1, "-S");
    return git.line(args, message);
  }

  /// Finds the user's files in the way. A result of a dirty checkout includes that uncommitted state; while
  /// the checkout still has it, only other differences are in the way.
  Result<void> find_overlap() {
    move_ = {preview_.ref, preview_.old_commit, preview_.new_commit, preview_.old_commit,
             preview_.new_commit};
    const Command store = store_.command();
    HYDRA_TRY(preview_.overlap, checkout_.overlap(move_, &store));
    if (preview_.overlap.empty() || !facts_.included_dirty || preview_.old_commit != facts_.head) return {};
    Move with_state = move_;
    with_state.from = facts_.base;
    HYDRA_TRY(preview_.overlap, checkout_.overlap(with_state, &store));
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
    return refused("this merge needs your consent: " + join(what, "; "),
                   "look at it, then add --allow " + words);
  }

  /// Imports the objects, kept by a ref of Hydra, and asks the user's hooks.
  Result<void> import() {
    // Recorded first: after a kill only this record leads to the ref and the keep file.
    HYDRA_CHECK(write_file_atomic(request_.journal / "import", hydra_ref_ + "\n", true));
    imported_ = true;
    HYDRA_TRY(const auto kept, import_commits(store_.command(), store_.directory(), user_,
                                              fs::path(facts_.common_dir) / "objects", {preview_.new_commit},
                                              preview_.old_commit, hydra_ref_));
    auto done = keep_and_ask();
    release(kept);
    return done;
  }

  Result<void> keep_and_ask() {
    HYDRA_CHECK(user_.output({"update-ref", hydra_ref_, preview_.new_commit}));
    HYDRA_CHECK(copy_large_files(store_.directory(), facts_));
    HYDRA_TRY(const auto changes, changes_between(user_, move_.from, move_.to));
    HYDRA_CHECK(
        ask_filters(checkout_.journal().git(), scratch(), scratch_index(), preview_.new_commit, changes));
    if (forwards()) return {};
    std::string message = message_;
    if (hooks_.asks())
      HYDRA_CHECK(hooks_.ask(
          Command(user_).stop(request_.stop),
          {scratch(), scratch_index(), request_.journal / "MERGE_MSG", preview_.new_commit, request_.branch},
          message));
    HYDRA_TRY(const bool sign, wants_signature());
    if (!sign && message == message_) return {};
    Command git = user_;
    // A key agent started by the user's signing program outlives this call.
    if (sign) git.with_user_configuration().of_the_user().stop(request_.stop);
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

  void add_note(const std::string& text) { preview_.note += (preview_.note.empty() ? "" : "; ") + text; }

  void run_post_merge() {
    if (!hooks_.post_merge()) return;
    const Command git = hooks_.with_hooks(user_).stop(request_.stop);
    const auto ran = git.run({"hook", "run", "post-merge", "--", request_.squash ? "1" : "0"});
    if (!ran.ok())
      add_note("the hook post-merge could not be run: " + ran.error().message);
    else if (!ran->ok())
      add_note("the hook post-merge failed: " + last_words(ran->err));
  }

  const Store& store_;
  const model::RaceSpec& spec_;
  const model::RepositoryFacts& facts_;
  const MergeRequest& request_;
  CheckoutMove checkout_;
  Command user_;
  std::string commit_, message_, hydra_ref_, tree_;
  Hooks hooks_;
  MergePreview preview_;
  Move move_;
  std::int64_t committed_at_ = 0;
  bool forward_ = false, imported_ = false, keep_ = false;
  bool rewritten_ = false;  ///< the branch was rewritten since the race began: see on_the_base()
};

Result<MergePreview> merge(const Store& store, const model::RaceSpec& spec, const MergeRequest& request) {
  return Merge(store, spec, request).run();
}

}  // namespace hydra::git
