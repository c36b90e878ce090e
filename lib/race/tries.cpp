#include "race/tries.hpp"

#include "race/reserve.hpp"

#include <fmt/format.h>

#include <string_view>

namespace hydra::race {

int tries_of(const Error& error, bool cancelled) {
  const auto says = [&](std::string_view words) { return error.message.find(words) != std::string::npos; };
  constexpr int kFew = 5, kTenMinutes = 600;
  if (says("No space left on device") || says("Disk quota exceeded")) return cancelled ? kFew : kTenMinutes;
  for (const auto* words : {"Input/output error", "Resource temporarily unavailable",
                            "Cannot allocate memory", "Too many open files"})
    if (says(words)) return kFew;
  return 1;
}

std::string tried_again(const std::string& what, const Error& error, const std::filesystem::path& directory) {
  const auto lack = lack_of_room(directory);
  return lack.empty() ? fmt::format("{} is tried again every second: {}", what, describe(error))
                      : fmt::format("{} waits for room: {}", what, lack);
}

}  // namespace hydra::race
