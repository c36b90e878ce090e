// A user's repository, a result of an agent in Hydra's store, and merging the one into the other.
#pragma once

#include "fixture.hpp"
#include "git/merge/merge.hpp"

#include <optional>
#include <string>

namespace hydra::git::test {

class MergeTest : public GitTest {
 protected:
  /// The agent changes a.txt, adds deep/new.txt, deletes dir/c.txt.
  void race() {
    sample();
    store_ = store();
    const auto work = workspace(*store_);
    write(work / "a.txt", "one\n2\nthree\n");
    write(work / "deep/new.txt", "new\n");
    fs::remove(work / "dir/c.txt");
    result_ = capture(*store_).commit;
  }
  MergeRequest request() const {
    MergeRequest r;
    r.journal = root_ / "journal";
    r.branch = "hydra/codex-1";
    r.commit = result_;
    r.message = "Merge the winner\n";
    r.expected_ref = "refs/heads/main";
    return r;
  }
  Result<MergePreview> run(MergeRequest r) const {
    r.at_step = stop_merge_after;
    return merge(*store_, spec_, r);
  }
  /// Refused with `code`, nothing changed, and the message names `word`.
  void expect_refused(const MergeRequest& r, const std::string& word) {
    const std::string before = fingerprint();
    const auto result = run(r);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Errc::refused) << describe(result.error());
    EXPECT_NE(describe(result.error()).find(word), std::string::npos) << describe(result.error());
    EXPECT_EQ(fingerprint(), before);
    for (const auto& entry : fs::directory_iterator(user_ / ".git"))
      EXPECT_FALSE(entry.path().filename().string().starts_with("hydra-")) << entry.path();
  }
  /// true at a step: the merge ends there, as if the process had died.
  StepObserver stop_merge_after;
  std::optional<Store> store_;
  std::string result_;
};

}  // namespace hydra::git::test
