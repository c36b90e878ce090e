// Fuzzes a single family of test formats: that of HYDRA_FUZZ_FAMILY in the environment, else the first byte
// chooses one. `tests/fuzz/families` runs each family for a while.
#include "parsers/registry.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace hydra::parsers;

const TestParser* chosen() {
  const char* name = std::getenv("HYDRA_FUZZ_FAMILY");
  if (name == nullptr) return nullptr;
  for (const auto& parser : test_parsers())
    if (parser.name == name) return &parser;
  std::abort();
}

}  // namespace

// The second byte is the exit code. A family reads within the log, counts nothing below zero, and never makes
// a failed command look clean.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const TestParser* const only = chosen();
  const auto& family = only != nullptr ? *only : test_parsers()[data[0] % test_parsers().size()];
  const ExitFacts exit{data[1], {}};
  const std::string_view output(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto in = make_input(output, exit, {});
  std::vector<TestSegment> out;
  family.find(in, out);
  for (const auto& segment : out) {
    if (segment.begin > segment.end || segment.end > in.lines.size()) std::abort();
    const auto& c = segment.report.counts;
    for (const auto& n : {c.passed, c.failed, c.skipped, c.errors, c.total})
      if (n.value_or(0) < 0) std::abort();
  }
  const auto r = parse_tests(output, exit, Hints{{}, family.name, "/repo", {}, {}});
  if (data[1] != 0 && r.complete && r.suspicious.empty() && r.outcome == hydra::model::TestOutcome::passed)
    std::abort();
  return 0;
}
