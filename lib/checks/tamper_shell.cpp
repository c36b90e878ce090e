// Files that a script of the checks reads into its own shell: mostly the functions that it tests. What they
// define or end there is the check's.
#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

namespace hydra::checks {
namespace {

/// "cmp() {", "function cmp", "alias cmp=": the name that a line defines; empty: none.
Text defined_name(Text line) {
  for (const Text word : {"function ", "alias "})
    if (line.starts_with(word)) {
      line = trim(line.substr(word.size()));
      return line.substr(0, line.find_first_of(" (={"));
    }
  const auto name = line.substr(0, line.find_first_of(" ("));
  return trim(line.substr(name.size())).starts_with("()") ? name : Text();
}

/// What tells a shell that something is wrong.
bool is_judge(Text name) {
  constexpr Text kNames[] = {"[",    "[[",   "test",   "diff",  "cmp", "comm",
                             "grep", "exit", "return", "false", "set", "trap"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

void find_in_sourced(const TextDiff& diff, const ProtectedPaths& rules, Signals& signals) {
  const auto& path = diff.file->change.path;
  if (!rules.is_sourced(path)) return;
  for (const auto index : diff.added) {
    const auto& line = diff.candidate[index];
    if (line.comment) continue;
    const auto add = [&](SignalKind kind, std::string reason) {
      signals.add(kind, Severity::block, path, line.number, line.text, std::move(reason));
    };
    if (is_judge(defined_name(line.text)))
      add(SignalKind::report_hook, "takes the place of a command by which a script of the checks judges");
    else if (line.indent == 0 && (line.text == "exit" || line.text == "exit 0" ||
                                  line.text.starts_with("exit 0 ") || line.text.starts_with("exit 0;")))
      add(SignalKind::forced_exit, "ends the script of the checks that reads this file, with success");
    else if (line.text.starts_with("trap ") && has_any_name(line.text, {"EXIT", "ERR"}))
      add(SignalKind::forced_exit, "runs when the script of the checks that reads this file ends");
  }
}

}  // namespace hydra::checks
