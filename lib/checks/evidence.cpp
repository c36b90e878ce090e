#include "checks/evidence.hpp"

#include "base/strings.hpp"
#include "checks/workspace.hpp"
#include "parsers/parsers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

namespace hydra::checks {

using model::CheckStatus;

namespace {

CheckStatus status_of(const exec::JobResult& result) {
  switch (result.end) {
    case exec::End::exited:
      return result.code == 0 ? CheckStatus::passed : CheckStatus::failed;
    case exec::End::signaled:
    case exec::End::oom:
      return CheckStatus::crashed;
    case exec::End::timed_out:
    case exec::End::idle:
      return CheckStatus::timed_out;
    case exec::End::cancelled:
    case exec::End::start_failed:
    case exec::End::lost:
      return CheckStatus::not_started;
  }
  return CheckStatus::not_started;
}

// mtime, size and inode of a file, or of everything below a directory down to `depth`: changes when its
// content does.
void describe_path(const std::filesystem::path& path, int depth, std::string& out) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) {
    out += fmt::format("{} absent\n", path.string());
    return;
  }
  out += fmt::format("{} {} {} {}.{}\n", path.string(), st.st_ino, st.st_size, st.st_mtim.tv_sec,
                     st.st_mtim.tv_nsec);
  if (!S_ISDIR(st.st_mode) || depth == 0) return;
  std::vector<std::filesystem::path> children;
  std::error_code ec;
  for (const auto& child : std::filesystem::directory_iterator(path, ec)) children.push_back(child.path());
  std::sort(children.begin(), children.end());
  for (const auto& child : children) describe_path(child, depth - 1, out);
}

}  // namespace

model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut) {
  model::CheckEvidence evidence;
  evidence.dimension = dimension;
  evidence.command = command;
  evidence.attempt = result.key;
  evidence.status = status_of(result);
  evidence.wall_ms = result.wall_ms;
  evidence.isolation = result.isolation == exec::Isolation::bwrap ? "bwrap" : "none";
  evidence.message = result.message;
  if (result.end == exec::End::exited) evidence.exit_code = result.code;
  if (result.signal != 0) evidence.signal = result.signal;
  if (evidence.status == CheckStatus::not_started) return evidence;
  const parsers::ExitFacts exit{evidence.exit_code, evidence.signal};
  if (dimension == model::Dimension::tests) {
    evidence.tests = parsers::parse_tests(output, exit, command);
    if (output_cut) evidence.tests->complete = false;
  } else if (dimension == model::Dimension::lint) {
    evidence.lint = parsers::parse_lint(output, exit, command);
    // Findings in the dropped middle can't be counted: the figures would be inventions.
    if (output_cut) evidence.lint = model::LintReport{"exit_code_only", {}, {}, {"the log was cut"}};
  }
  return evidence;
}

bool cacheable(const model::CheckSet& checks) {
  for (const auto* check : {&checks.build, &checks.tests, &checks.lint})
    if (*check && (*check)->status != CheckStatus::passed && (*check)->status != CheckStatus::failed &&
        (*check)->status != CheckStatus::skipped)
      return false;
  return true;
}

std::string baseline_key(const model::RaceSpec& spec) {
  const auto& config = spec.config;
  std::string key =
      "v1\n" + spec.repository.root + "\n" + spec.repository.base_tree + "\n" + spec.isolation + "\n";
  for (const auto& command : {config.workspace.setup, config.scoring.build_command,
                              config.scoring.test_command, config.scoring.lint_command})
    key += command ? "+" + *command + "\n" : "-\n";
  key += fmt::format("{} {} {} {}\n", config.sandbox.check_network, config.workspace.setup_network,
                     config.scoring.timeout_per_check_seconds, static_cast<int>(config.workspace.checks));
  for (const auto& [name, value] : spec.environment) key += name + "=" + value + "\n";
  for (const auto& path : expand_paths(spec.repository.root, config.workspace.copy))
    describe_path(std::filesystem::path(spec.repository.root) / path, 8, key);
  for (const auto& path : expand_paths(spec.repository.root, config.workspace.share))
    describe_path(std::filesystem::path(spec.repository.root) / path, 2, key);
  for (const auto& [name, value] : spec.environment) {
    if (name != "PATH") continue;
    // A directory's mtime changes when a program in it is installed, removed or replaced by a rename.
    for (const auto directory : split(value, ':')) describe_path(std::string(directory), 0, key);
  }
  return key;
}

}  // namespace hydra::checks
