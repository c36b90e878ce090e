#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/left_out.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"

namespace hydra::cli {
namespace {

struct StatusArgs {
  std::string race;
  bool json = false;
};

Result<int> status(const StatusArgs& args, Context& context) {
  HYDRA_TRY(const auto target, race_target(args.race, working_directory()));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto body, client.call("GET", target));
  if (args.json) return print_json(body);
  HYDRA_TRY(const auto view, wire::from_json<wire::Status>(body));
  Style style = context.out();
  if (style.width == 0) style.width = 120;
  for (const auto& line : live_table(view, style, 0, 0)) print_line(line);
  for (const auto& agent : view.agents)
    if (const auto left = left_out_text(agent.left_out, style); !left.empty())
      print_line(style.paint(Paint::dim,
                             style.fit("left out of " + style.safe(agent.agent) + ": " + left, style.width)));
  if (view.sandbox == "none")
    print_line(style.paint(Paint::yellow, "Not sandboxed: this race runs without isolation."));
  print(repository_lines(view.repository_changes, style));
  return kDone;
}

}  // namespace

Verb status_verb() {
  return verb_of<StatusArgs>(
      "status", "What a race is doing now (default: the last one of this repository)",
      {"hydra status", "hydra status 01jx4k --json"},
      [](Options& o, StatusArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.flag("--json", args.json, "the status as JSON (docs/api.md)");
      },
      status);
}

}  // namespace hydra::cli
