// daemon/api, inside only: what is read of races.
#pragma once

#include "daemon/api/http.hpp"
#include "daemon/api/route_table.hpp"
#include "race/service.hpp"

#include <string>

namespace hydra::api {

/// The operations that only read races; `name`: an agent or subject, where the path has one.
void answer_of_race(race::Service& service, Operation operation, const std::string& race,
                    const std::string& name, const Request& request, const Reply& reply);

}  // namespace hydra::api
