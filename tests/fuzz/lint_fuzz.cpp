// Any bytes through parse_lint. The first byte is the exit code, the rest is the output.
#include "parsers/parsers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const hydra::parsers::ExitFacts exit{data[0], {}};
  const std::string_view output(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto r = hydra::parsers::parse_lint(output, exit);
  const auto errors = r.errors.value_or(0), warnings = r.warnings.value_or(0);
  if (r.errors.has_value() != r.warnings.has_value() || errors < 0 || warnings < 0) std::abort();
  // A command that failed is never clean; what is kept was counted; a report without figures has no
  // confidence.
  if (data[0] != 0 && r.errors && errors + warnings == 0) std::abort();
  if (r.findings.size() > static_cast<std::size_t>(errors + warnings)) std::abort();
  if (!r.errors && r.confidence != hydra::model::Confidence::none) std::abort();
  return 0;
}
