// daemon: what a daemon that waits need not hold.
#pragma once

#include <cstddef>

namespace hydra {

/// Gives back memory that is free, and the pages of programs and libraries, which come again from the page
/// cache when they are touched. Costs some hundred page faults later.
void give_back_memory();

/// Of this process, bytes; 0: not known.
std::size_t resident_bytes();

}  // namespace hydra
