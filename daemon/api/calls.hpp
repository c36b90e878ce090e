// daemon/api, inside only: what the verbs of the service are called with, out of bodies.
#pragma once

#include "race/service.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hydra::api {

Result<race::CreateRequest> to_create(const nlohmann::json& body);
Result<race::MergeCall> to_merge(const nlohmann::json& body);
Result<race::RateCall> to_rate(const std::string& race, const nlohmann::json& body);
Result<race::DecideCall> to_decide(const std::string& race, const nlohmann::json& body);
Result<race::MeasureCall> to_measure(const std::string& race, const nlohmann::json& body);
Result<race::RetryCall> to_retry(const std::string& race, const nlohmann::json& body);
Result<race::CombineCall> to_combine(const nlohmann::json& body);
/// Without `race`: the caller finds it.
Result<race::CleanCall> to_clean(const nlohmann::json& body);

}  // namespace hydra::api
