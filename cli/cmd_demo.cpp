#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/demo_project.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

struct Args {
  bool keep = false;
};

// While a step of the demo runs, Ctrl-C is the step's: the demo itself still has to stop its daemon.
class LeaveInterruptsToChildren {
 public:
  LeaveInterruptsToChildren() : old_(::signal(SIGINT, SIG_IGN)) {}
  LeaveInterruptsToChildren(const LeaveInterruptsToChildren&) = delete;
  LeaveInterruptsToChildren& operator=(const LeaveInterruptsToChildren&) = delete;
  ~LeaveInterruptsToChildren() { ::signal(SIGINT, old_); }

 private:
  void (*old_)(int);
};

// Runs a program with our terminal and waits for it. Its exit code; 128 + signal.
Result<int> run_program(const std::vector<std::string>& argv, bool quiet) {
  std::vector<std::string> copy = argv;
  std::vector<char*> pointers;
  for (auto& arg : copy) pointers.push_back(arg.data());
  pointers.push_back(nullptr);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGINT);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (quiet) ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    auto failed = system_error("cannot run " + argv[0], error);
    failed.code = Errc::environment;
    return failed;
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return system_error("waitpid", errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<void> git(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"git"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  HYDRA_TRY(const int code, run_program(argv, true));
  if (code != 0)
    return Error{Errc::environment, "git failed with exit code " + std::to_string(code), join(argv, " "), {}};
  return {};
}

// A repository of its own: nothing of the user's configuration shall stop or sign its commits.
Result<void> make_repository() {
  HYDRA_CHECK(git({"init", "-q", "--template=", "--initial-branch=main"}));
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"user.name", "Hydra Demo"},
                                                        {"user.email", "demo@example.invalid"},
                                                        {"commit.gpgsign", "false"},
                                                        {"core.hooksPath", ".git/hooks"},
                                                        {"core.autocrlf", "false"}})
    HYDRA_CHECK(git({"config", name, value}));
  HYDRA_CHECK(git({"add", "-A"}));
  return git({"commit", "-q", "-m", "A greeting"});
}

// The demo's daemon must not meet the user's: other state, other socket, other configuration.
Result<void> redirect_environment(const fs::path& root) {
  for (const auto& [name, below] :
       std::vector<std::pair<const char*, const char*>>{{"XDG_STATE_HOME", "state"},
                                                        {"XDG_CONFIG_HOME", "config"},
                                                        {"XDG_RUNTIME_DIR", "run"},
                                                        {"XDG_CACHE_HOME", "cache"}}) {
    HYDRA_CHECK(make_dirs(root / below, 0700));
    ::setenv(name, (root / below).c_str(), 1);
  }
  for (const char* name :
       {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS"})
    ::unsetenv(name);
  return {};
}

class Demo {
 public:
  Demo(Context& context, fs::path root) : context_(context), root_(std::move(root)) {}

  Result<int> run() {
    std::error_code ec;
    HYDRA_TRY(const auto project, prepare());
    fs::current_path(project, ec);
    if (ec) return system_error("cannot enter " + project.string(), ec.value());
    HYDRA_CHECK(make_repository());
    const LeaveInterruptsToChildren interrupts;
    const auto code = steps();
    // The daemon is stopped however the steps ended.
    const auto stopped = run_program({self(), "daemon", "stop"}, true);
    if (!stopped) return stopped.error();
    return code;
  }

 private:
  Result<fs::path> prepare() {
    HYDRA_CHECK(redirect_environment(root_));
    const auto project = root_ / "greeting";
    HYDRA_CHECK(make_dirs(project));
    HYDRA_CHECK(write_demo_project(project));
    return project;
  }

  static std::string self() {
    std::error_code ec;
    const auto path = fs::read_symlink("/proc/self/exe", ec);
    return ec ? "hydra" : path.string();
  }

  void say(std::string_view command) {
    print_line("\n" + context_.out().paint(Paint::dim, "$ ") + context_.out().paint(Paint::bold, command));
  }

  Result<int> steps() {
    print_line("A sample project in " + context_.out().safe(root_.string()) +
               ": shell scripts, one failing test, three scripted agents.");
    const auto task = demo_task();
    say("hydra race " + shell_quote(task));
    HYDRA_TRY(const int raced, run_program({self(), "race", task}, false));
    if (raced != kDone) return raced;
    say("hydra merge --yes");
    HYDRA_TRY(const int merged, run_program({self(), "merge", "--yes"}, false));
    if (merged != kDone) return merged;
    say("git log --oneline --graph");
    HYDRA_TRY(const int logged,
              run_program({"git", "--no-pager", "log", "--oneline", "--graph", "-8"}, false));
    return logged;
  }

  Context& context_;
  fs::path root_;
};

}  // namespace

int run_demo(Context& context, bool keep) {
  std::error_code ec;
  auto pattern = (fs::temp_directory_path(ec) / "hydra-demo-XXXXXX").string();
  if (ec) pattern = "/tmp/hydra-demo-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr)
    return context.fail(system_error("cannot make " + pattern, errno));
  const fs::path root(pattern);
  Demo demo(context, root);
  const auto code = demo.run();
  const int exit = code ? *code : context.fail(code.error());
  fs::current_path("/", ec);
  if (keep) {
    print_line("\nKept: " + context.out().safe(root.string()));
  } else if (const auto removed = remove_tree(root); !removed) {
    context.warn("could not remove " + root.string() + ": " + describe(removed.error()));
  }
  if (exit == kDone)
    print_line("\nThat is all. In your own project: hydra init, hydra agents, hydra race \"…\"");
  return exit;
}

Verb demo_verb() {
  auto args = std::make_shared<Args>();
  return {"demo",
          "A real race in a throw-away sample project, with three scripted agents",
          {"hydra demo", "hydra demo --keep"},
          [args](Options& o) { o.flag("--keep", args->keep, "leave the sample project there"); },
          [args](Context& context) { return run_demo(context, args->keep); },
          {}};
}

}  // namespace hydra::cli
