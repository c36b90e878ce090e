#include "exec/started.hpp"

#include <mutex>

namespace hydra::exec {
namespace {

// Names may come from the user's configuration, so their number is bounded.
constexpr std::size_t kMostNames = 64;

std::mutex started_lock;
std::map<std::string, std::uint64_t> started_counts;

}  // namespace

std::map<std::string, std::uint64_t> started_programs() {
  const std::lock_guard hold(started_lock);
  return started_counts;
}

void count_started(std::string_view program) {
  const std::string name(program.substr(program.rfind('/') + 1));
  const std::lock_guard hold(started_lock);
  if (started_counts.size() < kMostNames || started_counts.contains(name)) ++started_counts[name];
}

}  // namespace hydra::exec
