// cli: the daemon asked for an answer of which every member is known.
#pragma once

#include "client/client.hpp"
#include "wire/json.hpp"

#include <string>

namespace hydra::cli {

template <class T>
Result<T> get(client::Client& client, const std::string& target) {
  HYDRA_TRY(const auto body, client.call("GET", target));
  return wire::from_json<T>(body);
}

}  // namespace hydra::cli
