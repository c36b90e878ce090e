// hydra-shim --attempt DIR [--placed]: runs one attempt and outlives its starter. With --placed (started by
// an engine), the shim reads the payload's environment from the attempt's directory and removes it. Exit
// codes: 0 the result is written, 75 another shim runs this attempt, 64 and above: nothing ran.
#include "record.hpp"
#include "scratch.hpp"
#include "stage2.hpp"
#include "supervisor.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int kUsage = 64, kBadSpec = 65, kNoClaim = 73, kNoResult = 74, kTaken = 75;

shim::Outcome run(const std::string& dir, const shim::Spec& spec, shim::Scratch& scratch) {
  shim::Outcome outcome;
  if (!scratch.fill(outcome.message)) {
    outcome.end = shim::asked_to_end(dir) ? "cancelled" : "start_failed";
  } else if (outcome = shim::Supervisor(dir, spec).run(); outcome.end != "start_failed") {
    std::string problem;
    if (!scratch.give_back(problem)) outcome.end = "lost", outcome.message = problem;
  }
  scratch.clear();
  return outcome;
}

int attempt(const std::string& dir, bool placed) {
  shim::Spec spec;
  std::string problem;
  if (!shim::read_spec(dir, spec, problem)) {
    std::fprintf(stderr, "hydra-shim: %s\n", problem.c_str());
    return kBadSpec;
  }
  if (spec.daemon != 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != spec.daemon)
      ::raise(SIGTERM);  // ended before; blocked, so the supervisor sees a cancel
  }
  switch (shim::claim(dir, spec)) {
    case shim::Claim::taken:
      return kTaken;
    case shim::Claim::failed:
      std::perror("hydra-shim: started.json");
      return kNoClaim;
    case shim::Claim::ours:
      break;
  }
  shim::Scratch scratch(dir, spec);  // needs the engine's own variables, before they are replaced
  if (placed && !shim::take_environment_file(dir)) {
    std::fprintf(stderr, "hydra-shim: the environment can't be read\n");
    return kBadSpec;
  }
  const auto outcome = run(dir, spec, scratch);
  // All processes of the attempt have ended, and its result would be lost: wait for a full disk to be
  // emptied.
  constexpr int kPause = 250;
  for (std::int64_t waited = 0;; waited += kPause) {
    if (shim::publish(dir, spec, outcome)) return 0;
    if (errno != ENOSPC && errno != EDQUOT && errno != EIO && errno != ENOMEM) break;
    if (waited >= spec.publish_ms) break;
    ::poll(nullptr, 0, kPause);
  }
  return kNoResult;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && (std::strcmp(argv[1], "--stage2") == 0 || std::strcmp(argv[1], "--container") == 0))
    return shim::stage2_main(argc, argv);
  // From here on TERM is a request that stays pending, and never ends the supervisor.
  const auto blocked = shim::signals({SIGCHLD, SIGTERM});
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE}) ::signal(s, SIG_IGN);
  const bool placed = argc == 4 && std::strcmp(argv[3], "--placed") == 0;
  if (argc < 3 || (argc > 3 && !placed) || std::strcmp(argv[1], "--attempt") != 0) {
    std::fprintf(stderr, "usage: hydra-shim --attempt DIR [--placed]\n");
    return kUsage;
  }
  ::syscall(SYS_close_range, 3, ~0U, 0);
  ::setsid();
  try {
    return attempt(argv[2], placed);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "hydra-shim: %s\n", e.what());
    return kNoResult;
  }
}
