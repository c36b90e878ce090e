// Fuzz target: an agent's output of any bytes, whole and in pieces. Both readings must agree.
#include "adapters/adapters.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto& agents = hydra::adapters::builtin();
  const auto& descriptor = std::next(agents.begin(), data[0] % static_cast<long>(agents.size()))->second;
  const std::size_t piece = data[1] + 1u;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  hydra::adapters::StreamReader whole(descriptor);
  whole.feed(text);
  whole.finish();
  hydra::adapters::StreamReader parts(descriptor);
  for (std::size_t at = 0; at < text.size(); at += piece) parts.feed(text.substr(at, piece));
  parts.finish();
  if (whole.summary().events != parts.summary().events) __builtin_trap();
  if (whole.summary().terminal != parts.summary().terminal) __builtin_trap();
  hydra::adapters::RunEnd end;
  end.how = hydra::adapters::RunEnd::How::exited;
  (void)hydra::adapters::judge(descriptor, whole, end);
  return 0;
}
