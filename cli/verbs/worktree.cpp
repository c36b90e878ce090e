#include "base/paths.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "cli/waiting.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

namespace hydra::cli {
namespace {

struct WorktreeArgs {
  std::string agent;
  bool json = false;
};

Result<int> worktree(const WorktreeArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto ref, resolve_agent(client, args.agent));
  HYDRA_TRY(const auto target, race_target(ref.race, working_directory(), "/restore"));
  wire::RestoreRequest asked;
  asked.agent = ref.agent;
  HYDRA_TRY(const auto body, call_in_turn(context, client, target, asked));
  HYDRA_TRY(const auto made, wire::from_json<wire::Restored>(body));
  return say(args.json ? with_schema(body) : made.worktree);
}

}  // namespace

Verb worktree_verb() {
  return verb_of<WorktreeArgs>(
      "worktree",
      "Print the directory in which an agent of a race that has ended worked; what is gone or an overlay "
      "is made "
      "a directory again",
      {"cd \"$(hydra worktree codex)\"", "code \"$(hydra worktree 01jx4k/claude-2)\""},
      [](Options& o, WorktreeArgs& args) {
        o.positional("agent", args.agent, true, "name in the last race, RACE/AGENT or a branch");
        o.flag("--json", args.json, "JSON with race, worktree and whether it was made");
      },
      worktree);
}

}  // namespace hydra::cli
