// Paths of the tests' data, documents and programs. A single small source knows the paths of this checkout,
// so that the tests themselves compile to the same bytes in every checkout and come out of the compiler's
// cache.
#pragma once

#include <string>
#include <string_view>

namespace hydra::places {

/// tests/golden, and `below` it ("/streams").
std::string golden(std::string_view below = {});
/// The root of the sources.
std::string source(std::string_view below = {});
/// The directory of the built hydra, hydrad and hydra-shim.
std::string binaries(std::string_view below = {});

}  // namespace hydra::places
