#include "race/agents/tries.hpp"

#include "race/limits/reserve.hpp"

#include <fmt/format.h>

#include <cerrno>

namespace hydra::race {

int tries_of(const Error& error, bool cancelled) {
  constexpr int kFew = 5, kTenMinutes = 600;
  switch (error.number) {
    case ENOSPC:
    case EDQUOT:
      return cancelled ? kFew : kTenMinutes;
    case EIO:
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
      return kFew;
    default:
      return 1;
  }
}

std::string tried_again(const std::string& what, const Error& error, const std::filesystem::path& directory) {
  const auto lack = lack_of_room(directory);
  return lack.empty() ? fmt::format("{} is tried again every second: {}", what, describe(error))
                      : fmt::format("{} waits for room: {}", what, lack);
}

}  // namespace hydra::race
