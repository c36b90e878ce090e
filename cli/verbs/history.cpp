#include "cli/context.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"

#include <memory>

namespace hydra::cli {
namespace {

struct HistoryArgs {
  bool json = false;
};

int rebuild(const HistoryArgs& args, Context& context) {
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  client->set_timeout(std::chrono::minutes(60));
  const auto body = client->call("POST", "/v1/history/rebuild", "{}");
  if (!body) return context.fail(body.error());
  if (args.json) {
    print_line(with_schema(*body));
    return kDone;
  }
  const auto rebuilt = wire::from_json<wire::Rebuilt>(*body);
  if (!rebuilt) return context.fail(rebuilt.error());
  const auto races = rebuilt->races;
  print_line("The history has " + std::to_string(races) + (races == 1 ? " race." : " races."));
  return kDone;
}

}  // namespace

Verb history_verb() {
  auto args = std::make_shared<HistoryArgs>();
  Verb child{"rebuild",
             "Rebuild the history from the events of all races",
             {"hydra history rebuild"},
             [args](Options& o) { o.flag("--json", args->json, "{schema, races}"); },
             [args](Context& context) { return rebuild(*args, context); },
             {}};
  return {"history",
          "What is remembered of ended races; `hydra leaderboard` and `hydra export` read it",
          {"hydra history rebuild", "hydra export --format jsonl   # what it holds", "hydra clean --history"},
          {},
          {},
          {child}};
}

}  // namespace hydra::cli
