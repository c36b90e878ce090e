// cli: requests to the daemon whose answers are plain structs.
#pragma once

#include "client/client.hpp"
#include "wire/json.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns "/v1/races/RACE/WHAT/WHOSE", without empty parts.
inline std::string race_path(std::string_view race, std::string_view what = {}, std::string_view whose = {}) {
  auto path = "/v1/races/" + client::url_encode(race);
  if (!what.empty()) path.append("/").append(what);
  return whose.empty() ? path : path + "/" + client::url_encode(whose);
}

template <class T>
Result<T> get(client::Client& client, const std::string& target) {
  HYDRA_TRY(const auto body, client.call("GET", target));
  return wire::from_json<T>(body);
}

template <class T, class Request>
Result<T> post(client::Client& client, const std::string& target, const Request& request) {
  HYDRA_TRY(const auto body, client.call("POST", target, wire::to_json(request)));
  return wire::from_json<T>(body);
}

/// Parses an answer that must name its race, else `protocol`.
template <class T>
Result<T> with_race(std::string_view body) {
  auto answer = wire::from_json<T>(body);
  if (answer.ok() && answer->race.empty())
    return Error{Errc::protocol, "the daemon did not name the race", {}, {}};
  return answer;
}

}  // namespace hydra::cli
