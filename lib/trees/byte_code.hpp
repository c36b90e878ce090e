// trees: byte code of installed Python modules, compiled by the base's own checks and kept beside its
// template. Checks read no byte code of the tree (PYTHONPYCACHEPREFIX), and would otherwise compile the
// standard library each time.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace hydra::trees {

/// Directory below $HOME where interpreters put byte code in checks.
inline constexpr const char* kByteCode = ".cache/hydra/python";

/// The home's layer for a job of `kind` ("tests", "build", "lint"; other kinds use that of "tests"); empty:
/// none kept yet.
std::filesystem::path byte_code_layer(const std::filesystem::path& kept, const std::string& kind);

/// Moves byte code from the home layer of a finished job of the base to `kept`, unless its kind has some.
/// Byte code of the tree itself is dropped: its sources may change within a second to others of equal size,
/// which interpreters do not notice. `tree`: the tree's path in the job. Blocking.
Result<void> keep_byte_code(const std::filesystem::path& home_layer, const std::filesystem::path& kept,
                            const std::string& kind, const std::filesystem::path& tree);

}  // namespace hydra::trees
