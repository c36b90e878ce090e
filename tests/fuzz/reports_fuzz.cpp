// Whole reports (XML, JSON, event lines) and what wrappers print before lines: each family by name, and
// beside a text, with any bytes. The first byte chooses, the second is the exit code.
#include "parsers/parsers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hydra::parsers;
  if (size < 2) return 0;
  static const auto formats = test_formats();
  const ExitFacts exit{data[1], {}};
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto format = formats[data[0] % formats.size()];
  const auto named = parse_tests(text, exit, Hints{{}, format, "/repo", {}, {}});
  if (data[1] != 0 && named.complete && named.suspicious.empty() &&
      named.outcome == hydra::model::TestOutcome::passed)
    std::abort();
  const auto half = text.size() / 2;
  const Report reports[] = {{"report", text.substr(0, half), {}}};
  const auto both = parse_tests(text.substr(half), exit, Hints{}, reports);
  if (data[1] != 0 && both.complete && both.suspicious.empty() &&
      both.outcome == hydra::model::TestOutcome::passed)
    std::abort();
  const auto lint = parse_lint(text.substr(half), exit, Hints{}, reports);
  if (data[1] != 0 && lint.suspicious.empty() && lint.errors == 0 && lint.warnings == 0) std::abort();
  return 0;
}
