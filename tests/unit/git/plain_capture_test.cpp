// A capture that is made in the process says what git says of the same directory.
#include "capture_fixture.hpp"
#include "git/store/diff.hpp"

#include <random>

namespace hydra::git::test {
namespace {

/// An agent that changes files of all kinds, differently with each seed.
class Changes {
 public:
  static void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, content).ok());
  }
  Changes(fs::path work, unsigned seed) : work_(std::move(work)), random_(seed) {}
  std::size_t upto(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random_); }
  std::string text(std::size_t lines) {
    std::string all;
    for (std::size_t i = 0; i < lines; ++i)
      all += "line " + std::to_string(upto(12)) + (upto(40) ? "\n" : "\r\n");
    if (upto(3) == 0 && !all.empty()) all.pop_back();
    return all;
  }
  void edit(const fs::path& file) {
    auto lines = text(0);
    const auto old = read_file(file).value_or("");
    std::size_t at = 0;
    while (at < old.size()) {
      const auto end = std::min(old.find('\n', at), old.size() - 1) + 1;
      const auto what = upto(9);
      if (what != 0) lines += old.substr(at, end - at);
      if (what == 1) lines += text(upto(4));
      at = end;
    }
    write(file, lines);
  }
  void one(const fs::path& file, bool may_add) {
    switch (upto(7)) {
      case 0:
        fs::permissions(file, fs::perms(0755));
        return;
      case 1:
        fs::last_write_time(file, fs::file_time_type::clock::now());
        return;
      case 2:
        write(file, std::string("a\0b\n", 4) + text(3));
        return;
      case 3:
        if (may_add) return write(work_ / "new" / std::to_string(upto(999)), text(upto(30)));
        fs::remove(file);
        return;
      case 4:
        if (!may_add) return;
        fs::create_symlink("../README", work_ / ("link" + std::to_string(upto(1 << 20))));
        return;
      case 5:
        write(file, "");
        return;
      default:
        edit(file);
    }
  }
  void make(std::size_t files) {
    const bool may_add = upto(1) == 0;  // beside a removed file it might be a renamed one
    for (std::size_t i = 0; i < 6; ++i) {
      const auto file = work_ / "many" / std::to_string(upto(files - 1));
      if (fs::exists(file)) one(file, may_add);
    }
  }

 private:
  fs::path work_;
  std::mt19937 random_;
};

class PlainCaptureTest : public CaptureTest {
 protected:
  static constexpr std::size_t kFiles = 12;
  std::string git_says(const model::Capture& c) {
    std::vector<std::string> args{"diff-tree"};
    args.insert(args.end(), diff_options().begin(), diff_options().end());
    args.insert(args.end(), {spec_.repository.base, c.commit});
    args.insert(args.begin(), "--git-dir=.");
    return try_git(store_->directory(), args).out;
  }
  std::string tree_by_git(const fs::path& work) {
    git(work, {"add", "-A"});
    return git(work, {"write-tree"});
  }
};

TEST_F(PlainCaptureTest, SaysWhatGitSays) {
  sample();
  Changes first(user_, 1);
  for (std::size_t i = 0; i < kFiles; ++i) write(user_ / "many" / std::to_string(i), first.text(i * 20));
  commit_all();
  store_ = store();
  int compared = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    start_again();
    Changes(work_, seed).make(kFiles);
    const auto c = take();
    if (!c.changed) continue;
    ++compared;
    EXPECT_EQ(read_file(store_->directory() / "diffs" / c.commit).value_or(""), git_says(c))
        << "seed " << seed;
    EXPECT_EQ(c.tree, tree_by_git(work_)) << "seed " << seed;
    EXPECT_TRUE(c.warnings.empty()) << "seed " << seed << ": " << c.warnings.front();
  }
  EXPECT_GT(compared, 40);
}

}  // namespace
}  // namespace hydra::git::test
