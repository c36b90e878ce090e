// Any bytes through the terminal: cleaned text is plain, and cleaning it again changes nothing.
#include "parsers/input.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view output(reinterpret_cast<const char*>(data), size);
  const auto text = hydra::parsers::plain_text(output);
  if (!hydra::parsers::is_plain(text) || hydra::parsers::plain_text(text) != text) std::abort();
  const auto in = hydra::parsers::make_input(output, {}, {});
  std::size_t n = 0;
  for (const auto line : in.lines) n += line.size();
  for (std::size_t i = in.lines.size(); i-- > 0;) n -= in.lines[i].size();
  if (n != 0) std::abort();
  return 0;
}
