// Any bytes through parse_tests and parse_lint. The first byte is the exit code, the rest is the output.
#include "parsers/parsers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const hydra::parsers::ExitFacts exit{data[0], {}};
  const std::string_view output(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto tests = hydra::parsers::parse_tests(output, exit);
  if (data[0] != 0 && tests.complete && tests.suspicious.empty() &&
      tests.outcome == hydra::model::TestOutcome::passed)
    std::abort();
  const auto lint = hydra::parsers::parse_lint(output, exit);
  if (data[0] != 0 && lint.errors == 0 && lint.warnings == 0) std::abort();
  return 0;
}
