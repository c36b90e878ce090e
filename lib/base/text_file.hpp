// base: a file that was read.
#pragma once

#include <string>

namespace hydra {

struct TextFile {
  std::string name, text;
};

}  // namespace hydra
