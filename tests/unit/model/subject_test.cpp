// Names of subjects in events, keys and directories.
#include "model/subject.hpp"

#include <gtest/gtest.h>

namespace hydra::model {
namespace {

using Kind = Subject::Kind;

TEST(SubjectOfChecks, HasOneNameInEventsAndOneOnDisk) {
  struct Row {
    Subject subject;
    std::string name, directory;
  };
  const Row rows[] = {
      {Subject::baseline(), "@baseline", "baseline"},
      {Subject::baseline().as(Kind::cold), "@baseline@cold", "baseline@cold"},
      {Subject::of("codex"), "codex", "codex"},
      {Subject::of("codex#2"), "codex#2", "codex.2"},
      {Subject::of("codex#2").as(Kind::own_tests), "codex#2@own", "codex.2@own"},
      {Subject::of("codex").as(Kind::per_file), "codex@files", "codex@files"},
      {Subject::of("codex").as(Kind::cold), "codex@cold", "codex@cold"},
      {Subject::of("codex").as(Kind::tried), "codex@try", "codex@try"},
      {{{}, Kind::cross, 0xab}, "+00000000000000ab", "+00000000000000ab"},
      {{{}, Kind::judgement, ~std::uint64_t{0}}, "_ffffffffffffffff", "_ffffffffffffffff"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(text(row.subject), row.name);
    EXPECT_EQ(subject_of(row.name), row.subject) << row.name;
    EXPECT_EQ(directory_name(row.subject), row.directory);
    EXPECT_EQ(subject_of_directory(row.directory), row.subject) << row.directory;
  }
}

TEST(SubjectOfChecks, OtherTextsNameAgents) {
  for (const auto* name : {"", "+", "+xyz", "_12", "+00000000000000abc", "-"})
    EXPECT_EQ(subject_of(name), Subject::of(name)) << name;
  EXPECT_TRUE(subject_of("").none());
  EXPECT_FALSE(Subject::baseline().none());
}

TEST(SubjectOfChecks, RunsWithEqualInputsAreOneSubject) {
  const auto run = Subject::run(Kind::cross, "a\nb");
  EXPECT_EQ(run, Subject::run(Kind::cross, "a\nb"));
  EXPECT_NE(run, Subject::run(Kind::cross, "a\nc"));
  EXPECT_NE(run, Subject::run(Kind::judgement, "a\nb"));
  EXPECT_EQ(subject_of(text(run)), run);
}

}  // namespace
}  // namespace hydra::model
