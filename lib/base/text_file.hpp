// base: a file's name and text.
#pragma once

#include <string>

namespace hydra {

struct TextFile {
  std::string name, text;
};

}  // namespace hydra
