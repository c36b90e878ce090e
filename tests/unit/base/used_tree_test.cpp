// Used copies that are put back: nothing that a program without privileges can do to a tree makes it differ
// from a fresh copy afterwards.
#include "base/used_tree.hpp"

#include "base/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fcntl.h>
#include <linux/fs.h>
#include <map>
#include <random>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace hydra {
namespace {

using Facts = std::map<std::string, std::string>;

class UsedTree : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hydra-used-XXXXXX").string();
    dir_ = ::mkdtemp(pattern.data());
    from_ = dir_ / "from";
    tree_ = dir_ / "tree";
    if (!tells_changes(dir_)) GTEST_SKIP() << "this file system does not stamp every change";
    for (int i = 0; i < 12; ++i) {
      const auto d = from_ / ("d" + std::to_string(i % 3)) / ("e" + std::to_string(i));
      fs::create_directories(d);
      for (int f = 0; f < 5; ++f) put(d / ("f" + std::to_string(f)), std::to_string(i * 10 + f) + " text");
      fs::create_symlink("../f" + std::to_string(i), d / "link");
    }
    put(from_ / "a", "first");
    put(from_ / "b", "other");  // of the same size
    put(from_ / "empty", "");
    put(from_ / "with\nnewline", "line");
    fs::permissions(from_ / "a", fs::perms(0755));
    fs::permissions(from_ / "d1" / "e1", fs::perms(0555));
    fs::create_directory(from_ / "hollow");
    const timespec times[2] = {{1'000'000'000, 5}, {1'100'000'000, 123'456'789}};
    for (const auto& name : {"a", "b", "d0", "hollow", "."})
      ::utimensat(AT_FDCWD, (from_ / name).c_str(), times, 0);
  }
  void TearDown() override { (void)remove_tree(dir_); }

  static void put(const fs::path& path, const std::string& text) {
    ASSERT_TRUE(write_file(path, text).ok()) << path;
  }
  static void times_of(const fs::path& model, const fs::path& path) {
    struct stat st {};
    ASSERT_EQ(::lstat(model.c_str(), &st), 0);
    const timespec times[2] = {st.st_atim, st.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
  }

  void make() {
    auto report = clone_tree(from_, tree_, 2, true);
    ASSERT_TRUE(report.ok());
    auto manifest = manifest_of(std::move(*report));
    ASSERT_TRUE(manifest);
    ASSERT_TRUE(outlast(*manifest, dir_ / "clock").ok());
    // As it is kept: as a file.
    auto read = manifest_from_bytes(to_bytes(*manifest, "key"), "key");
    ASSERT_TRUE(read);
    manifest_ = std::move(*read);
    ASSERT_EQ(facts(tree_), facts(from_));
  }

  /// Everything about every entry that a program could see, but for times of access and of change.
  static Facts facts(const fs::path& root) {
    Facts all;
    const auto add = [&](const fs::path& path) {
      struct stat st {};
      if (::lstat(path.c_str(), &st) != 0) return;
      std::string text = std::to_string(st.st_mode) + " " + std::to_string(st.st_uid) + " " +
                         std::to_string(st.st_gid) + " " + std::to_string(st.st_mtim.tv_sec) + "." +
                         std::to_string(st.st_mtim.tv_nsec) + " ";
      if (!S_ISDIR(st.st_mode)) text += "links " + std::to_string(st.st_nlink) + " ";
      char names[1024];
      const ssize_t n = ::llistxattr(path.c_str(), names, sizeof names);
      if (n > 0) text += std::string(names, static_cast<std::size_t>(n));
      if (S_ISREG(st.st_mode)) text += *read_file(path);
      if (S_ISLNK(st.st_mode)) text += fs::read_symlink(path).string();
      all[path.lexically_relative(root).string()] = text;
    };
    add(root);
    for (const auto& e : fs::recursive_directory_iterator(root)) add(e.path());
    return all;
  }

  Result<ResetReport> reset() {
    // Used trees are moved.
    const auto pool = dir_ / "pool";
    EXPECT_EQ(::rename(tree_.c_str(), pool.c_str()), 0);
    EXPECT_EQ(::rename(pool.c_str(), tree_.c_str()), 0);
    auto report = reset_tree(from_, tree_, manifest_, dir_ / "trash");
    if (report.ok()) {
      EXPECT_TRUE(outlast(report->manifest, dir_ / "clock").ok());
      manifest_ = report->manifest;
    }
    return report;
  }
  /// A fresh copy is what it has to be; and the manifest is one of it.
  ResetReport expect_fresh(const std::string& what = {}) {
    const auto report = reset();
    EXPECT_TRUE(report.ok()) << what << (report.ok() ? "" : describe(report.error()));
    if (!report.ok()) return {};
    const auto fresh = dir_ / "fresh";
    EXPECT_TRUE(clone_tree(from_, fresh, 1).ok());
    EXPECT_EQ(facts(tree_), facts(fresh)) << what;
    (void)remove_tree(fresh);
    const auto again = reset();
    EXPECT_TRUE(again.ok()) << what;
    if (again.ok()) {
      EXPECT_EQ(again->copied + again->removed, 0U) << what;
    }
    EXPECT_EQ(facts(tree_), facts(from_)) << what;
    return *report;
  }

  fs::path dir_, from_, tree_;
  TreeManifest manifest_;
};

TEST_F(UsedTree, WhatNobodyTouchedIsKept) {
  make();
  const auto report = expect_fresh();
  EXPECT_EQ(report.kept, 12U * 6 + 4);
  EXPECT_EQ(report.copied, 0U);
  EXPECT_EQ(report.removed, 0U);
}

TEST_F(UsedTree, OtherBytesOfEqualSizeWithTheOldTimes) {
  make();
  put(tree_ / "a", "wrong");
  times_of(from_ / "a", tree_ / "a");
  EXPECT_EQ(expect_fresh().copied, 1U);
}

TEST_F(UsedTree, AFileThatWasReplacedByOneThatLooksTheSame) {
  make();
  put(dir_ / "evil", "wrong");
  fs::permissions(dir_ / "evil", fs::perms(0755));
  times_of(from_ / "a", dir_ / "evil");
  fs::rename(dir_ / "evil", tree_ / "a");
  times_of(from_, tree_);
  EXPECT_EQ(expect_fresh().copied, 1U);
}

TEST_F(UsedTree, AnInodeThatIsGivenOutAgain) {
  make();
  fs::remove(tree_ / "a");
  put(tree_ / "a", "wrong");  // ext4 likes to give the same number
  fs::permissions(tree_ / "a", fs::perms(0755));
  times_of(from_ / "a", tree_ / "a");
  expect_fresh();
}

TEST_F(UsedTree, WrittenThroughASharedMapping) {
  make();
  const int fd = ::open((tree_ / "a").c_str(), O_RDWR);
  auto* at = static_cast<volatile char*>(::mmap(nullptr, 5, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ASSERT_NE(at, MAP_FAILED);
  const char first = at[0];
  at[0] = static_cast<char>(first + 1);  // the page is there already
  ::munmap(const_cast<char*>(at), 5);
  ::close(fd);
  times_of(from_ / "a", tree_ / "a");
  EXPECT_EQ(expect_fresh().copied, 1U);
}

TEST_F(UsedTree, HardLinksFromFilesThatWereNotTouched) {
  make();
  fs::create_hard_link(tree_ / "a", tree_ / "d0" / "second name");
  fs::create_hard_link(tree_ / "b", tree_ / "for a moment");
  fs::remove(tree_ / "for a moment");
  fs::create_hard_link(tree_ / "d0" / "e0" / "f0", dir_ / "outside");
  const auto report = expect_fresh();
  EXPECT_EQ(report.copied, 3U);
  put(dir_ / "outside", "later");
  EXPECT_EQ(facts(tree_), facts(from_));
}

TEST_F(UsedTree, RenamesOfFilesAndDirectories) {
  make();
  fs::rename(tree_ / "a", tree_ / "t");
  fs::rename(tree_ / "b", tree_ / "a");
  fs::rename(tree_ / "t", tree_ / "b");
  fs::rename(tree_ / "d0" / "e0", tree_ / "d2" / "e0");
  fs::rename(tree_ / "d0" / "e3", tree_ / "x");
  fs::rename(tree_ / "d0" / "e6", tree_ / "d0" / "e3");
  fs::rename(tree_ / "x", tree_ / "d0" / "e6");
  times_of(from_ / "d0", tree_ / "d0");
  expect_fresh();
}

TEST_F(UsedTree, DirectoriesThatBecameLinksToElsewhere) {
  make();
  fs::create_directory(dir_ / "elsewhere");
  put(dir_ / "elsewhere" / "mine", "mine");
  const auto before = facts(dir_ / "elsewhere");
  for (const auto& name : {"d0", "hollow", "d1/e4"}) {
    (void)remove_tree(tree_ / name);
    fs::create_directory_symlink(dir_ / "elsewhere", tree_ / name);
  }
  fs::remove(tree_ / "a");
  fs::create_symlink(from_ / "a", tree_ / "a");
  expect_fresh();
  EXPECT_EQ(facts(dir_ / "elsewhere"), before);
  EXPECT_EQ(*read_file(from_ / "a"), "first");
}

TEST_F(UsedTree, FilesAndDirectoriesThatChangedPlaces) {
  make();
  fs::remove(tree_ / "a");
  fs::create_directory(tree_ / "a");
  put(tree_ / "a" / "in", "x");
  (void)remove_tree(tree_ / "d1");
  put(tree_ / "d1", "file");
  fs::remove(tree_ / "d0" / "e0" / "link");
  fs::create_symlink("../f9", tree_ / "d0" / "e0" / "link");
  expect_fresh();
}

TEST_F(UsedTree, SpecialFilesInAnyPlace) {
  make();
  ASSERT_EQ(::mkfifo((tree_ / "pipe").c_str(), 0600), 0);
  fs::remove(tree_ / "b");
  ASSERT_EQ(::mkfifo((tree_ / "b").c_str(), 0644), 0);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (tree_ / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(fd);
  if (::geteuid() == 0) {
    ASSERT_EQ(::mknod((tree_ / "d0" / "null").c_str(), S_IFCHR | 0666, makedev(1, 3)), 0);
  }
  expect_fresh();
}

TEST_F(UsedTree, ModesOfNothing) {
  make();
  for (const auto& name : {"a", "d0", "d1/e1", "d2/e2/f1", "hollow"})
    ASSERT_EQ(::chmod((tree_ / name).c_str(), 0), 0);
  ASSERT_EQ(::chmod(tree_.c_str(), 0), 0);
  ASSERT_EQ(::chmod(tree_.c_str(), 0700), 0);
  ASSERT_EQ(::chmod((tree_ / "b").c_str(), 06755), 0);
  expect_fresh();
}

TEST_F(UsedTree, NamesOfAnyBytesAndDeepTrees) {
  make();
  put(tree_ / "with\nnewline", "enil");
  put(tree_ / "a\n\x01\xff name", "x");
  int at = ::open((tree_ / "d0").c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 1500; ++i) {
    ASSERT_EQ(::mkdirat(at, "deep", 0700), 0);
    const int next = ::openat(at, "deep", O_RDONLY | O_DIRECTORY);
    ::close(at);
    at = next;
  }
  ::close(at);
  expect_fresh();
}

TEST_F(UsedTree, EverythingRemoved) {
  make();
  for (const auto& entry : fs::directory_iterator(tree_)) (void)remove_tree(entry.path());
  expect_fresh();
}

TEST_F(UsedTree, AttributesOfFilesAndDirectories) {
  put(from_ / "noted", "x");
  if (::setxattr((from_ / "noted").c_str(), "user.note", "text", 4, 0) != 0) GTEST_SKIP() << "no attributes";
  ::setxattr((from_ / "d0").c_str(), "user.note", "text", 4, 0);
  make();
  ::setxattr((tree_ / "noted").c_str(), "user.note", "evil", 4, 0);
  ::setxattr((tree_ / "b").c_str(), "user.more", "evil", 4, 0);
  EXPECT_EQ(expect_fresh().copied, 2U);
  char value[8] = {};
  EXPECT_EQ(::getxattr((tree_ / "noted").c_str(), "user.note", value, sizeof value), 4);
  EXPECT_EQ(std::string(value), "text");
  // Of a directory: files made in it later may inherit from them. Such a tree is given up.
  ::setxattr((tree_ / "hollow").c_str(), "user.more", "evil", 4, 0);
  EXPECT_FALSE(reset().ok());
}

TEST_F(UsedTree, ADefaultAccessListOfADirectoryIsNotInherited) {
  make();
  // Version 2: owner rwx, group rwx, others rwx.
  const unsigned char list[] = {2, 0, 0,    0,    1,    0,    7,    0, 0xff, 0xff, 0xff, 0xff, 4,    0,
                                7, 0, 0xff, 0xff, 0xff, 0xff, 0x20, 0, 7,    0,    0xff, 0xff, 0xff, 0xff};
  if (::setxattr((tree_ / "d0").c_str(), "system.posix_acl_default", list, sizeof list, 0) != 0)
    GTEST_SKIP() << "no access lists";
  put(tree_ / "d0" / "e0" / "f0", "evil");
  EXPECT_FALSE(reset().ok());
}

TEST_F(UsedTree, FlagsOfADirectory) {
  make();
  const int fd = ::open((tree_ / "hollow").c_str(), O_RDONLY | O_DIRECTORY);
  int flags = 0;
  ASSERT_EQ(::ioctl(fd, FS_IOC_GETFLAGS, &flags), 0);
  flags |= FS_NODUMP_FL;
  ASSERT_EQ(::ioctl(fd, FS_IOC_SETFLAGS, &flags), 0);
  ::close(fd);
  EXPECT_FALSE(reset().ok());
}

TEST_F(UsedTree, WhatCantBeRemovedIsGivenUp) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to make a file immutable";
  make();
  put(tree_ / "new", "x");
  const int fd = ::open((tree_ / "new").c_str(), O_RDONLY);
  int flags = FS_IMMUTABLE_FL;
  ASSERT_EQ(::ioctl(fd, FS_IOC_SETFLAGS, &flags), 0);
  EXPECT_FALSE(reset().ok());
  flags = FS_APPEND_FL;
  ::ioctl(fd, FS_IOC_SETFLAGS, &flags);
  EXPECT_FALSE(reset().ok());
  flags = 0;
  ::ioctl(fd, FS_IOC_SETFLAGS, &flags);
  ::close(fd);
}

TEST_F(UsedTree, AnotherDirectoryInItsPlaceIsNotTaken) {
  make();
  (void)remove_tree(tree_);
  fs::rename(dir_ / "from", dir_ / "kept");
  ASSERT_TRUE(clone_tree(dir_ / "kept", tree_).ok());
  fs::rename(dir_ / "kept", dir_ / "from");
  manifest_.root.inode += 1;
  EXPECT_FALSE(reset().ok());
}

// A clock that was set back: the ctime is older than the copy, and is another one all the same.
TEST_F(UsedTree, AnOlderTimeIsAnotherTime) {
  make();
  for (auto& entry : manifest_.entries)
    if (entry.path == "a") entry.changed_s += 1000;
  EXPECT_EQ(expect_fresh().copied, 1U);
}

// What is written right after the copy has another ctime: the clock has ticked.
TEST_F(UsedTree, WritesOfTheSameMomentAreTold) {
  for (int i = 0; i < 20; ++i) {
    make();
    put(tree_ / "a", "wrong");
    struct stat st {};
    ASSERT_EQ(::lstat((tree_ / "a").c_str(), &st), 0);
    const auto known = std::find_if(manifest_.entries.begin(), manifest_.entries.end(),
                                    [](const auto& entry) { return entry.path == "a"; });
    ASSERT_TRUE(st.st_ctim.tv_sec != known->changed_s || st.st_ctim.tv_nsec != known->changed_ns);
    (void)remove_tree(tree_);
  }
}

TEST_F(UsedTree, ManifestsThatAreNone) {
  make();
  const auto bytes = to_bytes(manifest_, "key");
  EXPECT_TRUE(manifest_from_bytes(bytes, "key"));
  EXPECT_FALSE(manifest_from_bytes(bytes, "other"));
  EXPECT_FALSE(manifest_from_bytes({}, "key"));
  EXPECT_FALSE(manifest_from_bytes(bytes + "f1", "key"));
  for (std::size_t n = 0; n < bytes.size(); n += 7) {
    const auto cut = manifest_from_bytes(std::string_view(bytes).substr(0, n), "key");
    EXPECT_TRUE(!cut || cut->entries.size() < manifest_.entries.size());
  }
}

TEST_F(UsedTree, MemoryFileSystemsAreNotTrusted) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const auto disk = dir_ / "disk";
  fs::create_directory(disk);
  if (::mount("small", disk.c_str(), "tmpfs", 0, "size=2m") != 0)
    GTEST_SKIP() << "this process may not mount";
  EXPECT_FALSE(tells_changes(disk));
  ::umount(disk.c_str());
}

/// One hostile step somewhere in the tree.
class Vandal {
 public:
  Vandal(fs::path tree, unsigned seed) : tree_(std::move(tree)), random_(seed) {}
  void step() {
    std::vector<fs::path> all;
    std::error_code ec;
    for (const auto& e : fs::recursive_directory_iterator(tree_, ec)) all.push_back(e.path());
    std::sort(all.begin(), all.end());
    if (all.empty()) return;
    const auto pick = [&] { return all[random_() % all.size()]; };
    const auto one = pick(), two = pick();
    const auto fresh = one.parent_path() / ("new" + std::to_string(random_() % 1000));
    struct stat st {};
    ::lstat(one.c_str(), &st);
    const timespec times[2] = {st.st_atim, st.st_mtim};
    switch (random_() % 12) {
      case 0:
        (void)remove_tree(one);
        break;
      case 1:
        ::rename(one.c_str(), fresh.c_str());
        break;
      case 2:
        ::rename(one.c_str(), two.c_str());
        break;
      case 3:
        ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, two.c_str(), RENAME_EXCHANGE);
        break;
      case 4:
        ::link(one.c_str(), fresh.c_str());
        break;
      case 5:
        if (S_ISREG(st.st_mode)) {
          const auto text = read_file(one).value_or("");
          (void)write_file(one, std::string(text.size(), static_cast<char>('a' + random_() % 26)));
          ::utimensat(AT_FDCWD, one.c_str(), times, AT_SYMLINK_NOFOLLOW);
        }
        break;
      case 6:
        ::chmod(one.c_str(), static_cast<mode_t>(random_() % 07777));
        break;
      case 7:
        ::symlink("../..", fresh.c_str());
        break;
      case 8:
        ::mkdir(fresh.c_str(), 0700);
        (void)write_file(fresh / "in", "in");
        break;
      case 9:
        ::utimensat(AT_FDCWD, one.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
        break;
      case 10:
        if (S_ISREG(st.st_mode) && ::unlink(one.c_str()) == 0) {
          (void)write_file(one, std::string(static_cast<std::size_t>(st.st_size), 'x'));
          ::chmod(one.c_str(), st.st_mode & 07777);
          ::utimensat(AT_FDCWD, one.c_str(), times, AT_SYMLINK_NOFOLLOW);
        }
        break;
      default:
        if (S_ISREG(st.st_mode)) ::truncate(one.c_str(), static_cast<off_t>(random_() % 20));
        break;
    }
  }

 private:
  fs::path tree_;
  std::mt19937 random_;
};

TEST_F(UsedTree, AnyMixtureOfChangesIsPutBack) {
  make();
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Vandal vandal(tree_, seed);
    for (unsigned i = 0; i < 1 + seed % 25; ++i) vandal.step();
    expect_fresh("seed " + std::to_string(seed));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace hydra
