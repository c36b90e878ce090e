#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/place.hpp"

#include <unistd.h>

namespace hydra::git {

/// The undoing of one merge.
class Undo {
 public:
  Undo(const Store& store, const model::RaceSpec& spec, const UndoRequest& request)
      : spec_(spec),
        request_(request),
        guard_(store.guard()),
        checkout_(spec.repository, request.journal, store.path_variable_, store.home_, request.stop,
                  request.at_step),
        user_(Command::in_repository(spec.repository, store.path_variable_, store.home_)) {}

  Result<MergePreview> run() {
    MergePreview preview;
    HYDRA_CHECK(at_its_place(spec_));
    HYDRA_TRY(preview.changed,
              guard_.judge(request_.accept_changes, request_.repair_changes, request_.dry_run));
    HYDRA_CHECK(checkout_.hold(request_.accept_changes));
    HYDRA_TRY(const auto now, checkout_.look(request_.ref));
    if (now.commit != request_.commit) return built_upon(now.commit);
    HYDRA_CHECK(held_elsewhere());
    preview.ref = request_.ref;
    preview.old_commit = request_.commit;
    preview.new_commit = request_.before;
    Move move{request_.ref,
              request_.commit,
              request_.before,
              request_.commit,
              request_.state.empty() ? request_.before : request_.state,
              "undo of a merge: back to"};
    preview.state = request_.state;
    HYDRA_TRY(preview.overlap, checkout_.overlap(move));
    if (request_.dry_run) return preview;
    if (!preview.overlap.empty()) {
      auto error = CheckoutMove::overlap_error(preview.overlap);
      error.hint = "commit or stash them first, or undo it by a separate commit: " + by_hand();
      return error;
    }
    HYDRA_CHECK(checkout_.land(move));
    // Hydra's own changes are no difference for the next merge.
    (void)guard_.save();
    return preview;
  }

 private:
  [[nodiscard]] std::string by_hand() const {
    const auto parents = user_.output({"rev-list", "--parents", "-n", "1", request_.commit});
    const bool merged = parents.ok() && split(trim(*parents), ' ').size() > 2;
    return std::string("git revert ") + (merged ? "-m 1 " : "") + request_.commit.substr(0, 12);
  }

  [[nodiscard]] Error built_upon(const std::string& now) const {
    if (!user_.succeeds({"merge-base", "--is-ancestor", request_.commit, now}).value_or(false))
      return refused(request_.ref + " does not hold the merge any more: it is at " + now.substr(0, 12),
                     "there is nothing to undo");
    return refused("something was built on the merge: " + request_.ref + " is at " + now.substr(0, 12),
                   by_hand());
  }

  /// Refuses when another branch, a tag or a remote's branch holds the merge.
  [[nodiscard]] Result<void> held_elsewhere() const {
    HYDRA_TRY(const auto refs, user_.output({"for-each-ref", "--format=%(refname)", "--contains",
                                             request_.commit, "refs/heads", "refs/tags", "refs/remotes"}));
    for (const auto ref : lines(refs)) {
      // After a fast-forward the result's own branch always holds the merge.
      if (ref.empty() || ref == request_.ref || ref.starts_with("refs/heads/hydra/")) continue;
      return refused(std::string(ref) + " holds the merge too: others may have it", by_hand());
    }
    return {};
  }

  const model::RaceSpec& spec_;
  const UndoRequest& request_;
  const Guard guard_;
  CheckoutMove checkout_;
  Command user_;
};

Result<MergePreview> undo_merge(const Store& store, const model::RaceSpec& spec, const UndoRequest& request) {
  return Undo(store, spec, request).run();
}

std::optional<Landed> landed(const fs::path& journal) {
  const auto text = read_file(journal / "intent", 1 << 16);
  if (!text.ok() || ::access((journal / "done").c_str(), F_OK) != 0) return std::nullopt;
  const auto fields = split(trim(*text), ' ');
  if (fields.size() < 3) return std::nullopt;
  Landed result{std::string(fields[2]), std::string(fields[0]), std::string(fields[1]), {}};
  if (fields.size() == 5 && fields[3] != fields[0]) result.state = fields[3];
  return result;
}

bool merge_settled(const fs::path& journal) {
  const auto has = [&](const char* mark) { return ::access((journal / mark).c_str(), F_OK) == 0; };
  return has("done") || has("undone") || !has("go");
}

}  // namespace hydra::git
