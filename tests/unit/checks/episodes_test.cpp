// The verifier's file may hold anything: valid lines count, invalid ones are named, and nothing else is read.
#include "checks/episodes.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::checks::episodes_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The first two examples of the specification.
constexpr const char* kCompleted =
    R"({"world":1,"stage":1,"max_x":3266,"total_steps":342,"coins":15,"time_remaining":245,"completed":true})"
    "\n";
constexpr const char* kDied =
    R"({"world":1,"stage":1,"max_x":1456,"total_steps":892,"coins":7,"time_remaining":0,"completed":false})"
    "\n";

class EpisodeFile : public testing::Test {
 protected:
  EpisodeFile() {
    std::string name = (fs::temp_directory_path() / "hydra-episodes-XXXXXX").string();
    reports = ::mkdtemp(name.data());
    fs::create_directories(reports / "verifier");
  }
  ~EpisodeFile() override { fs::remove_all(reports); }
  [[nodiscard]] Episodes read(const std::string& text) const {
    std::ofstream(file()) << text;
    return read_episodes(reports);
  }
  [[nodiscard]] fs::path file() const { return reports / "verifier/episodes.jsonl"; }
  fs::path reports;
};

TEST_F(EpisodeFile, FiguresAreTheArenas) {
  const auto found = read(std::string(kCompleted) + "\n" + kDied);
  EXPECT_EQ(found.problem, "");
  ASSERT_TRUE(found.figures);
  EXPECT_EQ(found.figures->episodes, 2);
  EXPECT_DOUBLE_EQ(found.figures->best_score, 1'018'181.8);
  EXPECT_EQ(found.figures->success_rate, 0.5);
  EXPECT_EQ(found.figures->avg_steps, 617);
  EXPECT_EQ(found.figures->avg_max_x, 2361);
  EXPECT_NEAR(found.figures->avg_score, (1'018'181.8 + 13'066.8) / 2, 1e-6);
  EXPECT_NEAR(found.figures->std_score_population, (1'018'181.8 - 13'066.8) / 2, 1e-6);
}

TEST_F(EpisodeFile, AFullGameIsOnePlay) {
  const auto found = read(
      R"({"full_game_completed":false,"levels_reached":[{"world":1,"stage":4,"max_x":2000,"completed":true},)"
      R"({"world":2,"stage":1,"max_x":1200,"completed":false}],"total_steps":2456})");
  EXPECT_EQ(found.problem, "");
  ASSERT_TRUE(found.figures);
  EXPECT_DOUBLE_EQ(found.figures->best_score, 21'954.4);
  EXPECT_EQ(found.figures->avg_max_x, 2000);
  EXPECT_EQ(found.figures->success_rate, 0);
}

TEST_F(EpisodeFile, InvalidLinesAreNamedAndDoNotCount) {
  const std::string ninth =
      R"({"world":9,"stage":1,"max_x":1,"total_steps":1,"coins":0,"time_remaining":0,"completed":true})";
  const auto found = read("nonsense\n" + std::string(kDied) + ninth + "\n{\"world\":1}\n" + "[1]\n\n" +
                          R"({"levels_reached":[{}],"full_game_completed":true,"total_steps":1})");
  EXPECT_THAT(
      found.problem,
      AllOf(HasSubstr("5 of 6 lines of verifier/episodes.jsonl"), HasSubstr("line 1: is no JSON object"),
            HasSubstr("line 3: world: must be a whole number from 1 to 8"),
            HasSubstr("line 4: completed: must be true or false"), Not(HasSubstr("line 5"))));
  ASSERT_TRUE(found.figures);
  EXPECT_EQ(found.figures->episodes, 1);
}

TEST_F(EpisodeFile, WrongKindsAreNoEpisode) {
  for (const auto& [member, value] : std::vector<std::pair<std::string, std::string>>{
           {"\"completed\":true", "\"completed\":1"},
           {"\"coins\":15", "\"coins\":-1"},
           {"\"coins\":15", "\"coins\":1.5"},
           {"\"coins\":15", "\"coins\":1e19"},
           {"\"coins\":15", "\"coins\":\"15\""},
           {"\"coins\":15", "\"coins\":null"},
           {"\"max_x\":3266", "\"max_x\":1e999"},
           {"\"max_x\":3266", "\"max_x\":-1"},
           {"\"time_remaining\":245", "\"time_remaining\":true"}}) {
    std::string line = kCompleted;
    line.replace(line.find(member), member.size(), value);
    const auto found = read(line);
    EXPECT_FALSE(found.figures) << value;
    EXPECT_THAT(found.problem, HasSubstr("1 of 1 lines")) << value;
  }
}

TEST_F(EpisodeFile, NothingButARegularFileOfBoundedSizeIsRead) {
  EXPECT_EQ(read_episodes(reports).problem, "") << "no file is no problem";
  EXPECT_EQ(read_episodes(reports / "gone").problem, "");
  std::ofstream(reports / "elsewhere") << kCompleted;
  fs::create_symlink(reports / "elsewhere", file());
  EXPECT_THAT(read_episodes(reports).problem, HasSubstr("symbolic link"));
  EXPECT_FALSE(read_episodes(reports).figures);
  fs::remove(file());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_THAT(read_episodes(reports).problem, HasSubstr("no episode counts"));
  fs::remove(file());
  EXPECT_FALSE(read(std::string(kMaxEpisodeBytes + 1, '\n')).figures);
  EXPECT_THAT(read_episodes(reports).problem, HasSubstr("no episode counts"));
  std::string many;
  for (std::size_t i = 0; i < kMaxEpisodes + 2; ++i) many += kDied;
  const auto found = read(many);
  EXPECT_EQ(found.figures->episodes, static_cast<std::int64_t>(kMaxEpisodes));
  EXPECT_THAT(found.problem, HasSubstr("line 10001: is beyond 10000 episodes"));
}

TEST_F(EpisodeFile, DeepAndBrokenTextsAreOnlyInvalid) {
  EXPECT_FALSE(read(std::string(1u << 20, '[')).figures);
  EXPECT_FALSE(read(std::string("{\"world\":1,\0", 12)).figures);
  EXPECT_FALSE(read("{\"world\":\"\xff\xfe\"}").figures);
}

}  // namespace
}  // namespace hydra::checks::episodes_test
