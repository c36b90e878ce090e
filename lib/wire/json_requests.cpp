// Members of requests: requests.hpp.
#include "wire/request_members.hpp"
#include "wire/requests.hpp"

namespace hydra::wire {
namespace detail {

HYDRA_LIST(Nothing) {}
HYDRA_LIST(model::AgentEntry) {
  HYDRA_REQUIRED(name, id);
  HYDRA_MEMBERS(model, entry, attempt);
}
HYDRA_LIST(RaceRequest) {
  HYDRA_REQUIRED(directory, task, agents, config, environment);
  HYDRA_MEMBERS(id, base, kind, until, labels, include_dirty, fresh_baseline, base_fails, check_only,
                auto_merge, rounds);
}
HYDRA_LIST(AgentsRequest) {
  HYDRA_LOCAL(environment);
  HYDRA_LOCAL_SPARSE(config);
  HYDRA_SPARSE(probe, only);
}
HYDRA_LIST(DoctorRequest) {
  HYDRA_MEMBERS(directory);
  HYDRA_LOCAL(environment);
}
HYDRA_LIST(MergeRequest) {
  HYDRA_MEMBERS(directory, message, expected_ref, dry_run, squash, ff, ff_only, undo, wait, accept_changes,
                repair_changes, allow, without, with_generated);
  HYDRA_LOCAL(target, repair_only, parts, environment);
  HYDRA_SPARSE(race, agent, preview);
}
HYDRA_LIST(CombineRequest) { HYDRA_REQUIRED(parts, directory); }
HYDRA_LIST(ReviewComment) {
  HYDRA_REQUIRED(path, line, text);
  HYDRA_MEMBERS(end, at);
}
HYDRA_LIST(RetryRequest) {
  HYDRA_REQUIRED(agents);
  HYDRA_MEMBERS(message, review, reviewed);
  HYDRA_LOCAL(environment);
  HYDRA_SPARSE(budget_usd, budget_tokens);
}
HYDRA_WIRE(CancelRequest, agent);
HYDRA_WIRE(RescoreRequest, weights);
HYDRA_LIST(ApproveRequest) {
  HYDRA_SPARSE(tests, deleted);
  HYDRA_LOCAL_SPARSE(accept, unprotected);
  HYDRA_LOCAL(author);
}
HYDRA_LIST(RateRequest) {
  HYDRA_REQUIRED(agent, rating);
  HYDRA_MEMBERS(note);
  HYDRA_LOCAL(author);
}
HYDRA_LIST(TryRequest) {
  HYDRA_REQUIRED(agents);
  HYDRA_LOCAL(run, environment);
}
HYDRA_WIRE(RestoreRequest, wait, agent);
HYDRA_LIST(CleanRequest) {
  HYDRA_MEMBERS(apply, wait, race, older_than_ms, keep_ms, min_bytes, uncaptured);
  HYDRA_LOCAL_SPARSE(repository);
  HYDRA_SPARSE(only);
}
HYDRA_WIRE(ShutdownRequest, drain);
HYDRA_LIST(UiRequest) {
  HYDRA_MEMBERS(port, allow_ports, environment);
  HYDRA_SPARSE(race);
}
HYDRA_LIST(SessionRequest) { HYDRA_REQUIRED(code); }
HYDRA_LIST(ImportRequest) {
  HYDRA_REQUIRED(lines);
  HYDRA_MEMBERS(first);
}
HYDRA_WIRE(ForgetRequest, race);

}  // namespace detail

HYDRA_REQUESTS(Nothing, RaceRequest, AgentsRequest, DoctorRequest, MergeRequest, CombineRequest, RetryRequest,
               CancelRequest, RescoreRequest, ApproveRequest, RateRequest, TryRequest, RestoreRequest,
               CleanRequest, ShutdownRequest, UiRequest, SessionRequest, ImportRequest, ForgetRequest)

}  // namespace hydra::wire
