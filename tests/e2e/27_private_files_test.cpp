// Other users of the machine see nothing of a race and can't speak to the daemon, whatever the user's umask.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// "path mode" of everything below `root`, which itself lets nobody through, that others may write to.
std::vector<std::string> writable_for_others(const fs::path& root) {
  std::vector<std::string> found;
  std::error_code ec;
  for (fs::recursive_directory_iterator at(root, ec), end; !ec && at != end; at.increment(ec)) {
    struct stat st {};
    if (::lstat(at->path().c_str(), &st) != 0 || S_ISLNK(st.st_mode)) continue;
    if ((st.st_mode & 022U) != 0 && (st.st_mode & S_ISVTX) == 0) {
      char mode[16];
      std::snprintf(mode, sizeof mode, " %04o", st.st_mode & 07777U);
      found.push_back(at->path().string() + mode);
    }
  }
  return found;
}

class Umask {
 public:
  explicit Umask(mode_t mask) : old_(::umask(mask)) {}
  ~Umask() { ::umask(old_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  mode_t old_;
};

TEST(PrivateFiles, NothingOfARaceIsOpenToOthers) {
  World world;
  const Umask open(0);
  world.project(
      "[scoring]\nbuild_command = \"true\"\ntest_command = \"true\"\n" +
      script_agent("a",
                   "umask 0; echo fine >> src/app.txt; mkdir -m 777 wide; echo x > wide/f; "
                   "chmod 666 wide/f; echo out; echo err >&2; touch ~/in-home; chmod 666 ~/in-home") +
      script_agent("dies", "exit 3"));
  EXPECT_EQ(world.hydra({"race", "--agents", "a,dies", "task"}).exit, 0);
  EXPECT_EQ(world.hydra({"merge", "a"}).exit, 0);
  for (const auto& root : {world.state(), world.runtime()}) {
    struct stat st {};
    ASSERT_EQ(::lstat(root.c_str(), &st), 0) << root;
    EXPECT_EQ(st.st_mode & 07777U, 0700U) << root;
  }
  // Directories of Hydra's own, and the files in them: nobody else's bit at all. An agent's tree keeps the
  // modes that the agent gave it, below a directory that lets nobody through.
  const std::string id = world.results()["race"];
  const auto race = world.state() / "races" / id;
  for (const auto& path : {world.state() / "races", race, race / "attempts", race / "store/guard"})
    EXPECT_TRUE(fs::exists(path)) << path;
  for (const auto& path : {world.state() / "races", race, race / "attempts", race / "store/guard",
                           race / "run", race / "home", world.state() / "merges", world.state() / "trash"}) {
    struct stat st {};
    if (::lstat(path.c_str(), &st) != 0) continue;
    EXPECT_EQ(st.st_mode & 077U, 0U) << path;
  }
  const auto expect_private = [](const fs::path& directory) {
    std::error_code ec;
    EXPECT_FALSE(fs::is_empty(directory, ec)) << directory;
    for (fs::recursive_directory_iterator at(directory, ec), end; !ec && at != end; at.increment(ec)) {
      struct stat st {};
      if (::lstat(at->path().c_str(), &st) != 0 || S_ISLNK(st.st_mode)) continue;
      EXPECT_EQ(st.st_mode & 077U, 0U) << at->path();
    }
  };
  expect_private(race / "attempts");
  expect_private(world.runtime());
  for (const auto& entry : fs::directory_iterator(world.state()))
    if (entry.is_regular_file()) {
      struct stat st {};
      ASSERT_EQ(::lstat(entry.path().c_str(), &st), 0);
      EXPECT_EQ(st.st_mode & 0177U, 0U) << entry.path();
    }
  // Files that Hydra itself wrote are writable for nobody else: all but the agent's tree and home, and what
  // became of the tree when it went to the trash.
  const std::string agents_own[] = {(race / "work" / "a" / "").string(), (race / "home" / "a").string(),
                                    (world.state() / "trash" / "a-").string()};
  for (const auto& found : writable_for_others(world.state()))
    EXPECT_TRUE(std::any_of(std::begin(agents_own), std::end(agents_own), [&](const std::string& place) {
      return found.starts_with(place);
    })) << found;
  // In the user's repository their umask counts, as with git; Hydra adds nothing that others may write to.
  struct stat socket {};
  ASSERT_EQ(::lstat(world.socket().c_str(), &socket), 0);
  EXPECT_EQ(socket.st_mode & 077U, 0U);
}

// A09: the directories and the mode of the socket are one wall; behind it the daemon asks who calls.
TEST(PrivateFiles, TheDaemonAnswersNobodyElse) {
  HYDRA_NEEDS(machine::Ability::other_users);
  World world;
  world.project(script_agent("a", "echo fine >> src/app.txt"));
  ASSERT_EQ(world.hydra({"race", "--agents", "a", "task"}).exit, 0);
  const auto call =
      "use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => '" + world.socket().string() +
      "') or print(\"no way in\\n\"), exit; "
      "print $s \"GET /v1/health HTTP/1.1\\r\\nHost: hydra\\r\\nConnection: close\\r\\n\\r\\n\"; "
      "$s->flush; local $SIG{ALRM} = sub { print \"silence\\n\"; exit }; alarm 5; print while <$s>;";
  const auto ask = [&](const Words& who) {
    Words words{who};
    words.insert(words.end(), {"/usr/bin/perl", "-e", call});
    return Process(words, "/", world.environment()).wait().out;
  };
  const Words nobody{"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  EXPECT_THAT(ask({}), HasSubstr("200 OK"));
  EXPECT_EQ(ask(nobody), "no way in\n");
  for (const auto& path : {world.root(), world.runtime().parent_path(), world.runtime()})
    ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  ASSERT_EQ(::chmod(world.socket().c_str(), 0777), 0);
  const auto answer = ask(nobody);
  EXPECT_THAT(answer, Not(HasSubstr("200"))) << answer;
  EXPECT_THAT(answer, Not(HasSubstr("pid"))) << answer;
  EXPECT_THAT(answer, Not(HasSubstr("no way in"))) << "the walls were taken away for this";
  EXPECT_THAT(ask({}), HasSubstr("200 OK")) << "and it goes on answering the user";
  ::chmod(world.runtime().c_str(), 0700);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
