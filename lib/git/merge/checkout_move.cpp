#include "git/merge/checkout_move.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/scan.hpp"
#include "git/store/layout.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {

namespace {

Error abandoned() { return Error{Errc::internal, "the merge was abandoned", {}, {}}; }

}  // namespace

Error refused(std::string message, std::string hint) {
  return Error{Errc::refused, std::move(message), {}, std::move(hint)};
}

std::string listed(const std::vector<std::string>& paths, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < paths.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + sanitize(paths[i]);
  if (paths.size() > most) text += " and " + std::to_string(paths.size() - most) + " more";
  return text;
}

CheckoutMove::CheckoutMove(const model::RepositoryFacts& facts, const fs::path& journal,
                           const std::string& path_variable, const std::string& home, std::stop_token stop,
                           StepObserver at_step)
    : facts_(facts),
      path_variable_(path_variable),
      home_(home),
      stop_(std::move(stop)),
      journal_(journal, facts, path_variable, home, stop_),
      at_step_(std::move(at_step)),
      user_(Command::in_repository(facts, path_variable, home)) {}

Result<void> CheckoutMove::hold(bool accept_changes) {
  // A dead merge of this journal is recovered first: a new begin would overwrite its record.
  auto recovered =
      recover_merge(journal_.directory(), facts_, path_variable_, home_, {accept_changes, stop_});
  if (!recovered.ok()) {
    // The conflict is reported once: a user who asks again has looked at the checkout.
    if (recovered.error().code == Errc::conflict) HYDRA_CHECK(journal_.mark("undone"));
    return std::move(recovered).error();
  }
  return journal_.hold();
}

Error CheckoutMove::overlap_error(const std::vector<std::string>& paths) {
  return refused("this would overwrite uncommitted changes: " + listed(paths),
                 "commit, stash or move them away first");
}

Result<Standing> CheckoutMove::look(const std::string& expected_ref) const {
  // Checked first: a rebase detaches HEAD, and "switch to a branch" would be wrong advice.
  if (const auto operation = operation_in_progress(facts_); !operation.empty())
    return refused(operation + " is in progress in the checkout", "finish or abort it first");
  HYDRA_TRY(const auto head, read_file(fs::path(facts_.git_dir) / "HEAD", 1 << 16));
  const auto line = trim(head);
  if (!line.starts_with("ref: "))
    return refused("HEAD is detached: there is no branch to merge into", "switch to a branch first");
  Standing standing{std::string(trim(line.substr(5))), {}};
  if (!expected_ref.empty() && expected_ref != standing.ref)
    return refused("the checkout is on " + standing.ref + " now, not on " + expected_ref,
                   "switch back, or ask again");
  if (const auto other = checked_out_elsewhere(user_, facts_, standing.ref); !other.empty())
    return refused(standing.ref + " is checked out in " + other + " too: its files would not move along",
                   "switch one of the two to another branch");
  HYDRA_TRY(const auto now, user_.run({"rev-parse", "--verify", "-q", standing.ref + "^{commit}"}));
  if (!now.ok()) return refused("the branch " + standing.ref + " has no commit", "make a commit first");
  standing.commit = std::string(trim(now.out));
  return standing;
}

Result<void> CheckoutMove::copy_users_index() {
  const fs::path theirs = fs::path(facts_.git_dir) / "index";
  drop_lock(journal_.index());
  if (::access(theirs.c_str(), F_OK) != 0) {
    ::unlink(journal_.index().c_str());
    return {};
  }
  HYDRA_CHECK(copy_index(theirs, journal_.index()));
  // Exit code 1 means only that files differ.
  HYDRA_TRY(const auto refreshed, journal_.git().run({"update-index", "-q", "--refresh"}));
  if (refreshed.exit_code > 1) return git_error("reading the index", refreshed);
  return {};
}

/// When `from` includes the uncommitted state of the race's start, adds that state to the private index.
Result<void> CheckoutMove::take_state_in(const Move& move) {
  if (move.from == move.old_commit) return {};
  HYDRA_TRY(const auto changes, changes_between(journal_.git(), move.old_commit, move.from));
  std::string paths;
  LeadingLinks beyond(facts_.root);
  for (const auto& change : changes)
    if (!beyond(change.path)) paths += change.path + '\0';
  HYDRA_CHECK(
      journal_.git().output({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, paths));
  return copy_index(journal_.index(), journal_.index_before());
}

Result<std::vector<std::string>> CheckoutMove::overlap(const Move& move, const Command* reader) {
  HYDRA_CHECK(copy_users_index());
  HYDRA_CHECK(take_state_in(move));
  const Command git = journal_.git();
  std::set<std::string, std::less<>> dirty;
  for (const bool cached : {false, true}) {
    std::vector<std::string> args{
        "diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"};
    if (cached) args.emplace_back("--cached");
    args.push_back(move.from);
    HYDRA_TRY(const auto text, git.output(args));
    for (const auto path : records(text)) dirty.emplace(path);
  }
  HYDRA_TRY(const auto changes, changes_between(reader ? *reader : git, move.from, move.to));
  return overlapping(facts_.root, changes, dirty);
}

Result<void> CheckoutMove::land(const Move& move) {
  HYDRA_CHECK(journal_.remember());
  if (auto begun = journal_.begin(move); !begun.ok()) return give_up(std::move(begun).error());
  if (abandons("intent")) return abandoned();
  if (auto locked = journal_.lock_index(); !locked.ok()) return give_up(std::move(locked).error());
  if (abandons("lock")) return abandoned();
  if (auto checked = check_again(move); !checked.ok()) return give_up(std::move(checked).error());
  if (abandons("check")) return abandoned();
  if (auto marked = journal_.mark("go"); !marked.ok()) return give_up(std::move(marked).error());
  if (abandons("go")) return abandoned();
  if (auto moved = journal_.move_tree(); !moved.ok()) return go_back(std::move(moved).error());
  if (abandons("moved")) return abandoned();
  if (auto marked = journal_.mark("tree"); !marked.ok()) return go_back(std::move(marked).error());
  if (abandons("tree")) return abandoned();
  if (auto moved = journal_.move_ref(); !moved.ok() && !arrived(move))
    return go_back(std::move(moved).error());
  if (abandons("ref")) return abandoned();
  // The branch has moved now: on an error the journal stays for recovery.
  if (auto moved = journal_.move_index(); !moved.ok()) {
    auto error = std::move(moved).error();
    error.message = "the branch and its files are merged, but the index cannot be written: " + error.message;
    error.hint = "free the disk, then run the same command again: it finishes the merge";
    return error;
  }
  if (abandons("index")) return abandoned();
  HYDRA_CHECK(journal_.mark("done"));
  if (abandons("done")) return abandoned();
  journal_.unlock_index();
  return {};
}

/// Returns whether the branch has moved, even if git failed after moving it (a deadline, no memory).
bool CheckoutMove::arrived(const Move& move) const {
  const auto now = journal_.git().run({"rev-parse", "--verify", "-q", move.ref});
  return now.ok() && trim(now->out) == move.new_commit;
}

/// Repeats the checks under our lock, and adds git's own dry run.
Result<void> CheckoutMove::check_again(const Move& move) {
  HYDRA_TRY(const auto now, look({}));
  if (now.ref != move.ref || now.commit != move.old_commit)
    return refused("the branch " + move.ref + " moved meanwhile", "try again");
  HYDRA_TRY(const auto in_the_way, overlap(move));
  if (!in_the_way.empty()) return overlap_error(in_the_way);
  HYDRA_TRY(const auto dry, journal_.git().run({"read-tree", "-m", "-u", "-n", move.from, move.to}));
  if (!dry.ok())
    return refused("git refuses to bring the files in: " + last_words(dry.err),
                   "commit, stash or move them away first");
  return {};
}

/// Ends a move whose tree is unchanged or restored. A journal without "go" means nothing: "go" is removed
/// when "undone" cannot be written (a full disk).
Result<void> CheckoutMove::give_up(Error error) {
  if (!journal_.mark("undone").ok()) (void)journal_.unmark("go");
  journal_.unlock_index();
  return error;
}

Result<void> CheckoutMove::go_back(Error error) {
  // After a stop request no program may start to restore the files; the journal has all that recovery needs.
  if (journal_.stopped()) {
    error.hint = "the next daemon finishes or reverts it";
    return error;
  }
  HYDRA_CHECK(journal_.unmark("tree"));
  auto left = journal_.back();
  if (!left.ok()) {
    error.message += "; and the files that were there already could not be put back: " + left.error().message;
    error.hint = "free the disk, then run the same command again: it puts them back first";
    return error;
  }
  if (!left->empty()) error.message += "; left with other content: " + listed(*left);
  return give_up(std::move(error));
}

}  // namespace hydra::git
