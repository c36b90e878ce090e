// The conformance suite of the executor contract: each isolation passes the same set.
#include "job_harness.hpp"

namespace hydra::exec::test {
namespace {

class Conformance : public testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    if (GetParam() == Isolation::bwrap && find_program("bwrap", search_path()).empty())
      GTEST_SKIP() << "bubblewrap is not installed";
  }
  Jobs jobs;
};

TEST_P(Conformance, C1_ExitCodesArriveAsTheyAre) {
  for (const int code : {0, 1, 7, 127, 137, 255}) {
    const auto spec = jobs.shell(GetParam(), "exit " + std::to_string(code));
    const auto result = jobs.run(spec);
    EXPECT_EQ(name(result.end), "exited") << result.message;
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.leaked, 0);
    EXPECT_EQ(result.token, spec.token);
    EXPECT_EQ(result.isolation, GetParam());
    EXPECT_EQ(result.survivors_possible, GetParam() == Isolation::none);
  }
}

INSTANTIATE_TEST_SUITE_P(Isolations, Conformance, testing::Values(Isolation::none, Isolation::bwrap),
                         [](const auto& i) { return i.param == Isolation::none ? "none" : "bwrap"; });

}  // namespace
}  // namespace hydra::exec::test
