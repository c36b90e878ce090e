// Any bytes as lines of `hydra score`. The first byte chooses the system. Every line has exactly one answer,
// an object that reads back; bytes that were cut anywhere else give the same answers.
#include "cli/score/functions.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace score = hydra::cli::score;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto& system = score::systems()[data[0] % score::systems().size()];
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (line.find('\n') != std::string_view::npos) return 0;
  static score::Document document;
  std::string out;
  const bool good = score::answer(system, line, document, out);
  if (out.empty() || out.find('\n') != out.size() - 1) __builtin_trap();
  const auto answer = nlohmann::json::parse(out, nullptr, false);
  if (!answer.is_object()) __builtin_trap();
  if (!good && (answer.size() != 2 || !answer["error"].is_string() || !answer["message"].is_string()))
    __builtin_trap();
  if (good && system.name == "reward" && answer.contains("reward") &&
      std::fabs(answer["reward"].get<double>()) > 2)
    __builtin_trap();
  // The memory that is kept from line to line changes nothing.
  score::Document fresh;
  std::string again;
  if (score::answer(system, line, fresh, again) != good || again != out) __builtin_trap();
  return 0;
}
