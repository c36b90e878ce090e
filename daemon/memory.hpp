// daemon: releases memory that an idle daemon does not need.
#pragma once

#include <cstddef>

namespace hydra {

/// Returns free memory to the kernel, and drops pages of programs and libraries, which the page cache
/// restores on access. Costs some hundred page faults later.
void give_back_memory();

/// Returns the resident memory of this process in bytes; 0: not known.
std::size_t resident_bytes();

}  // namespace hydra
