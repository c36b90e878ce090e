// config, inside the room: reads one toolchain file into values.
#pragma once

#include "config/toolchains.hpp"
#include "tables/tree.hpp"

namespace hydra::config {

struct ToolchainFile {
  int order = 50;  ///< 1 to 99: files with lower values come first
  Toolchains says;
};

/// Reads a file; views point into its texts. Wrong entries are left out, with file, line and column in
/// `errors`.
ToolchainFile read_toolchain(const tables::Value& file, std::vector<Error>& errors);

}  // namespace hydra::config
