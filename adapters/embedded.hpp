// adapters: the descriptor files and the price table that the build embeds.
#pragma once

#include <cstddef>

struct EmbeddedFile {
  const char* name;
  const char* text;
};
extern const EmbeddedFile kDescriptors[];
extern const std::size_t kDescriptors_count;
extern const EmbeddedFile kPrices[];
extern const std::size_t kPrices_count;
