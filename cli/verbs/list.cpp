#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "wire/json.hpp"
#include "wire/status.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

struct ListArgs {
  bool json = false, all = false;
};

int list(const ListArgs& args, Context& context) {
  std::string target = "/v1/races";
  const auto root = find_repository(working_directory());
  if (root && !args.all) target += "?repository=" + client::url_encode(root->string());
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto body = client->call("GET", target);
  if (!body) return context.fail(body.error());
  if (args.json) {
    print_line(with_schema(*body));
    return kDone;
  }
  const auto list = wire::from_json<wire::RaceList>(*body);
  if (!list) return context.fail(list.error());
  const auto& style = context.out();
  if (list->races.empty()) print_line("No races yet. Start one: hydra race \"what the agents should do\"");
  const std::size_t width = style.width == 0 ? 120 : style.width;
  for (const auto& row : list->races) {
    const auto race = pad(style.safe(row.race), 10), state = pad(style.safe(row.state), 9);
    const auto winner = pad(style.safe(row.winner.empty() ? "-" : row.winner), 8);
    const auto disk =
        row.disk_bytes ? fmt::format("{:.1f} MB", static_cast<double>(*row.disk_bytes) / 1e6) : std::string();
    // The date and the disk are what a narrow terminal does without.
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
  auto args = std::make_shared<ListArgs>();
  return {"list",
          "The races of this repository, newest first",
          {"hydra list", "hydra list --all", "hydra list --json | jq -r '.races[].race'"},
          [args](Options& o) {
            o.flag("--all", args->all, "races of every repository");
            o.flag("--json", args->json, "the list as JSON (docs/api.md)");
          },
          [args](Context& context) { return list(*args, context); },
          {}};
}

}  // namespace hydra::cli
