// rspec and minitest: one summary line each, behind "Finished in".
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {

using model::TestOutcome;
void find_rspec(const Input& in, std::vector<TestSegment>& out) {
  for (std::size_t i = 1; i < in.lines.size(); ++i) {
    if (!in.lines[i - 1].starts_with("Finished in ")) continue;
    const auto c = counts_of(in.lines[i], ",");
    if (!c || c->size() < 2 || !one_of(c->front().what, {"examples", "example"}) ||
        !one_of((*c)[1].what, {"failures", "failure"}))
      continue;
    const auto failed = sum_of(*c, {"failures", "failure"}), skipped = sum_of(*c, {"pending"});
    const auto outside =
        sum_of(*c, {"error occurred outside of examples", "errors occurred outside of examples"});
    // Crystal prints "4 examples, 1 failures, 1 errors, 1 pending".
    const bool crystal = c->size() > 2 && (*c)[2].what == "errors";
    const auto errors = crystal ? (*c)[2].n : 0;
    auto seg = ended_run(crystal ? "crystal-spec" : "rspec", i - 1, i + 1, 40);
    auto& r = seg.report;
    r.counts = counts(std::max<std::int64_t>(0, c->front().n - failed - errors - skipped), failed, skipped,
                      errors + outside);
    if (c->front().n == 0) r.outcome = outside > 0 ? TestOutcome::build_failed : TestOutcome::no_tests;
    if (outside > 0) r.counts.total.reset();
    out.push_back(std::move(seg));
  }
}

void find_minitest(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> finished;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    if (in.lines[i].starts_with("Finished in ")) finished = i;
    if (!finished || !contains(in.lines[i], " assertions, ")) continue;
    const auto c = counts_of(in.lines[i], ",");
    if (!c || !one_of(c->front().what, {"runs", "tests"})) continue;
    const auto failed = sum_of(*c, {"failures"}), errors = sum_of(*c, {"errors"});
    const auto skipped = sum_of(*c, {"skips", "pendings", "omissions"});
    auto seg = ended_run(c->front().what == "runs" ? "minitest" : "test-unit", *finished, i + 1, 40);
    auto& r = seg.report;
    r.counts =
        counts(std::max<std::int64_t>(0, c->front().n - failed - errors - skipped), failed, skipped, errors);
    if (c->front().n == 0) r.outcome = TestOutcome::no_tests;
    out.push_back(std::move(seg));
    finished.reset();
  }
}

}  // namespace hydra::parsers
