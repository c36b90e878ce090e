// cli: calls that have to wait for a merge of the same repository, and say so.
#pragma once

#include "cli/context.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"

#include <chrono>
#include <string>

namespace hydra::cli {

/// POST of a request that shall not wait. Where it would have to the person is told for what, and it is sent
/// once more, which may take an hour. Gives the answer as it came.
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
