// daemon/api, inside only: what a verb of the service gives, as an answer.
#pragma once

#include "daemon/api/http.hpp"
#include "wire/json.hpp"

#include <string>
#include <type_traits>

namespace hydra::api {

template <class T>
void answer(const Result<T>& result, const Reply& reply, int status = 200) {
  if (!result.ok()) return reply.respond(error_response(result.error()));
  if constexpr (std::is_same_v<T, std::string>)
    reply.respond(json_response(*result, status));
  else
    reply.respond(json_response(wire::to_json(*result), status));
}

}  // namespace hydra::api
