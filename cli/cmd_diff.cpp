#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"

namespace hydra::cli {
namespace {

struct DiffArgs {
  std::string agent;
  bool json = false;
};

Paint paint_of(std::string_view line) {
  if (line.starts_with("+++") || line.starts_with("---") || line.starts_with("diff ")) return Paint::bold;
  if (line.starts_with("@@")) return Paint::cyan;
  if (line.starts_with("+")) return Paint::green;
  return line.starts_with("-") ? Paint::red : Paint::plain;
}

// A terminal gets colours and no control characters; anything else gets the bytes, so that `git apply` takes
// them.
std::string shown(const std::string& diff, const Style& style) {
  if (style.width == 0 && !style.colour) return diff;
  std::string out;
  for (const auto line : lines(diff)) {
    auto text = sanitize(line, true);
    if (!style.utf8) text = style.safe(text);
    out += style.paint(paint_of(line), text) + "\n";
  }
  return out;
}

int diff(const DiffArgs& args, Context& context) {
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto ref = resolve_agent(*client, args.agent);
  if (!ref) return context.fail(ref.error());
  const auto body = client->call(
      "GET", "/v1/races/" + client::url_encode(ref->race) + "/diff/" + client::url_encode(ref->agent));
  if (!body) return context.fail(body.error());
  if (args.json)
    print_line("{\"schema\":1,\"race\":" + json_string(ref->race) + ",\"agent\":" + json_string(ref->agent) +
               ",\"diff\":" + json_string(*body) + "}");
  else
    print(shown(*body, context.out()));
  return kDone;
}

}  // namespace

Verb diff_verb() {
  auto args = std::make_shared<DiffArgs>();
  return {"diff",
          "What an agent changed, as a unified diff",
          {"hydra diff codex", "hydra diff 01jx4k/codex", "hydra diff codex-1708646400 | git apply --check"},
          [args](Options& o) {
            o.positional("agent", args->agent, true, "name in the last race, RACE/AGENT, or a branch");
            o.flag("--json", args->json, "as one JSON object (docs/results.md)");
          },
          [args](Context& context) { return diff(*args, context); },
          {}};
}

}  // namespace hydra::cli
