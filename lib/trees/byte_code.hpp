// trees: what the base's own checks compiled of installed Python modules, kept beside its template. Checks
// read no byte code of the tree (PYTHONPYCACHEPREFIX), and would compile the standard library anew each time.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace hydra::trees {

/// Below $HOME: where interpreters put byte code in checks.
inline constexpr const char* kByteCode = ".cache/hydra/python";

/// The layer for the home of a job of `kind` ("tests", "build", "lint"; any other has that of the tests);
/// empty: none is there yet.
std::filesystem::path byte_code_layer(const std::filesystem::path& kept, const std::string& kind);

/// Takes the byte code out of the home's layer that a job of the base has left, unless there is some of its
/// kind. What belongs to the tree itself is dropped: its sources may be changed within a second to others of
/// the same size, which interpreters do not notice. `tree`: where the job saw it. Blocking.
Result<void> keep_byte_code(const std::filesystem::path& home_layer, const std::filesystem::path& kept,
                            const std::string& kind, const std::filesystem::path& tree);

}  // namespace hydra::trees
