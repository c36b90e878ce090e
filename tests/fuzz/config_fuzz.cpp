// Fuzz target: hydra.toml and agent lists of any bytes. Whatever they say, there is an answer and no crash.
#include "adapters/adapters.hpp"
#include "config/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto loaded = hydra::config::load({{"hydra.toml", text}}, hydra::adapters::builtin());
  for (const auto& error : loaded.errors)
    if (error.message.empty()) __builtin_trap();
  (void)hydra::config::parse_agents(text, {"claude", "codex"});
  return 0;
}
