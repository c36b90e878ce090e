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
  Figures one;
  if (match(tests_line<"{indent}Passed: {passed}">(), line, one))
    f.passed = one.passed;
  else if (match(tests_line<"{indent}Failed: {failed}">(), line, one))
    f.failed = one.failed;
  else if (match(tests_line<"{indent}Skipped: {skipped}">(), line, one))
    f.skipped = one.skipped;
  else
    return false;
  return true;
}

}  // namespace

void find_dotnet(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("dotnet", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f;
    if (auto t = dotnet_test(line)) {
      if (run.tests.size() < kMaxNames) run.lists(i, std::move(*t));
    } else if (run && match(tests_line<"Total tests: {total}">(), line, f)) {
      auto end = i + 1;
      while (end < in.lines.size() && add_figure(in.lines[end], f)) ++end;
      if (!f.passed) f.passed = 0;
      const auto sum = tally(f);
      if (!sum || !sum->adds_up)
        run.forget();
      else if (run.ends(end, finished("dotnet", *sum)).tests.empty())
        out.pop_back();  // without all names the table of summaries says as much
    }
  }
}

}  // namespace hydra::parsers
