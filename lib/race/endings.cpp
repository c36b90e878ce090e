#include "race/endings.hpp"

#include <fmt/format.h>

namespace hydra::race {

double set_up_seconds(const model::Config& config) { return 5 * config.scoring.timeout_per_check_seconds; }

std::string over_time(const model::Config& config, std::string_view kind, const exec::JobResult& result) {
  if (result.end != exec::End::timed_out) return {};
  const bool check = kind == "build" || kind == "tests" || kind == "lint";
  if (check)
    return fmt::format("longer than {:g} s ([scoring] timeout_per_check_seconds)",
                       config.scoring.timeout_per_check_seconds);
  return fmt::format("longer than {:g} s, five times [scoring] timeout_per_check_seconds",
                     set_up_seconds(config));
}

std::string how_it_ended(const model::Config& config, const std::string& what, std::string_view kind,
                         const exec::JobResult& result) {
  std::string text;
  if (result.end == exec::End::exited)
    text = fmt::format("{} ended with exit code {}", what, result.code);
  else if (const auto late = over_time(config, kind, result); !late.empty())
    text = what + " took " + late;
  else
    text = fmt::format("{} {}", what, name(result.end));
  return result.message.empty() ? text : text + ": " + result.message;
}

exec::JobResult not_started(const std::string& key, const std::string& why) {
  exec::JobResult result;
  result.key = key;
  result.end = exec::End::start_failed;
  result.message = why;
  return result;
}

}  // namespace hydra::race
