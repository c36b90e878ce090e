#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/left_out.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"

#include <map>

namespace hydra::cli {
namespace {

struct StatusArgs {
  std::string race;
  bool json = false;
};

// Agents of a race have the same dependencies: one line for all that have them.
std::vector<std::string> dependency_lines(const wire::Status& view, const Style& style) {
  std::map<std::vector<std::string>, std::vector<std::string>> agents;
  for (const auto& agent : view.agents)
    if (!agent.dependencies.empty()) agents[agent.dependencies].push_back(style.safe(agent.agent));
  std::vector<std::string> lines;
  for (const auto& [directories, names] : agents)
    lines.push_back(style.fit(join(names, ", ") + (names.size() == 1 ? " has " : " have ") +
                                  style.safe(join(directories, ", ")) + " of the checks' workspace",
                              style.width));
  return lines;
}

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
  for (const auto& line : dependency_lines(view, style)) print_line(style.paint(Paint::dim, line));
  if (view.sandbox == model::Isolation::none)
    print_line(style.paint(Paint::yellow, "Not sandboxed: this race runs without isolation."));
  print(repository_lines(view.repository_changes, style));
  return kDone;
}

}  // namespace

Verb status_verb() {
  return verb_of<StatusArgs>(
      "status", "Show the status of a race (default: the last one of this repository)",
      {"hydra status", "hydra status 01jx4k --json"},
      [](Options& o, StatusArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.flag("--json", args.json, "the status as JSON (docs/api.md)");
      },
      status);
}

}  // namespace hydra::cli
