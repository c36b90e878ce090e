// Standard output that can't be written, each case in a process of its own.
#include "cli/app.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// The exit code of `hydra WORD` with this file as its standard output.
int exit_with_output(const char* word, int output) {
  std::fflush(nullptr);  // or the child writes what is held here, too
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGPIPE, SIG_IGN);
    ::dup2(output, 1);
    const char* argv[] = {"hydra", word, nullptr};
    ::_exit(hydra::cli::run(2, argv));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Output, AFullDiskOrAClosedStreamIsAFailure) {
  const int full = ::open("/dev/full", O_WRONLY), closed = ::open("/dev/null", O_RDONLY),
            fine = ::open("/dev/null", O_WRONLY);
  for (const char* word : {"--help", "--version"}) {
    EXPECT_EQ(exit_with_output(word, full), 3) << word;
    EXPECT_EQ(exit_with_output(word, closed), 3) << word;
    EXPECT_EQ(exit_with_output(word, fine), 0) << word;
  }
  for (const int fd : {full, closed, fine}) ::close(fd);
}

TEST(Output, AReaderWhoWentAwayIsNoFailure) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(exit_with_output("--help", ends[1]), 0);
  ::close(ends[1]);
}

}  // namespace
