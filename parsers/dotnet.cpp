// dotnet test with names: the console logger from verbosity "normal" on lists each test above its totals.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestDotnetLine = 1000;

/// "  Passed Demo.CalcTests.Adds [3 ms]", "  Skipped Demo.Later".
std::optional<model::TestCase> dotnet_test(std::string_view line) {
  if (line.size() > kLongestDotnetLine || !line.starts_with("  ") || line.starts_with("   "))
    return std::nullopt;
  auto test = case_of("dotnet", line);
  if (!test) return std::nullopt;
  auto& name = test->name;
  name.resize(trim_end(name).size());
  // "[3 ms]", "[< 1 ms]", "[1 s]", "[1 m 2 s]".
  const auto open = name.rfind(" [");
  if (open != std::string::npos && (name.ends_with(" ms]") || name.ends_with(" s]") || name.ends_with(" m]")))
    name.resize(open);
  return name.empty() ? std::nullopt : test;
}

/// " Passed: 2" and the like below "Total tests: 4".
bool add_figure(std::string_view line, Figures& f) {
  eat_blanks(line);
  std::optional<std::int64_t>* to = eat(line, "Passed: ")    ? &f.passed
                                    : eat(line, "Failed: ")  ? &f.failed
                                    : eat(line, "Skipped: ") ? &f.skipped
                                                             : nullptr;
  if (!to) return false;
  *to = eat_number(line);
  return to->has_value() && is_blank(line);
}

}  // namespace

void find_dotnet(const Input& in, std::vector<TestSegment>& out) {
  std::vector<model::TestCase> tests;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (auto t = dotnet_test(line)) {
      if (tests.empty()) begin = i;
      if (tests.size() < kMaxNames) tests.push_back(std::move(*t));
      continue;
    }
    if (tests.empty() || !eat(line, "Total tests: ")) continue;
    Figures f;
    f.total = eat_number(line);
    auto end = i + 1;
    while (end < in.lines.size() && add_figure(in.lines[end], f)) ++end;
    if (!f.passed) f.passed = 0;
    const auto t = f.total && is_blank(line) ? tally(f) : std::nullopt;
    if (t && t->adds_up) {
      auto seg = segment_of(finished("dotnet", *t), begin, end, 60);
      take_names(seg.report, std::move(tests));
      // Without all names the table of summaries says as much.
      if (!seg.report.tests.empty()) out.push_back(std::move(seg));
    }
    tests.clear();
  }
}

}  // namespace hydra::parsers
