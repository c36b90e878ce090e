// twin_text twin|copy NAME SEED: a test file from standard input, as twins of a race would have it; exit 3
// where it can't be read. For bench/twins.py.
#include "base/strings.hpp"
#include "source/twin.hpp"

#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string text((std::istreambuf_iterator<char>(std::cin)), {});
  const auto seed = static_cast<std::uint64_t>(hydra::parse_int(argv[3]).value_or(1));
  if (std::string(argv[1]) == "copy") {
    const auto copy = hydra::source::moved_copy(argv[2], text, seed);
    if (copy) std::cout << *copy;
    return copy ? 0 : 3;
  }
  const auto made = hydra::source::twin(argv[2], text, seed);
  if (!made) return 3;
  std::cout << made->text;
  std::cerr << made->assertions << "\n";
  return 0;
}
