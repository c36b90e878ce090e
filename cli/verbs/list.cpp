#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "wire/json.hpp"
#include "wire/status.hpp"

#include <fmt/format.h>

#include <iterator>

namespace hydra::cli {
namespace {

struct ListArgs {
  bool json = false, all = false;
  int limit = 30;
};

Result<int> list(const ListArgs& args, Context& context) {
  const auto root = find_repository(working_directory());
  const auto place = root && !args.all ? "&repository=" + client::url_encode(root->string()) : "";
  HYDRA_TRY(auto client, context.daemon());
  wire::RaceList list;
  list.next = "0";
  while (list.next && list.races.size() < static_cast<std::size_t>(args.limit)) {
    const auto more = static_cast<std::size_t>(args.limit) - list.races.size();
    HYDRA_TRY(const auto body,
              client.call("GET", fmt::format("/v1/races?limit={}&cursor={}{}", more, *list.next, place)));
    HYDRA_TRY(auto page, wire::from_json<wire::RaceList>(body));
    std::move(page.races.begin(), page.races.end(), std::back_inserter(list.races));
    list.next = page.next;
    list.total = page.total;
  }
  if (args.json) return print_json(wire::to_json(list));
  const auto& style = context.out();
  if (list.races.empty()) print_line("No races yet. Start one: hydra race \"what the agents should do\"");
  const std::size_t width = style.width == 0 ? 120 : style.width;
  for (const auto& row : list.races) {
    const auto race = pad(style.safe(row.race), 10), state = pad(std::string(name(row.state)), 9);
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
  if (list.next)
    print_line(
        fmt::format("{} of {} races; --limit {} shows all", list.races.size(), list.total, list.total));
  return kDone;
}

}  // namespace

Verb list_verb() {
  return verb_of<ListArgs>(
      "list", "The races of this repository, newest first",
      {"hydra list", "hydra list --all", "hydra list --json | jq -r '.races[].race'"},
      [](Options& o, ListArgs& args) {
        o.flag("--all", args.all, "races of every repository");
        o.number("--limit", args.limit, 1, 1'000'000, "how many at most (default: 30)");
        o.flag("--json", args.json, "the list as JSON (docs/api.md)");
      },
      list);
}

}  // namespace hydra::cli
