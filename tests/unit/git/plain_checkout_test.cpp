// A checkout that is made in the process holds what git's own holds, and leaves to git what isn't for it.
#include "git/store/plain_checkout.hpp"

#include "fixture.hpp"

#include <algorithm>
#include <map>
#include <sys/stat.h>

namespace hydra::git::test {
namespace {

class PlainCheckoutTest : public GitTest {
 protected:
  /// `git` is counted by a script in front of it.
  void SetUp() override {
    GitTest::SetUp();
    const fs::path real = exec::find_program("git", path());
    write(root_ / "bin/git",
          "#!/bin/sh\necho x >> '" + (root_ / "count").string() + "'\nexec " + real.string() + " \"$@\"\n");
    fs::permissions(root_ / "bin/git", fs::perms(0755));
  }
  Store counted() {
    auto facts = look();
    EXPECT_TRUE(facts.ok());
    spec_ = spec_of(*facts);
    spec_.environment = {{"PATH", (root_ / "bin").string() + ":" + path()}, {"HOME", home_.string()}};
    return store_of(spec_);
  }
  /// How many gits a checkout of `commit` (the base, unless given) started; the files lie in `checkout()`.
  int checkout_by(const Store& made, const std::string& commit = {}) {
    fs::remove(root_ / "count");
    const auto done = made.checkout(checkout(), commit.empty() ? spec_.repository.base : commit, {});
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : describe(done.error()));
    const auto text = read_file(root_ / "count");
    return text.ok() ? static_cast<int>(std::count(text->begin(), text->end(), 'x')) : 0;
  }
  [[nodiscard]] fs::path checkout() const { return root_ / "checkout"; }

  /// All that lies below, with its kind, mode and content; `.git` apart.
  static std::map<std::string, std::string> below(const fs::path& directory) {
    std::map<std::string, std::string> all;
    for (auto it = fs::recursive_directory_iterator(directory); it != fs::recursive_directory_iterator();
         ++it) {
      const auto name = it->path().lexically_relative(directory).string();
      if (name == ".git") {
        it.disable_recursion_pending();
        continue;
      }
      struct stat info {};
      EXPECT_EQ(::lstat(it->path().c_str(), &info), 0);
      auto& text = all[name] = std::to_string(info.st_mode) + " ";
      if (it->is_symlink())
        text += fs::read_symlink(it->path()).string();
      else if (it->is_regular_file())
        text += read(it->path());
    }
    return all;
  }
  /// Returns what git's own checkout of the user's HEAD holds.
  std::map<std::string, std::string> of_git() {
    git(user_, {"worktree", "add", "-q", "--detach", (root_ / "rival").string()});
    return below(root_ / "rival");
  }
  void expect_clean() {
    EXPECT_EQ(git(checkout(), {"status", "--porcelain", "--ignored"}), "");
    EXPECT_EQ(git(checkout(), {"fsck", "--no-dangling"}), "");
  }
};

TEST_F(PlainCheckoutTest, HoldsWhatGitsOwnHolds) {
  sample();
  write(user_ / "a/b/c/deep.txt", "deep\n");
  write(user_ / "a/b.txt", "between the directories a/b and a/c\n");
  write(user_ / "a/c/last.txt", std::string("\0binary\r\n", 9));
  write(user_ / "with blanks/and 'quotes'", "");
  fs::create_symlink("/nowhere/at all", user_ / "a/dangling");
  commit_all();
  const auto made = counted();
  EXPECT_EQ(checkout_by(made), 0);
  EXPECT_EQ(below(checkout()), of_git());
  expect_clean();
  EXPECT_EQ(git(checkout(), {"write-tree"}), git(user_, {"rev-parse", "HEAD^{tree}"}));
  EXPECT_EQ(git(checkout(), {"rev-parse", "HEAD"}), spec_.repository.base);
}

TEST_F(PlainCheckoutTest, GitNeedNotReadTheFilesAgain) {
  sample();
  const auto made = counted();
  ASSERT_EQ(checkout_by(made), 0);
  // Touching the index makes no entry "racily clean": what is named now is what the index doesn't know.
  fs::last_write_time(checkout() / ".git/index", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(git(checkout(), {"diff-files"}), "");
}

TEST_F(PlainCheckoutTest, AnEmptyTreeIsAnEmptyDirectory) {
  init();
  commit_all();
  const auto made = counted();
  EXPECT_EQ(checkout_by(made), 0);
  EXPECT_TRUE(below(checkout()).empty());
  expect_clean();
}

struct Case {
  const char* name;
  void (*make)(const fs::path& user);
};

class LeftToGit : public PlainCheckoutTest, public ::testing::WithParamInterface<Case> {};

TEST_P(LeftToGit, AndTheSameThen) {
  sample();
  GetParam().make(user_);
  commit_all();
  const auto made = counted();
  EXPECT_GT(checkout_by(made), 0);
  EXPECT_EQ(below(checkout()), of_git());
  expect_clean();
}

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  ASSERT_TRUE(write_file(path, text).ok());
}

INSTANTIATE_TEST_SUITE_P(
    Trees, LeftToGit,
    ::testing::Values(
        Case{"umlauts", [](const fs::path& user) { put(user / "Gr\xC3\xBC\xC3\x9F.txt", "x\n"); }},
        Case{"colon", [](const fs::path& user) { put(user / "c:/x", "x\n"); }},
        Case{"large", [](const fs::path& user) { put(user / "large", std::string((16u << 20) + 1, 'x')); }},
        Case{"line_ends",
             [](const fs::path& user) {
               put(user / ".gitattributes", "*.bat text eol=crlf\n");
               put(user / "run.bat", "x\ny\n");
             }},
        Case{"many",
             [](const fs::path& user) {
               for (int i = 0; i < 2000; ++i) put(user / "m" / std::to_string(i), "x\n");
             }}),
    [](const auto& of) { return of.param.name; });

// Attributes that a result brings along don't affect what is written: only the base's attributes do.
TEST_F(PlainCheckoutTest, AResultsOwnAttributesConvertNothing) {
  sample();
  const auto made = counted();
  const auto work = workspace(made);
  write(work / ".gitattributes", "* text eol=crlf\n");
  const auto captured = capture(made);
  EXPECT_EQ(checkout_by(made, captured.commit), 0);
  EXPECT_EQ(read(checkout() / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(git(checkout(), {"write-tree"}),
            git(made.directory(), {"--git-dir=.", "rev-parse", captured.commit + "^{tree}"}));
}

// A tree that no git makes: a link, and a directory of the same name behind it.
TEST_F(PlainCheckoutTest, NothingIsWrittenThroughALink) {
  sample();
  const auto made = counted();
  const auto outside = root_ / "outside";
  fs::create_directories(outside);
  const auto bytes = [](const std::string& id) {
    std::string raw;
    for (std::size_t i = 0; i < id.size(); i += 2)
      raw += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
    return raw;
  };
  const auto& store = made.directory();
  const auto object = [&](const std::string& kind, const std::string& content) {
    return git(store, {"--git-dir=.", "hash-object", "-t", kind, "--literally", "-w", "--stdin"}, content);
  };
  const auto link = object("blob", outside.string());
  const auto file = object("blob", "evil\n");
  const std::string end(1, '\0');
  const auto inner = object("tree", "100644 x" + end + bytes(file));
  const auto tree = object("tree", "120000 a" + end + bytes(link) + "40000 a" + end + bytes(inner));
  const auto commit = git(store, {"--git-dir=.", "commit-tree", tree, "-m", "crafted"});
  (void)made.checkout(checkout(), commit, {});
  EXPECT_TRUE(fs::is_empty(outside));
}

}  // namespace
}  // namespace hydra::git::test
