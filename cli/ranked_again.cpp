#include "cli/ranked_again.hpp"

#include "cli/race_ref.hpp"
#include "cli/render/result_block.hpp"

namespace hydra::cli {

Result<int> rank_again(Context& context, const std::string& race, std::string_view path,
                       const std::string& body, bool json,
                       const std::function<std::string(const wire::Results&)>& last) {
  HYDRA_TRY(const auto target, race_target(race, working_directory(), path));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto answer, client.call("POST", target, body));
  HYDRA_TRY(const auto view, wire::from_json<wire::Results>(answer));
  if (json) {
    print_line(with_schema(answer));
  } else {
    print(result_block(view, context.out()));
    print_line(last(view));
  }
  return result_exit(view);
}

}  // namespace hydra::cli
