#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "wire/json.hpp"
#include "wire/status.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

struct ListArgs {
  bool json = false, all = false;
};

Result<int> list(const ListArgs& args, Context& context) {
  std::string target = "/v1/races";
  const auto root = find_repository(working_directory());
  if (root && !args.all) target += "?repository=" + client::url_encode(root->string());
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto body, client.call("GET", target));
  if (args.json) return print_json(body);
  HYDRA_TRY(const auto list, wire::from_json<wire::RaceList>(body));
  const auto& style = context.out();
  if (list.races.empty()) print_line("No races yet. Start one: hydra race \"what the agents should do\"");
  const std::size_t width = style.width == 0 ? 120 : style.width;
  for (const auto& row : list.races) {
    const auto race = pad(style.safe(row.race), 10), state = pad(style.safe(row.state), 9);
    const auto winner = pad(style.safe(row.winner.empty() ? "-" : row.winner), 8);
    const auto disk =
        row.disk_bytes ? fmt::format("{:.1f} MB", static_cast<double>(*row.disk_bytes) / 1e6) : std::string();
    // A narrow terminal omits date and disk usage.
    auto text = width >= 80 ? fmt::format("{}  {}  {}  {}  {:>9}  ", race, format_utc(row.created_ms), state,
                                          winner, disk)
                : width >= 50 ? fmt::format("{}  {}  {}  ", race, state, winner)
                              : fmt::format("{}  {}  ", race, state);
    const auto used = display_width(text);
    text += style.fit(row.task, width > used + 10 ? width - used : 10);
    print_line(text);
    if (args.all) print_line("            " + style.safe(row.repository));
  }
  return kDone;
}

}  // namespace

Verb list_verb() {
  return verb_of<ListArgs>(
      "list", "The races of this repository, newest first",
      {"hydra list", "hydra list --all", "hydra list --json | jq -r '.races[].race'"},
      [](Options& o, ListArgs& args) {
        o.flag("--all", args.all, "races of every repository");
        o.flag("--json", args.json, "the list as JSON (docs/api.md)");
      },
      list);
}

}  // namespace hydra::cli
