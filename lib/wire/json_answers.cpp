// Members of answers to verbs, and of a race's details: answers.hpp, details.hpp, notice.hpp.
#include "wire/answers.hpp"
#include "wire/details.hpp"
#include "wire/model_members.hpp"
#include "wire/notice.hpp"

namespace hydra::wire {
namespace detail {

HYDRA_WIRE(Waits, waits_for);
HYDRA_WIRE(CreatedAgent, agent, display);
HYDRA_WIRE(Created, race, base, warnings, agents);
HYDRA_WIRE(Cancelled, race, agent);
HYDRA_WIRE(RetriedAgent, agent, attempt, resumed, session);
HYDRA_WIRE(Retried, race, agents, after, warnings);
HYDRA_WIRE(Rated, race, agent, author, rating, score, state, text, ranked_again, winner);
HYDRA_WIRE(TryFrame, agent, port, ended, attempt, reason);
HYDRA_WIRE(Combined, race, agent, commit, after, existing);
HYDRA_WIRE(ConflictText, path, text);
HYDRA_WIRE(ConsentNeeded, kind, paths);
HYDRA_WIRE(LeftOutFiles, what, files, generated);
HYDRA_LIST(Merge) {
  HYDRA_MEMBERS(race, agent, branch, ref, old_commit, new_commit, dry_run, already_merged, conflicts, overlap,
                diff, line_ends_only, left_out, unnamed, consent, changed, signed_, state, note);
  HYDRA_SPARSE(conflict_text, undone, preview, expires_ms);
}
HYDRA_WIRE(Repaired, race, repaired, changed, meanwhile, replaced);
HYDRA_WIRE(Restored, race, restored, brought_back, worktree);
HYDRA_WIRE(TemplateRow, template_, bytes, used_ms, warm, in_use);
HYDRA_WIRE(Templates, templates);
HYDRA_LIST(CleanItem) {
  HYDRA_MEMBERS(kind, race, agent, path, bytes, age_ms, kept);
  HYDRA_SPARSE(lost, left_out);
}
HYDRA_WIRE(CleanPlan, applied, items, templates);
HYDRA_WIRE(Rebuilt, races);
HYDRA_WIRE(Imported, imported, kept);
HYDRA_WIRE(Forgotten, forgotten);

HYDRA_WIRE(TestRow, name, cells, class_);
HYDRA_WIRE(TestTable, columns, rows, counts, next);
HYDRA_WIRE(NamedTest, status, attempt, first, last, message);
HYDRA_WIRE(LintRow, file, line, column, rule, severity, message, new_);
HYDRA_WIRE(LintPage, findings, next);
HYDRA_WIRE(Attempt, attempt, number, subject, kind, purpose, exit_code, started_ms, ended_ms, bytes);
HYDRA_WIRE(Attempts, attempts);
HYDRA_WIRE(LogLines, lines, bytes, every, offsets);
HYDRA_WIRE(DiffFile, path, old, status, binary, added, removed, set_apart, protected_, findings);
HYDRA_WIRE(DiffFiles, commits, files, lines_added, lines_removed);
HYDRA_WIRE(BehaviourRow, test, of, a, b, a_log, b_log);
HYDRA_WIRE(Behaviour, schema, race, a, b, compared, differ);
HYDRA_WIRE(Differences, differences);
HYDRA_WIRE(VerifiedAgent, agent, display, composite, composite_again, unchecked_before, differences);
HYDRA_WIRE(Verification, schema, race, verified_by, state, baseline, agents, identical);

HYDRA_LIST(EndedAgent) {
  HYDRA_MEMBERS(agent, display, state, branch);
  HYDRA_SPARSE(eligible, rank, score);
}
HYDRA_WIRE(EndNotice, schema, event, race, state, task, repository, created_ms, ended_ms, winner, merged,
           agents);

}  // namespace detail

HYDRA_ANSWERS(Waits, Created, Cancelled, Retried, Rated, TryFrame, Combined, Merge, Repaired, Restored,
              Templates, CleanPlan, Rebuilt, Imported, Forgotten, TestTable, NamedTest, LintPage, Attempts,
              LogLines, DiffFiles, Behaviour, Verification, EndNotice)

}  // namespace hydra::wire
