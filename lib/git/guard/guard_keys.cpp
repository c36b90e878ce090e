// Configuration keys that name programs, paths or filters, or weaken a check. Git lists keys in lower case
// but for their middle part, which decides nothing.
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"

#include <algorithm>
#include <span>

namespace hydra::git {
namespace {

/// Patterns of all before a key's last part, and of that part.
constexpr std::string_view kDeciding[] = {
    // Programs. A merge strategy is the program git-merge-NAME; a promisor is asked for objects by every git.
    "* *command", "* *cmd", "* *program", "* *hook", "* *helper", "* *editor", "* *pager", "* *browser",
    "* *viewer", "* *tool", "* *askpass", "* *proxy", "* *transferagent", "* uploadpack", "* receivepack",
    "* vcs", "* driver", "* external", "* httpd", "* tunnel", "* smtpserver", "pager *", "core fsmonitor",
    "* mergeoptions", "pull twohead", "pull octopus", "* promisor", "extensions partialclone",
    // Paths.
    "include* *", "url.* *", "* path", "* hookspath", "* modulepath", "* htmlpath", "* *file", "* *dir",
    "* *directory", "* skiplist", "core worktree", "core bare", "lfs storage", "commit template", "mailmap *",
    // Filters, and other rules by which a file is not checked out as it is stored.
    "filter.* *", "* *filter", "* textconv", "lfs.* clean", "lfs.* smudge", "core autocrlf", "core eol",
    "core symlinks",
    // Checks, and rules by which git sees a change.
    "* *ssl*", "* followredirects", "* *curloptresolve", "* *fsckobjects", "fsck *", "fetch.fsck *",
    "receive* *", "gpg* *", "* verifysignatures", "protocol* *", "safe *", "credential* protectprotocol",
    "credential* sanitizeprompt", "core protect*", "core safecrlf", "core filemode", "core ignorecase",
    "core precomposeunicode", "core checkstat", "core trustctime", "core ignorestat"};

/// Sections of addresses: "helper::address" runs a program of that name, and a leading dash makes an option.
constexpr std::string_view kAddresses[] = {"branch", "remote", "submodule"};

/// Sections of switches and colours, whatever their names end in.
constexpr std::string_view kWords[] = {"advice", "color", "column"};

bool is_among(std::span<const std::string_view> all, std::string_view name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace

bool is_harmless(std::string_view key, std::string_view value) {
  const auto first = key.substr(0, key.find('.')), name = key.substr(key.rfind('.') + 1);
  const auto words = std::string(key.substr(0, key.rfind('.'))) + " " + std::string(name);
  const bool address = is_among(kAddresses, first) && name != "description";
  value = trim(value);
  if (value.starts_with('!')) return false;  // a shell command
  if ((address || first == "alias") && value.starts_with('-')) return false;
  if (address && value.find("::") != value.npos) return false;
  const bool is_switch = value == "true" || value == "false";
  if (is_among(kWords, first) || (is_switch && (first == "pager" || name == "fsmonitor"))) return true;
  return std::none_of(std::begin(kDeciding), std::end(kDeciding),
                      [&](auto pattern) { return match_component(pattern, words); });
}

}  // namespace hydra::git
