#include "cli/ranked_again.hpp"

#include "cli/race_ref.hpp"
#include "cli/render/result_block.hpp"

namespace hydra::cli {

int rank_again(Context& context, const std::string& race, std::string_view path, const std::string& body,
               bool json, const std::function<std::string(const wire::Results&)>& last) {
  const auto target = race_target(race, working_directory(), path);
  if (!target) return context.fail(target.error());
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto answer = client->call("POST", *target, body);
  if (!answer) return context.fail(answer.error());
  const auto view = wire::from_json<wire::Results>(*answer);
  if (!view) return context.fail(view.error());
  if (json) {
    print_line(with_schema(*answer));
  } else {
    print(result_block(*view, context.out()));
    print_line(last(*view));
  }
  return result_exit(*view);
}

}  // namespace hydra::cli
