#include "git/capture/ignored_paths.hpp"

#include <gmock/gmock.h>

#include <latch>
#include <thread>

namespace hydra::git {
namespace {

using Paths = IgnoredPaths::Paths;

TEST(IgnoredPaths, WhoAsksWhileAnotherDoesWaitsForItsAnswer) {
  constexpr int kCandidates = 8;
  IgnoredPaths known;
  std::latch all(kCandidates);
  std::vector<Paths> asked, answers(kCandidates);
  std::vector<std::jthread> candidates;
  candidates.reserve(kCandidates);
  for (auto& answer : answers)
    candidates.emplace_back([&] {
      all.arrive_and_wait();
      answer = known
                   .among({"a.log", "b.txt"},
                          [&](const Paths& unknown) -> Result<Paths> {
                            asked.push_back(unknown);
                            return Paths{"a.log"};
                          })
                   .value();
    });
  candidates.clear();
  EXPECT_THAT(asked, testing::ElementsAre(Paths{"a.log", "b.txt"}));
  EXPECT_THAT(answers, testing::Each(Paths{"a.log"}));
}

TEST(IgnoredPaths, NothingIsLearntOfAnError) {
  IgnoredPaths known;
  EXPECT_FALSE(known.among({"a"}, [](const Paths&) -> Result<Paths> { return Error{}; }).ok());
  EXPECT_EQ(known.among({"a"}, [](const Paths& unknown) -> Result<Paths> { return unknown; }).value(),
            Paths{"a"});
}

}  // namespace
}  // namespace hydra::git
