#include "support/places.hpp"

namespace hydra::places {

std::string golden(std::string_view below) { return HYDRA_SOURCE_DIR "/tests/golden" + std::string(below); }
std::string source(std::string_view below) { return HYDRA_SOURCE_DIR + std::string(below); }
std::string binaries(std::string_view below) { return HYDRA_BIN_DIR + std::string(below); }

}  // namespace hydra::places
