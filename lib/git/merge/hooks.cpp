#include "git/merge/hooks.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/store/layout.hpp"

#include <algorithm>
#include <unistd.h>

namespace hydra::git {
namespace {

/// Adds `path` relative to `root` when it lies below, both as written and with links resolved: a change of
/// either path changes the program.
void add_below(const fs::path& root, const fs::path& path, std::string_view end,
               std::vector<std::string>& found) {
  std::error_code error;
  for (const auto& [r, p] :
       {std::pair{root.lexically_normal(), path.lexically_normal()},
        std::pair{fs::weakly_canonical(root, error), fs::weakly_canonical(path, error)}}) {
    const auto relative = p.lexically_relative(r);
    if (relative.empty() || *relative.begin() == ".." || *relative.begin() == ".git" || relative == ".")
      continue;
    auto name = relative.string();
    while (name.ends_with('/')) name.pop_back();
    name += end;
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(std::move(name));
  }
}

/// Splits a command line into words that may name files; quotes are separators.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words{""};
  for (const char c : command) {
    if (std::string_view(" \t\n'\"`;&|()<>=").find(c) == std::string_view::npos)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

}  // namespace

Result<Hooks> Hooks::find(const Command& user, const fs::path& root) {
  Hooks hooks;
  Command git = user;
  git.with_user_configuration().with_hooks();
  HYDRA_TRY(const auto path, git.line({"rev-parse", "--git-path", "hooks"}));
  hooks.directory_ = (root / path).lexically_normal();
  const auto runs = [&](const char* name) { return ::access((hooks.directory_ / name).c_str(), X_OK) == 0; };
  hooks.commit_msg_ = runs("commit-msg");
  hooks.pre_merge_ = runs("pre-merge-commit");
  hooks.post_merge_ = runs("post-merge");
  add_below(root, hooks.directory_, "/", hooks.run_from_tree_);
  HYDRA_TRY(const auto commands, git.run({"config", "-z", "--get-regexp",
                                          "^(filter|merge)\\..*\\.(clean|smudge|process|driver)$"}));
  for (const auto record : records(commands.out)) {
    const auto end = record.find('\n');
    if (end == std::string_view::npos) continue;
    for (const auto& word : words_of(record.substr(end + 1)))
      if (!word.empty()) add_below(root, root / word, "", hooks.run_from_tree_);
  }
  return hooks;
}

Command Hooks::with_hooks(const Command& user) const {
  Command git = user;
  git.with_user_configuration().config("core.hooksPath", directory_.string()).with_hooks();
  return git;
}

Result<void> Hooks::ask(const Command& user, const HookQuestion& question, std::string& message) const {
  HYDRA_CHECK(remove_tree(question.scratch));
  HYDRA_CHECK(make_dirs(question.scratch));
  HYDRA_CHECK(write_file(question.file, message));
  Command git = with_hooks(user);
  git.work_tree(question.scratch).cwd(question.scratch).index(question.index);
  Command quiet = user;
  // The hooks need no large files that the user never fetched.
  quiet.with_user_configuration().variable("GIT_LFS_SKIP_SMUDGE", "1");
  quiet.work_tree(question.scratch).cwd(question.scratch).index(question.index);
  HYDRA_CHECK(quiet.output({"read-tree", question.commit}));
  HYDRA_CHECK(quiet.output({"checkout-index", "-a", "-f", "-u"}));
  const auto asked = [&](const std::string& hook, const std::vector<std::string>& more) -> Result<void> {
    std::vector<std::string> args{"hook", "run", hook};
    args.insert(args.end(), more.begin(), more.end());
    HYDRA_TRY(const auto ran, git.run(args));
    if (ran.ok()) return {};
    return refused(
        "the hook " + hook + " refuses the merge: " + last_words(ran.err.empty() ? ran.out : ran.err),
        "run the hook by hand in a checkout of " + question.branch);
  };
  if (pre_merge_) {
    HYDRA_TRY(const auto before, quiet.line({"write-tree"}));
    HYDRA_CHECK(asked("pre-merge-commit", {}));
    HYDRA_TRY(const auto after, quiet.line({"write-tree"}));
    if (before != after)
      return refused(
          "the hook pre-merge-commit changes what is committed: Hydra merges only what was checked",
          "merge " + question.branch + " by hand with `git merge`");
  }
  if (!commit_msg_) return {};
  HYDRA_CHECK(asked("commit-msg", {"--", question.file.string()}));
  HYDRA_TRY(const auto text, read_file(question.file, 1 << 22));
  message = clean_message(text);
  if (message.empty())
    return refused("the hook commit-msg left an empty message", "give another one with --message");
  return {};
}

std::string clean_message(std::string_view text) {
  std::string kept;
  std::string blank;
  for (auto line : lines(text)) {
    while (!line.empty() && std::string_view(" \t\r\v\f").find(line.back()) != std::string_view::npos)
      line.remove_suffix(1);
    if (line.empty()) {
      // git's own cleaning keeps one blank line between paragraphs.
      if (!kept.empty()) blank = "\n";
      continue;
    }
    kept += blank + std::string(line) + "\n";
    blank.clear();
  }
  return kept;
}

bool is_attributes(const std::string& path) {
  return path == ".gitattributes" || path.ends_with("/.gitattributes");
}

Result<Command> with_attributes_of(const Command& git, const fs::path& directory, const std::string& commit) {
  HYDRA_CHECK(remove_tree(directory));
  HYDRA_CHECK(make_dirs(directory, 0700));
  const fs::path index = directory.string() + ".index";
  drop_lock(index);
  Command reader = git;
  reader.work_tree(directory).cwd(directory).index(index);
  HYDRA_CHECK(reader.output({"read-tree", commit}));
  HYDRA_TRY(const auto files, reader.output({"ls-files", "-z", "--", ":(glob)**/.gitattributes"}));
  if (!files.empty()) HYDRA_CHECK(reader.output({"checkout-index", "-z", "-f", "--stdin"}, files));
  return reader;
}

Result<void> ask_filters(const Command& git, const fs::path& scratch, const fs::path& index,
                         const std::string& commit, const std::vector<RawEntry>& changes) {
  HYDRA_TRY(const bool any, git.succeeds({"config", "--get-regexp", "^filter\\..*\\.(smudge|process)$"}));
  if (!any) return {};
  std::string paths;
  for (const auto& change : changes)
    if (change.new_mode.starts_with("100")) paths += change.path + '\0';
  if (paths.empty()) return {};
  drop_lock(index);
  Command reader = git;
  reader.index(index);
  HYDRA_CHECK(reader.output({"read-tree", commit}));
  HYDRA_TRY(const auto text, reader.output({"check-attr", "--cached", "-z", "--stdin", "filter"}, paths));
  const auto answers = records(text);
  std::string filtered;
  for (std::size_t i = 0; i + 2 < answers.size(); i += 3) {
    const auto value = answers[i + 2];
    if (value != "unspecified" && value != "unset" && value != "set")
      filtered += std::string(answers[i]) + '\0';
  }
  if (filtered.empty()) return {};
  if (std::any_of(changes.begin(), changes.end(), [](const auto& c) { return is_attributes(c.path); })) {
    HYDRA_TRY(reader, with_attributes_of(git, fs::path(scratch.string() + ".attributes"), commit));
  }
  HYDRA_CHECK(remove_tree(scratch));
  HYDRA_CHECK(make_dirs(scratch, 0700));
  HYDRA_TRY(
      const auto written,
      reader.run({"checkout-index", "-z", "-f", "--prefix=" + scratch.string() + "/", "--stdin"}, filtered));
  HYDRA_CHECK(remove_tree(scratch));
  if (written.ok()) return {};
  return refused("a filter of the repository cannot make a file of the result: " + last_words(written.err),
                 "see that the filter works (with git-lfs: that its objects exist), then try again");
}

}  // namespace hydra::git
