#include "base/paths.hpp"
#include "cli/ask.hpp"
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

int worktree(const WorktreeArgs& args, Context& context) {
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto ref = resolve_agent(*client, args.agent);
  if (!ref) return context.fail(ref.error());
  const auto target = race_target(ref->race, working_directory(), "/restore");
  if (!target) return context.fail(target.error());
  wire::RestoreRequest asked;
  asked.agent = ref->agent;
  const auto body = call_in_turn(context, *client, *target, asked);
  if (!body) return context.fail(body.error());
  const auto made = wire::from_json<wire::Restored>(*body);
  if (!made) return context.fail(made.error());
  print_line(args.json ? with_schema(*body) : made->worktree);
  return kDone;
}

}  // namespace

Verb worktree_verb() {
  auto args = std::make_shared<WorktreeArgs>();
  return {"worktree",
          "Print the directory in which an agent of a race that has ended worked; what is gone or an overlay "
          "is made "
          "a directory again",
          {"cd \"$(hydra worktree codex)\"", "code \"$(hydra worktree 01jx4k/claude-2)\""},
          [args](Options& o) {
            o.positional("agent", args->agent, true, "name in the last race, RACE/AGENT or a branch");
            o.flag("--json", args->json, "JSON with race, worktree and whether it was made");
          },
          [args](Context& context) { return worktree(*args, context); },
          {}};
}

}  // namespace hydra::cli
