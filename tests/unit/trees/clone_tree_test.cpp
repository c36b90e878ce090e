// Copies of trees: what a build tool or a person could tell from the original.
#include "trees/clone_tree.hpp"

#include "base/files.hpp"
#include "support/machine.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <map>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <thread>
#include <unistd.h>

namespace hydra::trees {
namespace {

class CloneTree : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hydra-clone-XXXXXX").string();
    dir_ = ::mkdtemp(pattern.data());
    from_ = dir_ / "from";
    to_ = dir_ / "to";
    fs::create_directory(from_);
  }
  void TearDown() override { (void)remove_tree(dir_); }
  void clone(unsigned threads = 0) {
    const auto made = clone_tree(from_, to_, threads);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : describe(made.error()));
  }
  static std::size_t entries(const fs::path& root, fs::file_type type) {
    const fs::recursive_directory_iterator all(root);
    return static_cast<std::size_t>(std::count_if(
        begin(all), end(all), [&](const auto& e) { return e.symlink_status().type() == type; }));
  }
  /// Every entry with type, mode, mtime and content.
  static std::map<std::string, std::string> facts(const fs::path& root) {
    std::map<std::string, std::string> all;
    for (const auto& e : fs::recursive_directory_iterator(root)) {
      struct stat st {};
      ::lstat(e.path().c_str(), &st);
      std::string text = std::to_string(st.st_mode) + " " + std::to_string(st.st_mtim.tv_sec) + "." +
                         std::to_string(st.st_mtim.tv_nsec) + " ";
      if (S_ISREG(st.st_mode)) text += *read_file(e.path());
      if (S_ISLNK(st.st_mode)) text += fs::read_symlink(e.path()).string();
      all[e.path().lexically_relative(root).string()] = text;
    }
    return all;
  }
  fs::path dir_, from_, to_;
};

TEST_F(CloneTree, AWideAndDeepTreeIsTheSameWithAnyNumberOfThreads) {
  // More directories side by side and in each other than files may be open.
  rlimit old{};
  ::getrlimit(RLIMIT_NOFILE, &old);
  const rlimit few{128, old.rlim_max};
  for (int i = 0; i < 700; ++i) {
    const auto d = from_ / std::to_string(i % 300) / ("d" + std::to_string(i));
    fs::create_directories(d);
    for (int f = 0; f < 3; ++f)
      ASSERT_TRUE(
          write_file(d / ("f" + std::to_string(f)), std::to_string(i * f), f == 1 ? 0755 : 0640).ok());
    fs::create_symlink("../f" + std::to_string(i), d / "link");
    const timespec times[2] = {{i, 1}, {1000000 + i, 123456000 + i}};
    ::utimensat(AT_FDCWD, (d / "f2").c_str(), times, 0);
    ::utimensat(AT_FDCWD, (d / "link").c_str(), times, AT_SYMLINK_NOFOLLOW);
    ::utimensat(AT_FDCWD, d.c_str(), times, 0);
  }
  fs::path deep = from_;
  for (int i = 0; i < 200; ++i) deep /= "n";
  fs::create_directories(deep);
  ASSERT_TRUE(write_file(deep / "end", "end").ok());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(write_file(from_ / ("top" + std::to_string(i)), "t").ok());
  const auto expected = facts(from_);
  for (const unsigned threads : {1U, 2U, 4U}) {
    ::setrlimit(RLIMIT_NOFILE, &few);
    clone(threads);
    ::setrlimit(RLIMIT_NOFILE, &old);
    EXPECT_EQ(facts(to_), expected) << threads;
    EXPECT_EQ(entries(to_, fs::file_type::regular), 700U * 3 + 1 + 1000);
    EXPECT_EQ(entries(to_, fs::file_type::symlink), 700U);
    EXPECT_EQ(entries(to_, fs::file_type::directory), 300U + 700 + 200);
    to_ = dir_ / ("to" + std::to_string(threads));
  }
  EXPECT_EQ(facts(from_), expected);
}

TEST_F(CloneTree, ReadOnlyDirectoriesAndOddModes) {
  fs::create_directories(from_ / "ro" / "in");
  ASSERT_TRUE(write_file(from_ / "ro" / "in" / "f", "x", 0444).ok());
  ASSERT_TRUE(write_file(from_ / "suid", "x", 0755).ok());
  ::chmod((from_ / "suid").c_str(), 06755);
  ::chmod((from_ / "ro" / "in").c_str(), 0500);
  ::chmod((from_ / "ro").c_str(), 0555);
  clone();
  struct stat st {};
  ::stat((to_ / "ro").c_str(), &st);
  EXPECT_EQ(st.st_mode & 07777, 0555U);
  ::stat((to_ / "ro" / "in").c_str(), &st);
  EXPECT_EQ(st.st_mode & 07777, 0500U);
  ::stat((to_ / "suid").c_str(), &st);
  EXPECT_EQ(st.st_mode & 07777, 0755U);  // never with another's rights
}

TEST_F(CloneTree, HardLinksBecomeFilesOfTheirOwn) {
  ASSERT_TRUE(write_file(from_ / "a", "one").ok());
  fs::create_hard_link(from_ / "a", from_ / "b");
  clone();
  ASSERT_TRUE(write_file(to_ / "a", "two").ok());
  EXPECT_EQ(*read_file(to_ / "b"), "one");
  EXPECT_EQ(*read_file(from_ / "a"), "one");
}

TEST_F(CloneTree, SpecialFilesAreLeftOut) {
  fs::create_directory(from_ / "d");
  ASSERT_EQ(::mkfifo((from_ / "d" / "pipe").c_str(), 0600), 0);
  clone();
  EXPECT_TRUE(fs::is_empty(to_ / "d"));
}

TEST_F(CloneTree, HolesStayHolesAndContentIsExact) {
  const fs::path file = from_ / "sparse";
  {
    std::ofstream out(file, std::ios::binary);
    out << "begin";
    out.seekp(40 << 20);
    out << "middle" << std::string(300000, 'm');
    out.seekp(90 << 20);
    out << "end";
  }
  ASSERT_EQ(::truncate(file.c_str(), 100 << 20), 0);
  struct stat before {
  }, after{};
  ::stat(file.c_str(), &before);
  if (before.st_blocks * 512 >= before.st_size) GTEST_SKIP() << "no holes in files";
  std::string big(3000000, 'b');
  for (std::size_t i = 0; i < big.size(); ++i) big[i] = static_cast<char>(i * 31 + i / 4096);
  ASSERT_TRUE(write_file(from_ / "big", big).ok());
  clone();
  ::stat((to_ / "sparse").c_str(), &after);
  EXPECT_EQ(after.st_size, before.st_size);
  EXPECT_LT(after.st_blocks * 512, 4 << 20);
  EXPECT_TRUE(*read_file(to_ / "sparse") == *read_file(file));
  EXPECT_TRUE(*read_file(to_ / "big") == big);
}

TEST_F(CloneTree, UserAttributesAreKept) {
  ASSERT_TRUE(write_file(from_ / "f", "x", 0400).ok());
  if (::setxattr((from_ / "f").c_str(), "user.note", "text", 4, 0) != 0)
    GTEST_SKIP() << "no extended attributes";
  ::setxattr((from_ / "f").c_str(), "user.overlay.origin", "x", 1, 0);
  clone();
  char value[8];
  EXPECT_EQ(::getxattr((to_ / "f").c_str(), "user.note", value, sizeof value), 4);
  EXPECT_EQ(::getxattr((to_ / "f").c_str(), "user.overlay.origin", value, sizeof value), -1);
}

TEST_F(CloneTree, AFileThatIsWrittenMeanwhileIsNamedOrWhole) {
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(write_file(from_ / std::to_string(i), "old").ok());
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int n = 0; !stop; ++n) (void)write_file(from_ / std::to_string(n % 400), std::to_string(n));
  });
  clone();
  stop = true;
  writer.join();
  EXPECT_EQ(entries(to_, fs::file_type::regular), 400U);  // and no failure
}

// Editors and package managers write beside a file and rename: names that were listed are gone when their
// turn comes. That is said, and is no failure.
TEST_F(CloneTree, WhatGoesAwayMeanwhileIsLeftOut) {
  for (int i = 0; i < 300; ++i) {
    fs::create_directory(from_ / ("d" + std::to_string(i)));
    ASSERT_TRUE(write_file(from_ / ("d" + std::to_string(i)) / "f", "x").ok());
    ASSERT_TRUE(write_file(from_ / ("f" + std::to_string(i)), "x").ok());
  }
  for (int round = 0; round < 8; ++round) {
    std::atomic<bool> stop{false};
    std::thread mover([&] {
      for (bool away = true; !stop; away = !away)
        for (int i = 0; i < 300; ++i)
          for (const char* kind : {"d", "f"}) {
            const auto at = from_ / (kind + std::to_string(i)), aside = dir_ / (kind + std::to_string(i));
            ::rename((away ? at : aside).c_str(), (away ? aside : at).c_str());
          }
    });
    const auto made = clone_tree(from_, to_, 2);
    stop = true;
    mover.join();
    ASSERT_TRUE(made.ok()) << describe(made.error());
    EXPECT_LE(entries(to_, fs::file_type::regular), 600U);
    EXPECT_TRUE(remove_tree(to_).ok());
  }
}

TEST_F(CloneTree, WhatFailsLeavesNothing) {
  ASSERT_TRUE(write_file(from_ / "f", "x").ok());
  EXPECT_FALSE(clone_tree(dir_ / "none", to_).ok());
  EXPECT_FALSE(fs::exists(to_));
  EXPECT_FALSE(clone_tree(from_, dir_ / "no" / "place").ok());
  fs::create_directory(to_);
  ASSERT_TRUE(write_file(to_ / "mine", "x").ok());
  EXPECT_FALSE(clone_tree(from_, to_).ok());  // never into, never over
  EXPECT_TRUE(fs::exists(to_ / "mine"));
}

TEST_F(CloneTree, AFullDiskIsAClearErrorAndIsEmptiedAgain) {
  HYDRA_NEEDS(machine::Ability::mounts);
  for (int i = 0; i < 64; ++i)
    ASSERT_TRUE(write_file(from_ / std::to_string(i), std::string(100000, 'x')).ok());
  const auto disk = dir_ / "disk";
  fs::create_directory(disk);
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_EQ(::mount("small", disk.c_str(), "tmpfs", 0, "size=2m"), 0);
  const auto made = clone_tree(from_, disk / "copy");
  const bool left = fs::exists(disk / "copy");
  ::umount(disk.c_str());
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("No space left"), std::string::npos) << made.error().message;
  EXPECT_FALSE(made.error().hint.empty());
  EXPECT_FALSE(left);
}

TEST_F(CloneTree, ATreeDeeperThanPathsAndDescriptorsIsRemoved) {
  // No path leads there; a hostile program makes it step by step.
  constexpr int kDepth = 3000;
  int at = ::open(from_.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(::mkdirat(at, "d", i % 100 == 99 ? 0500 : 0700), 0);
    ASSERT_EQ(::mkdirat(at, ".hydra-deep-0", 0700), 0);
    const int next = ::openat(at, "d", O_RDONLY | O_DIRECTORY);
    ::close(at);
    if (i % 100 == 99) ::fchmod(next, 0700);
    at = next;
  }
  ::close(::openat(at, "end", O_WRONLY | O_CREAT, 0600));
  ::close(at);
  rlimit old{};
  ::getrlimit(RLIMIT_NOFILE, &old);
  const rlimit few{256, old.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  const auto removed = remove_tree(from_);
  ::setrlimit(RLIMIT_NOFILE, &old);
  EXPECT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_FALSE(fs::exists(from_));
}

TEST_F(CloneTree, ASingleFileOrLink) {
  ASSERT_TRUE(write_file(from_ / "f", "x", 0755).ok());
  fs::create_symlink("f", from_ / "l");
  EXPECT_TRUE(clone_tree(from_ / "f", dir_ / "f2").ok());
  EXPECT_EQ(*read_file(dir_ / "f2"), "x");
  EXPECT_TRUE(clone_tree(from_ / "l", dir_ / "l2").ok());
  EXPECT_EQ(fs::read_symlink(dir_ / "l2"), "f");
}

}  // namespace
}  // namespace hydra::trees
