// base: names of the work on the daemon's loop, for its watchdog (daemon/main.cpp).
#pragma once

#include <string>
#include <string_view>

namespace hydra {

/// The work that this thread's handler has done so far; the watchdog clears the text before each handler.
inline thread_local std::string loop_work;

inline void name_loop_work(std::string_view name) {
  constexpr std::size_t kMost = 300;
  if (loop_work.size() >= kMost) return;
  if (!loop_work.empty()) loop_work += ", ";
  loop_work += name.substr(0, kMost);
}

}  // namespace hydra
