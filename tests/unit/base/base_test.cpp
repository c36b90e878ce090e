#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"
#include "base/state_lock.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra {
namespace {

TEST(Result, CarriesAValueOrAnError) {
  const auto half = [](int n) -> Result<int> {
    if (n % 2) return Error{Errc::usage, "odd", "n", {}};
    return n / 2;
  };
  const auto quarter = [&](int n) -> Result<int> {
    HYDRA_TRY(const auto h, half(n));
    return half(h);
  };
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(describe(quarter(6).error()), "n: odd");
  EXPECT_EQ(quarter(7).value_or(-1), -1);
}

TEST(Result, AnErrorKeepsTheErrnoOfACallAndOfAProgram) {
  EXPECT_EQ(system_error("cannot write x", ENOSPC).number, ENOSPC);
  EXPECT_EQ(passing_errno("error: unable to write file a.txt: No space left on device"), ENOSPC);
  EXPECT_EQ(passing_errno("fatal: cannot create thread: Resource temporarily unavailable"), EAGAIN);
  EXPECT_EQ(passing_errno("fatal: pathspec 'x' did not match any files"), 0);
}

TEST(Result, EveryCodeHasANameThatComesBack) {
  for (const auto code :
       {Errc::usage, Errc::config, Errc::not_found, Errc::conflict, Errc::refused, Errc::environment,
        Errc::git, Errc::io, Errc::timeout, Errc::protocol, Errc::unsupported, Errc::internal})
    EXPECT_EQ(errc_from_name(errc_name(code)), code);
}

TEST(Strings, LinesHaveNoEndsAndNoEmptyLast) {
  EXPECT_EQ(lines("a\r\nb\n\nc"), (std::vector<std::string_view>{"a", "b", "", "c"}));
  EXPECT_EQ(lines("a\n").size(), 1u);
  EXPECT_TRUE(lines("").empty());
}

TEST(Strings, SanitizeDropsWhatATerminalWouldObey) {
  EXPECT_EQ(sanitize("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(sanitize("\x1b]0;title\atext"), "text");
  EXPECT_EQ(sanitize("a\tb\nc\rd"), "a b cd");
  EXPECT_EQ(sanitize("a\nb", true), "a\nb");
  EXPECT_EQ(sanitize("x\xff"), "x\xEF\xBF\xBD");
  EXPECT_EQ(sanitize("x\xE2\x80\xAEy"), "x\xEF\xBF\xBDy");  // right-to-left override
  EXPECT_EQ(sanitize("\x1b[31"), "");                       // cut inside a sequence
  EXPECT_EQ(sanitize("\x1b"), "");
  EXPECT_EQ(sanitize("grün €"), "grün €");
}

// Each in its place would move all that stands behind it: an hour for this text.
TEST(Strings, ReplacingIsLinearWhateverTheTextHolds) {
  constexpr std::size_t kMany = 4u << 20;
  EXPECT_EQ(replace_all(std::string(kMany, 'a'), "a", "bc").size(), 2 * kMany);
  EXPECT_EQ(replace_all("aXbXX", "X", "--"), "a--b----");
  EXPECT_EQ(replace_all("XX", "X", ""), "");
  EXPECT_EQ(replace_all("aaa", "aa", "a"), "aa") << "what was put in is not looked at again";
  EXPECT_EQ(replace_all("abc", "", "x"), "abc");
}

// The first and the last code point of each length (RFC 3629, section 3).
TEST(Utf8, CodePointsThereAndBack) {
  for (const char32_t point :
       {U'\0', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xFFFF', U'\x10000', U'\x10FFFF'}) {
    std::string text;
    append_utf8(text, point);
    char32_t again = 1;
    EXPECT_EQ(decode_utf8(text, 0, again), text.size());
    EXPECT_EQ(again, point);
  }
  char32_t point = 0;
  for (const char* wrong :
       {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x80"})
    EXPECT_EQ(decode_utf8(wrong, 0, point), 0U);
}

TEST(Strings, WidthCountsColumns) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("grün"), 4u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);
  EXPECT_EQ(ellipsize("日本語", 5), "日本…");
  EXPECT_EQ(ellipsize("abc", 3), "abc");
  EXPECT_EQ(ellipsize("abcd", 3), "ab…");
  EXPECT_EQ(ellipsize("abcd", 0), "");
}

TEST(Strings, NearestFindsTypingErrorsOnly) {
  const std::vector<std::string> known{"test_command", "build_command", "weights"};
  EXPECT_EQ(nearest("test_comand", known), "test_command");
  EXPECT_EQ(nearest("weigths", known), "weights");
  EXPECT_EQ(nearest("colour", known), std::nullopt);
}

TEST(Strings, ParseIntTakesWholeNumbersOnly) {
  EXPECT_EQ(parse_int("42"), 42);
  for (const auto bad : {"", "-1", "4x", " 4", "99999999999999999999"})
    EXPECT_EQ(parse_int(bad), std::nullopt) << bad;
}

TEST(Strings, ShellQuoteKeepsPlainWords) {
  EXPECT_EQ(shell_quote("make"), "make");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote(""), "''");
}

TEST(Clock, FormatsForPeople) {
  EXPECT_EQ(format_utc(1708646400000), "2024-02-23T00:00:00Z");
  EXPECT_EQ(format_duration(45'999), "45s");
  EXPECT_EQ(format_duration(187'000), "3m07s");
  EXPECT_EQ(format_duration(7'500'000), "2h05m");
}

TEST(Ids, AreOfTheirAlphabetAndDiffer) {
  RandomIds ids;
  const auto a = ids.race_id();
  EXPECT_EQ(a.size(), 10u);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz"), std::string::npos);
  EXPECT_NE(a, ids.race_id());
  EXPECT_EQ(ids.token().size(), 32u);
}

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-files-XXXXXX";
    dir_ = ::mkdtemp(pattern);
  }
  void TearDown() override { (void)remove_tree(dir_); }
  fs::path dir_;
};

TEST_F(FilesTest, RemoveTreeNeverFollowsALink) {
  const auto outside = dir_ / "outside";
  ASSERT_TRUE(make_dirs(outside).ok());
  ASSERT_TRUE(write_file(outside / "keep", "x").ok());
  const auto tree = dir_ / "tree";
  ASSERT_TRUE(make_dirs(tree / "sub").ok());
  fs::create_directory_symlink(outside, tree / "sub" / "link");
  ASSERT_TRUE(remove_tree(tree).ok());
  EXPECT_FALSE(fs::exists(tree));
  EXPECT_TRUE(fs::exists(outside / "keep"));
  EXPECT_TRUE(remove_tree(tree).ok());  // nothing there is success
}

TEST_F(FilesTest, RemoveTreeOpensWhatItsOwnerLocked) {
  const auto locked = dir_ / "locked";
  ASSERT_TRUE(make_dirs(locked / "in").ok());
  ASSERT_TRUE(write_file(locked / "in" / "f", "x").ok());
  ::chmod((locked / "in").c_str(), 0);
  EXPECT_TRUE(remove_tree(locked).ok());
  EXPECT_FALSE(fs::exists(locked));
}

TEST_F(FilesTest, AtomicWriteReplacesWholeAndLeavesNoTemporary) {
  ASSERT_TRUE(write_file_atomic(dir_ / "f", "one", false).ok());
  ASSERT_TRUE(write_file_atomic(dir_ / "f", "two", true).ok());
  EXPECT_EQ(*read_file(dir_ / "f"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_), fs::directory_iterator{}), 1);
  EXPECT_FALSE(write_file_atomic(dir_ / "no" / "f", "x", false).ok());
}

TEST_F(FilesTest, ReadFileTellsMissingFromTooLarge) {
  EXPECT_EQ(read_file(dir_ / "none").error().code, Errc::not_found);
  ASSERT_TRUE(write_file(dir_ / "big", std::string(100, 'x')).ok());
  EXPECT_FALSE(read_file(dir_ / "big", 99).ok());
  EXPECT_TRUE(read_file(dir_ / "big", 100).ok());
}

EnvLookup fake_env(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

TEST(Paths, FollowTheXdgRules) {
  const auto paths = resolve_paths(fake_env({{"HOME", "/home/me"}, {"XDG_RUNTIME_DIR", "/run/user/1"}}), 1);
  ASSERT_TRUE(paths.ok());
  EXPECT_EQ(paths->state, "/home/me/.local/state/hydra");
  EXPECT_EQ(paths->config, "/home/me/.config/hydra");
  EXPECT_EQ(paths->runtime, "/run/user/1/hydra");
  const auto relative = resolve_paths(fake_env({{"HOME", "/h"}, {"XDG_STATE_HOME", "not/absolute"}}), 1);
  EXPECT_EQ(relative->state, "/h/.local/state/hydra");
}

TEST(Paths, TwoStateDirectoriesNeverShareASocket) {
  const auto a =
      resolve_paths(fake_env({{"HOME", "/h"}, {"XDG_STATE_HOME", "/a"}, {"XDG_RUNTIME_DIR", "/r"}}), 1);
  const auto b =
      resolve_paths(fake_env({{"HOME", "/h"}, {"XDG_STATE_HOME", "/b"}, {"XDG_RUNTIME_DIR", "/r"}}), 1);
  EXPECT_NE(a->socket(), b->socket());
}

TEST(Paths, TheSocketFitsWhateverTheDirectories) {
  const std::string deep = "/" + std::string(150, 'd');
  const auto paths = resolve_paths(fake_env({{"HOME", deep}, {"XDG_RUNTIME_DIR", deep}}), 7);
  ASSERT_TRUE(paths.ok());
  EXPECT_LT(paths->socket().string().size(), 108u);
}

TEST(Paths, WithoutHomeItSaysSo) { EXPECT_FALSE(resolve_paths(fake_env({}), 1).ok()); }

}  // namespace
TEST(Elapsed, IsByTheUptimeOfOneStartOfTheMachineAndNeverNegative) {
  const Moment began{1'700'000'000'000, {"boot-a", 5'000}};
  // The clock was set back two days meanwhile, and forward.
  EXPECT_EQ(elapsed_ms(began, {began.at_ms - 172'800'000, {"boot-a", 65'000}}), 60'000);
  EXPECT_EQ(elapsed_ms(began, {began.at_ms + 172'800'000, {"boot-a", 65'000}}), 60'000);
  // Another start, or not known: only the clock is left.
  EXPECT_EQ(elapsed_ms(began, {began.at_ms + 7'000, {"boot-b", 1'000}}), 7'000);
  EXPECT_EQ(elapsed_ms(began, {began.at_ms - 7'000, {"boot-b", 1'000}}), 0);
  EXPECT_EQ(elapsed_ms({10, {}}, {4, {}}), 0);
  const SystemClock clock;
  const auto now = clock.moment();
  EXPECT_FALSE(now.up.boot.empty());
  EXPECT_GE(clock.uptime().ms, now.up.ms);
}

class StateLockTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-lock-XXXXXX";
    root_ = ::mkdtemp(pattern);
    paths_.state = root_ / "state";
    paths_.runtime = root_ / "run";
    ASSERT_TRUE(make_dirs(paths_.state, 0700).ok());
  }
  void TearDown() override { (void)remove_tree(root_); }
  fs::path root_;
  Paths paths_;
};

TEST_F(StateLockTest, TheSecondHearsWhoHasIt) {
  EXPECT_FALSE(StateLock::holder(paths_));
  auto first = StateLock::take(paths_);
  ASSERT_TRUE(first.ok()) << describe(first.error());
  const auto second = StateLock::take(paths_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Errc::conflict);
  EXPECT_NE(second.error().message.find("pid " + std::to_string(::getpid())), std::string::npos);
  EXPECT_NE(second.error().message.find(paths_.socket().string()), std::string::npos);
  const auto holder = StateLock::holder(paths_);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, ::getpid());
  EXPECT_EQ(holder->socket, paths_.socket());
}

TEST_F(StateLockTest, ARemovedFileGivesNobodyTheLock) {
  auto first = StateLock::take(paths_);
  ASSERT_TRUE(first.ok());
  fs::remove(paths_.state / "lock");
  EXPECT_FALSE(StateLock::take(paths_).ok());
  EXPECT_TRUE(StateLock::holder(paths_));
  EXPECT_TRUE(first->keep());
  EXPECT_EQ(StateLock::last_holder(paths_).pid, ::getpid());
  // A new directory in the place of the old one is not the lock's.
  fs::rename(paths_.state, root_ / "moved");
  fs::create_directory(paths_.state);
  EXPECT_FALSE(first->keep());
  EXPECT_TRUE(StateLock::take(paths_).ok());
}

}  // namespace hydra
