#include "parsers/registry.hpp"

#include <array>

namespace hydra::parsers {
namespace {

constexpr std::array kTestParsers{
    TestParser{"json", find_json_report},
    TestParser{"junit", find_junit},
    TestParser{"jest", find_jest},
    TestParser{"vitest", find_vitest},
    TestParser{"mocha", find_mocha},
    TestParser{"node-test", find_node_test},
    TestParser{"tap", find_tap},
    TestParser{"pytest", find_pytest},
    TestParser{"unittest", find_unittest},
    TestParser{"cargo-test", find_cargo},
    TestParser{"nextest", find_nextest},
    TestParser{"go-test", find_go},
    TestParser{"googletest", find_googletest},
    TestParser{"ctest", find_ctest},
    TestParser{"rspec", find_rspec},
    TestParser{"minitest", find_minitest},
};

std::optional<std::int64_t> plus(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

}  // namespace

std::span<const TestParser> test_parsers() { return kTestParsers; }

std::vector<std::string_view> test_formats() {
  std::vector<std::string_view> out;
  for (const auto& parser : kTestParsers) out.push_back(parser.name);
  return out;
}

model::TestCounts counts(std::int64_t passed, std::int64_t failed, std::int64_t skipped,
                         std::int64_t errors) {
  return {passed, failed, skipped, errors, passed + failed + skipped + errors};
}

void add_counts(model::TestCounts& sum, const model::TestCounts& more) {
  sum.passed = plus(sum.passed, more.passed);
  sum.failed = plus(sum.failed, more.failed);
  sum.skipped = plus(sum.skipped, more.skipped);
  sum.errors = plus(sum.errors, more.errors);
  sum.total = plus(sum.total, more.total);
}

void keep_complete_names(model::TestReport& report) {
  const auto& c = report.counts;
  const auto sum = plus(plus(c.passed, c.failed), plus(c.skipped, c.errors));
  if (!sum || static_cast<std::int64_t>(report.tests.size()) != *sum) report.tests.clear();
}

}  // namespace hydra::parsers
