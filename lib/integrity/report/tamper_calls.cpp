#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <unordered_set>

namespace hydra::integrity {
namespace {

constexpr std::size_t kMostCallBytes = 64U * 1024;
constexpr Text kWhere = "transcript";

/// Calls `each` with the text after each "git ", up to the end of that command.
template <class Each>
void each_git(Text text, Each each) {
  for (auto at = text.find("git "); at != Text::npos; at = text.find("git ", at + 4)) {
    if (at > 0 && Text(" \t\n;|&(\"'`/").find(text[at - 1]) == Text::npos) continue;
    // Longer rests would make the scan quadratic; no real git command is longer.
    const auto rest = text.substr(at + 4, 1024);
    each(trim(rest.substr(0, rest.find_first_of(";|&\n"))));
  }
}

/// A git command that reads more than the base: one of these verbs with one of these arguments (none: any).
struct GitRow {
  Text verbs, arguments;  ///< separated by blanks
  Severity severity;
  Text reason;
};
constexpr GitRow kGitRows[] = {
    {"reflog fsck lost-found", "", Severity::warning, "looks for commits that no branch holds"},
    {"log rev-list show", "--all --reflog --remotes", Severity::warning, "reads history beyond the base"},
    {"cat-file", "--batch-all-objects --unordered", Severity::warning,
     "reads objects that no commit of the base holds"},
    {"show diff log checkout cherry-pick merge", "origin/ upstream/ ORIG_HEAD FETCH_HEAD HEAD@{",
     Severity::warning, "reads another branch than the base"},
    {"fetch pull", "", Severity::warning, "fetches commits from another repository"},
    {"for-each-ref ls-remote", "", Severity::info, "asks which branches there are"},
};

void find_history(const ToolCall& call, Text text, Findings& findings) {
  each_git(text, [&](Text rest) {
    // Options of git itself precede the verb.
    while (rest.starts_with("-C ") || rest.starts_with("-c ") || rest.starts_with("--no-pager")) {
      const auto skip = rest.starts_with("--") ? rest.find(' ') : rest.find(' ', 3);
      if (skip == Text::npos) return;
      rest = trim(rest.substr(skip));
    }
    const auto verb = rest.substr(0, rest.find_first_of(" \"'`)"));
    const auto arguments = rest.substr(verb.size());
    for (const auto& row : kGitRows) {
      const auto verbs = split(row.verbs, ' ');
      if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) continue;
      if (!row.arguments.empty() && !has_any(arguments, split(row.arguments, ' '))) continue;
      return findings.add("history_read", row.severity, kWhere, call.line,
                          "git " + std::string(rest.substr(0, 4 * kMostExcerpt)), std::string(row.reason));
    }
  });
}

void find_fetches(const ToolCall& call, Text text, Findings& findings) {
  constexpr Text kLoads[] = {"curl ",  "wget ",     "webfetch", "web_fetch",    "gh pr",
                             "gh api", "git clone", "urlopen",  "requests.get", "fetch("};
  constexpr Text kChanges[] = {"/pull/", "/pulls",     "/commit/",   "/commits",       ".patch",
                               ".diff",  "gh pr view", "gh pr diff", "gh pr checkout", "gh pr list"};
  constexpr Text kHosts[] = {"github", "gitlab", "bitbucket", "gh pr", "gh api", "codeberg"};
  constexpr Text kCode[] = {"raw.githubusercontent.com", "git clone http", "git clone git@"};
  const auto lower = to_lower(text);
  if (!has_any(lower, kLoads)) return;
  if (has_any(lower, kChanges) && has_any(lower, kHosts))
    findings.add("solution_fetch", Severity::warning, kWhere, call.line, text,
                 "fetches a change from a code host");
  else if (has_any(lower, kCode))
    findings.add("solution_fetch", Severity::info, kWhere, call.line, text, "fetches code from a code host");
}

/// Path of the set that the text contains, plain or below other directories; empty: none.
Text known_path(Text text, const std::unordered_set<Text>& paths) {
  constexpr Text kEnds = " \t\n\"'`;|&<>()[]{},:=";
  for (std::size_t begin = 0; begin < text.size() && !paths.empty();) {
    const auto end = std::min(text.find_first_of(kEnds, begin), text.size());
    // Real paths have few components; longer words would make the search quadratic.
    auto word = text.substr(begin, std::min<std::size_t>(end - begin, 1024));
    for (int depth = 0; depth < 64 && !word.empty(); ++depth) {
      if (const auto found = paths.find(word); found != paths.end()) return *found;
      const auto slash = word.find('/');
      if (slash == Text::npos) break;
      word.remove_prefix(slash + 1);
    }
    begin = end + 1;
  }
  return {};
}

}  // namespace

void find_in_calls(const TamperInput& input, Findings& findings) {
  // The agent knows a path of the base, or one that it made, without having looked at the hidden tests.
  std::unordered_set<Text> changed, hidden;
  for (const auto& file : input.files) changed.insert(file.change.path);
  for (const auto& path : input.hidden_tests)
    if (has(path, "/") && !changed.contains(path) && !input.rules->base().tracks(path)) hidden.insert(path);
  for (const auto& call : input.calls) {
    const auto text = Text(call.text).substr(0, kMostCallBytes);
    find_history(call, text, findings);
    find_fetches(call, text, findings);
    if (const auto path = known_path(text, hidden); !path.empty())
      findings.add("hidden_test", Severity::warning, kWhere, call.line, text,
                   "names the hidden test " + std::string(path));
  }
}

}  // namespace hydra::integrity
