#include "cli/context.hpp"
#include "cli/views.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace hydra::cli {
namespace {

struct Args {
  bool yes = false, json = false;
};

std::string age(std::int64_t used_ms) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const auto hours = (now.count() - used_ms) / 3'600'000;
  return hours < 48 ? fmt::format("{} h", hours) : fmt::format("{} days", hours / 24);
}

int clean(const Args& args, Context& context) {
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto body = args.yes ? client->call("POST", "/v1/clean", "{}") : client->call("GET", "/v1/templates");
  if (!body) return context.fail(body.error());
  if (args.json) {
    print_line(*body);
    return kDone;
  }
  const auto rows = parse_templates(*body);
  if (!rows) return context.fail(rows.error());
  std::int64_t bytes = 0;
  std::size_t unused = 0;
  for (const auto& row : *rows) {
    print_line(fmt::format("  {:>9.1f} MB  used {} ago  template {}{}", static_cast<double>(row.bytes) / 1e6,
                           age(row.used_ms), context.out().safe(row.name), row.in_use ? "  (in use)" : ""));
    if (row.in_use) continue;
    ++unused;
    bytes += row.bytes;
  }
  const auto what = fmt::format("{} template{} of check workspaces, {:.1f} MB", unused,
                                unused == 1 ? "" : "s", static_cast<double>(bytes) / 1e6);
  if (unused == 0)
    print_line("Nothing to clean.");
  else if (args.yes)
    print_line("Removed: " + what + ". The next race makes what it needs again.");
  else
    print_line("`hydra clean --yes` removes " + what + ".");
  return kDone;
}

}  // namespace

Verb clean_verb() {
  auto args = std::make_shared<Args>();
  return {"clean",
          "Templates of check workspaces that are kept for later races: show them, or remove them with --yes",
          {"hydra clean", "hydra clean --yes"},
          [args](Options& o) {
            o.flag("--yes,-y", args->yes, "remove what no race uses now");
            o.flag("--json", args->json, "the daemon's answer as JSON (docs/api.md)");
          },
          [args](Context& context) { return clean(*args, context); },
          {}};
}

}  // namespace hydra::cli
