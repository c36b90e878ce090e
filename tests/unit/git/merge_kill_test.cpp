// SIGKILL of the merging process itself: at every step, and at each of its system calls that write.
#include "merge_fixture.hpp"
#include "support/machine.hpp"

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::git::test {
namespace {

class MergeKill : public MergeTest {
 protected:
  void SetUp() override {
    MergeTest::SetUp();
    race();
    write(user_ / "dir/b.txt", "dirty\n");
    write(user_ / "staged.txt", "staged\n");
    git(user_, {"add", "staged.txt"});
    write(user_ / "untracked", "u\n");
    // Sorted by content: the same before every run.
    before_ = fingerprint();
    files_ = names_in_git();
  }
  using Words = std::vector<std::string>;
  Words names_in_git() const;
  /// Byte-identical, or merged: and nothing of Hydra's is left beside.
  bool expect_old_or_new(const std::string& where) {
    const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
    EXPECT_TRUE(recovered.ok()) << where << ": " << describe(recovered.error());
    EXPECT_EQ(read(user_ / "dir/b.txt"), "dirty\n") << where;
    EXPECT_EQ(read(user_ / "staged.txt"), "staged\n") << where;
    EXPECT_EQ(read(user_ / "untracked"), "u\n") << where;
    EXPECT_EQ(names_in_git(), files_) << where;
    const bool merged = git(user_, {"rev-parse", "HEAD"}) != spec_.repository.base;
    if (!merged) {
      EXPECT_EQ(fingerprint(), before_) << where;
      EXPECT_FALSE(fs::exists(user_ / "deep")) << where;
      EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n") << where;
    } else {
      EXPECT_EQ(git(user_, {"rev-parse", "HEAD^2"}), result_) << where;
      EXPECT_EQ(git(user_, {"status", "--porcelain"}), "M dir/b.txt\nA  staged.txt\n?? untracked") << where;
      EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n") << where;
      // Back to the start for the next one: the branch, the two files, and the index as it was.
      const UndoRequest undo{
          root_ / "undo", git(user_, {"rev-parse", "HEAD"}), spec_.repository.base, "refs/heads/main", {},
          false};
      const auto undone = undo_merge(*store_, spec_, undo);
      EXPECT_TRUE(undone.ok()) << where << ": " << describe(undone.error());
      before_ = fingerprint();
    }
    fs::remove_all(root_ / "journal");
    return !::testing::Test::HasFailure();
  }
  std::string before_;
  Words files_;
};

/// Names below .git at which something of a merge could be left.
MergeKill::Words MergeKill::names_in_git() const {
  Words names;
  for (const auto& entry : fs::directory_iterator(user_ / ".git")) {
    const auto name = entry.path().filename().string();
    if (name != "ORIG_HEAD" && name != "logs") names.push_back(name);
  }
  for (const auto& entry : fs::directory_iterator(user_ / ".git/refs/heads"))
    names.push_back("heads/" + entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(MergeKill, AtEveryStep) {
  for (const std::string step : {"intent", "lock", "check", "go", "moved", "tree", "ref", "index", "done"}) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      stop_merge_after = [&](std::string_view name) {
        if (name == step) ::kill(::getpid(), SIGKILL);
        return false;
      };
      (void)run(request());
      ::_exit(3);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << step;
    if (!expect_old_or_new(step)) return;
  }
}

/// Merges in a process of its own that a tracer kills at its n-th call that writes. False: it got to its end.
bool killed_at(int n, const std::function<void()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    ::raise(SIGSTOP);
    body();
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
  const pid_t tracer = ::fork();
  if (tracer == 0) {
    const std::string target = std::to_string(pid);
    const std::string inject =
        "inject=open,openat,creat,write,pwrite64,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,"
        "mkdirat,rmdir,fsync,fdatasync,ftruncate,utimensat,chmod,fchmod,fchmodat,symlink,flock:signal=KILL:"
        "when=" +
        std::to_string(n);
    ::execlp("strace", "strace", "-qq", "-o", "/dev/null", "-p", target.c_str(), "-e", inject.c_str(),
             nullptr);
    ::_exit(127);
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (;;) {
    const auto text = read_file("/proc/" + std::to_string(pid) + "/status", 1 << 16).value_or("");
    const auto at = text.find("TracerPid:\t");
    if (at != std::string::npos && text[at + 11] != '0') break;
    int gone = 0;
    const bool late = std::chrono::steady_clock::now() > until;
    if (late) ::kill(tracer, SIGKILL);
    if (late || ::waitpid(tracer, &gone, WNOHANG) == tracer) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      ADD_FAILURE() << (late ? "waited a minute for strace to attach" : "strace cannot attach");
      return false;
    }
    ::usleep(1000);
  }
  ::kill(pid, SIGCONT);
  ::waitpid(pid, &status, 0);
  int gone = 0;
  ::waitpid(tracer, &gone, 0);
  return WIFSIGNALED(status);
}

TEST_F(MergeKill, AtCallsThatWrite) {
  HYDRA_NEEDS(machine::Ability::tracing);
  int points = 0;
  for (int n = 1; n < 2000; ++n) {
    const bool killed = killed_at(n, [&] { (void)run(request()); });
    ++points;
    if (!expect_old_or_new("call " + std::to_string(n))) return;
    if (!killed) break;
  }
  RecordProperty("points", points);
  EXPECT_GT(points, 40) << "the tracer saw no calls";
}

TEST_F(MergeTest, AMoveOfManyFilesIsTakenBackByAFewPrograms) {
  init();
  constexpr int kFiles = 60;
  const auto name = [](int i) {
    return "d" + std::to_string(i % 7) + "/f \"" + std::to_string(i) + "\"\n.txt";
  };
  for (int i = 0; i < kFiles; ++i) write(user_ / name(i), "old " + std::to_string(i) + "\n");
  commit_all();
  store_ = store();
  const auto work = workspace(*store_);
  for (int i = 0; i < kFiles; ++i) write(work / name(i), "new " + std::to_string(i) + "\n");
  write(work / "added/a.txt", "a\n");
  result_ = capture(*store_).commit;
  stop_merge_after = [](std::string_view step) { return step == "moved"; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  ASSERT_EQ(read(user_ / name(3)), "new 3\n");
  // The merge was cut off within file 1; file 2 is the user's own meanwhile.
  write(user_ / name(1), "ne");
  write(user_ / name(2), "mine\n");
  const fs::path real = exec::find_program("git", path());
  write(root_ / "bin/git",
        "#!/bin/sh\necho x >> '" + (root_ / "count").string() + "'\nexec " + real.string() + " \"$@\"\n");
  fs::permissions(root_ / "bin/git", fs::perms(0755));
  const auto recovered = recover_merge(root_ / "journal", spec_.repository,
                                       (root_ / "bin").string() + ":" + path(), home_.string());
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  for (int i = 0; i < kFiles; ++i)
    EXPECT_EQ(read(user_ / name(i)), i == 2 ? "mine\n" : "old " + std::to_string(i) + "\n");
  EXPECT_FALSE(fs::exists(user_ / "added"));
  EXPECT_LT(read(root_ / "count").size() / 2, 25u);
  write(user_ / name(2), "old 2\n");
  git(user_, {"update-index", "-q", "--refresh"});
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

}  // namespace
}  // namespace hydra::git::test
