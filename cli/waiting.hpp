// cli: requests that may wait for a merge of the same repository, with a message to the user.
#pragma once

#include "cli/context.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"

#include <chrono>
#include <string>

namespace hydra::cli {

/// Posts a request that does not wait; if it would have to, tells the user the reason and repeats it with up
/// to an hour's wait. Returns the raw answer.
template <class Request>
Result<std::string> call_in_turn(Context& context, client::Client& client, const std::string& target,
                                 Request request) {
  request.wait = false;
  HYDRA_TRY(auto answer, client.call("POST", target, wire::to_json(request)));
  const auto other = wire::from_json<wire::Waits>(answer);
  if (!other.ok() || other->waits_for.empty()) return answer;
  context.warn("waits for " + context.err().safe(other->waits_for) + " to end");
  client.set_timeout(std::chrono::hours(1));
  request.wait = true;
  return client.call("POST", target, wire::to_json(request));
}

}  // namespace hydra::cli
