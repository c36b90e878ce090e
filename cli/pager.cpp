#include "cli/pager.hpp"

#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/programs.hpp"
#include "exec/tool.hpp"

#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

std::string git_says(const std::vector<std::string>& words) {
  std::vector<std::string> argv{"git"};
  argv.insert(argv.end(), words.begin(), words.end());
  const auto run = run_captured(argv, working_directory());
  return run && run->exit == 0 ? std::string(trim(run->out)) : std::string();
}

// Whether the pager's program exists; the shell judges command lines with special characters.
bool can_be_started(const std::string& pager) {
  const auto program = split(pager, ' ').front();
  if (program.empty() || program.find_first_of("/\"'$=;|&(`\\") != std::string_view::npos) return true;
  return !exec::find_program(program, process_env()("PATH").value_or("/usr/local/bin:/usr/bin:/bin")).empty();
}

}  // namespace

std::string diff_pager() {
  auto own = git_says({"config", "--get", "pager.diff"});
  const auto word = to_lower(own);
  if (word == "false" || word == "no" || word == "off" || word == "0") return {};
  if (own.empty() || word == "true" || word == "yes" || word == "on" || word == "1")
    own = git_says({"var", "GIT_PAGER"});
  return own == "cat" ? std::string() : own;
}

bool show_by_pager(const std::string& pager, std::string_view text) {
  if (!can_be_started(pager)) return false;
  ::setenv("LESS", "FRX", 0);
  ::setenv("LV", "-c", 0);
  auto* const old = ::signal(SIGPIPE, SIG_IGN);        // the user may quit the pager early
  auto* const interrupts = ::signal(SIGINT, SIG_IGN);  // the pager handles Ctrl-C
  std::fflush(stdout);
  std::FILE* pipe = ::popen(pager.c_str(), "we");
  if (pipe == nullptr) return false;
  (void)!std::fwrite(text.data(), 1, text.size(), pipe);
  const int status = ::pclose(pipe);
  ::signal(SIGPIPE, old);
  ::signal(SIGINT, interrupts);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 127);  // 127: sh did not find the program
}

}  // namespace hydra::cli
