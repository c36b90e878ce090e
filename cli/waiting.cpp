#include "cli/waiting.hpp"

#include "cli/render/views.hpp"

#include <chrono>

namespace hydra::cli {

Result<std::string> call_in_turn(Context& context, client::Client& client, std::string_view target,
                                 const BodyByWait& body) {
  HYDRA_TRY(auto answer, client.call("POST", target, body(false)));
  const auto other = waits_for(answer);
  if (other.empty()) return answer;
  context.warn("waits for " + context.err().safe(other) + " to end");
  client.set_timeout(std::chrono::hours(1));
  return client.call("POST", target, body(true));
}

}  // namespace hydra::cli
