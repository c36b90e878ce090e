// config, inside the room: one file of toolchains as values.
#pragma once

#include "config/toolchains.hpp"
#include "tables/tree.hpp"

namespace hydra::config {

struct ToolchainFile {
  int order = 50;  ///< 1 to 99: files with less come first
  Toolchains says;
};

/// Views point into the file's texts. Complaints name file, line and column; what is wrong is left out.
ToolchainFile read_toolchain(const tables::Value& file, std::vector<Error>& errors);

}  // namespace hydra::config
