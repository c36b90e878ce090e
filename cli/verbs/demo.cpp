#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/demo_project.hpp"
#include "cli/programs.hpp"

#include <cerrno>
#include <cstdlib>
#include <signal.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

struct DemoArgs {
  bool keep = false;
};

// Ignores Ctrl-C while a step runs: the step handles it, and the demo must still stop its daemon.
class LeaveInterruptsToChildren {
 public:
  LeaveInterruptsToChildren() : old_(::signal(SIGINT, SIG_IGN)) {}
  LeaveInterruptsToChildren(const LeaveInterruptsToChildren&) = delete;
  LeaveInterruptsToChildren& operator=(const LeaveInterruptsToChildren&) = delete;
  ~LeaveInterruptsToChildren() { ::signal(SIGINT, old_); }

 private:
  void (*old_)(int);
};

// Separates the demo's state, socket and configuration from the user's.
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
    HYDRA_CHECK(make_repository(project, "A greeting"));
    const LeaveInterruptsToChildren interrupts;
    const auto code = steps();
    // The daemon is stopped even if a step failed.
    const auto stopped = run_program({own_program(), "daemon", "stop"}, true);
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

  void say(std::string_view command) {
    print_line("\n" + context_.out().paint(Paint::dim, "$ ") + context_.out().paint(Paint::bold, command));
  }

  Result<int> steps() {
    print_line("A sample project in " + context_.out().safe(root_.string()) +
               ": shell scripts, one failing test, three scripted agents.");
    const auto task = demo_task();
    say("hydra race " + shell_quote(task));
    HYDRA_TRY(const int raced, run_program({own_program(), "race", task}, false));
    if (raced != kDone) return raced;
    say("hydra merge --yes");
    HYDRA_TRY(const int merged, run_program({own_program(), "merge", "--yes"}, false));
    if (merged != kDone) return merged;
    say("git log --oneline --graph");
    HYDRA_TRY(const int logged,
              run_program({"git", "--no-pager", "log", "--oneline", "--graph", "-8"}, false));
    return logged;
  }

  Context& context_;
  fs::path root_;
};

Result<int> run_demo(const DemoArgs& args, Context& context) {
  std::error_code ec;
  auto pattern = (fs::temp_directory_path(ec) / "hydra-demo-XXXXXX").string();
  if (ec) pattern = "/tmp/hydra-demo-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) return system_error("cannot make " + pattern, errno);
  const fs::path root(pattern);
  Demo demo(context, root);
  const auto code = demo.run();
  const int exit = context.exit(code);
  fs::current_path("/", ec);
  if (args.keep) {
    print_line("\nKept: " + context.out().safe(root.string()));
  } else if (const auto removed = remove_tree(root); !removed) {
    context.warn("could not remove " + root.string() + ": " + describe(removed.error()));
  }
  if (exit == kDone)
    print_line("\nThat is all. In your own project: hydra init, hydra agents, hydra race \"…\"");
  return exit;
}

}  // namespace

Verb demo_verb() {
  return verb_of<DemoArgs>(
      "demo", "A real race in a throw-away sample project, with three scripted agents",
      {"hydra demo", "hydra demo --keep"},
      [](Options& o, DemoArgs& args) { o.flag("--keep", args.keep, "leave the sample project there"); },
      run_demo);
}

}  // namespace hydra::cli
