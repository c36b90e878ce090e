#include "base/files.hpp"
#include "base/letter_case.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/environment.hpp"
#include "git/letter_case.hpp"
#include "git/refs.hpp"
#include "git/repository.hpp"
#include "git/store/layout.hpp"
#include "git/store/modules.hpp"
#include "git/store/objects.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

constexpr std::size_t kMaxDirty = 100;
constexpr const char* kBlockingRef = "refs/heads/hydra";  ///< no branch hydra/… can exist beside it

Error refuse_race(std::string message, std::string hint, const fs::path& where = {}) {
  return Error{Errc::refused, std::move(message), where.string(), std::move(hint)};
}

Error explain_discovery(const exec::ToolOutput& output, const fs::path& directory) {
  const std::string& err = output.err;
  if (err.find("dubious ownership") != std::string::npos)
    return refuse_race("the repository belongs to another user, and git refuses to trust it",
                       "git config --global --add safe.directory " + shell_quote(directory.string()),
                       directory);
  if (err.find("must be run in a work tree") != std::string::npos)
    return refuse_race(
        "this is a bare repository, or the inside of a .git directory: there is no checkout to work on",
        "run hydra in a checkout, for example one made by `git worktree add`", directory);
  if (err.find("not a git repository") != std::string::npos)
    return refuse_race("this is not a git repository",
                       "run `git init`, add your files and make a first commit", directory);
  return Error{
      Errc::environment, "git cannot read this repository: " + last_words(err), directory.string(), {}};
}

constexpr std::array kQuestions{"--is-bare-repository", "--is-shallow-repository", "--show-object-format",
                                "--show-toplevel",      "--absolute-git-dir",      "--git-common-dir",
                                "--show-prefix"};
constexpr std::size_t kNames = 3;  ///< commit and tree of the base, HEAD

/// Answers kQuestions, and kNames more when all names resolve. One call, except when a path contains a
/// newline or a name does not resolve.
Result<std::vector<std::string>> ask_where(const Command& git, const std::string& ref,
                                           const fs::path& directory) {
  std::vector<std::string> args{"rev-parse", "--path-format=absolute"};
  args.insert(args.end(), kQuestions.begin(), kQuestions.end());
  auto with_names = args;
  with_names.insert(with_names.end(), {ref + "^{commit}", ref + "^{tree}", "HEAD^{commit}"});
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> found;
    for (const auto part : split(text, '\n')) found.emplace_back(part);
    found.pop_back();
    return found;
  };
  HYDRA_TRY(auto all, git.run(with_names));
  if (auto found = lines_of(all.out); all.ok() && found.size() == kQuestions.size() + kNames) return found;
  HYDRA_TRY(all, git.run(args));
  if (!all.ok()) return explain_discovery(all, directory);
  auto answers = lines_of(all.out);
  if (answers.size() == kQuestions.size()) return answers;
  answers.clear();
  for (const auto* question : kQuestions) {
    HYDRA_TRY(auto answer, git.line({"rev-parse", "--path-format=absolute", question}));
    answers.push_back(std::move(answer));
  }
  return answers;
}

/// Reads locations and properties of the repository, and the resolved names if they are valid.
Result<void> locate(const Command& git, const std::string& ref, const fs::path& directory,
                    model::RepositoryFacts& facts) {
  HYDRA_TRY(const auto answers, ask_where(git, ref, directory));
  if (answers[0] == "true")
    return refuse_race("this is a bare repository: there is no checkout to work on",
                       "run hydra in a checkout, for example one made by `git worktree add`", directory);
  facts.shallow = answers[1] == "true";
  facts.object_format = answers[2];
  facts.root = answers[3];
  facts.git_dir = answers[4];
  facts.common_dir = answers[5];
  facts.subdirectory = answers[6];
  while (facts.subdirectory.ends_with('/')) facts.subdirectory.pop_back();
  for (auto* path : {&facts.root, &facts.git_dir, &facts.common_dir}) {
    std::error_code error;
    const fs::path real = fs::canonical(*path, error);
    if (error) return Error{Errc::environment, "cannot read " + *path + ": " + error.message(), {}, {}};
    *path = real.string();
  }
  struct stat st {};
  facts.safe_directory = ::stat(facts.git_dir.c_str(), &st) == 0 && st.st_uid != ::geteuid();
  if (!std::all_of(answers.begin() + kQuestions.size(), answers.end(), is_object_id) ||
      answers.size() == kQuestions.size() || has_ref(facts.common_dir, kBlockingRef) != false)
    return {};
  facts.base = answers[kQuestions.size()];
  facts.base_tree = answers[kQuestions.size() + 1];
  facts.head = answers[kQuestions.size() + 2];
  return {};
}

bool is_conversion(std::string_view key) {
  static const std::set<std::string_view> exact{"core.autocrlf", "core.eol",  "core.safecrlf",
                                                "core.symlinks", kIgnoreCase, "core.bigfilethreshold"};
  if (exact.contains(key)) return true;
  if (key.starts_with("lfs.")) return true;
  if (!key.starts_with("filter.")) return false;
  return key.ends_with(".clean") || key.ends_with(".smudge") || key.ends_with(".process") ||
         key.ends_with(".required");
}

void set_conversion(model::RepositoryFacts& facts, std::string_view key, std::string_view value) {
  std::erase_if(facts.conversion, [&](const auto& c) { return c.first == key; });
  facts.conversion.emplace_back(key, value);
}

/// The address of a remote as shown to agents and checks, without credentials; empty: the remote runs a
/// program.
std::string shown_remote(const std::string& url) {
  if (url.starts_with('-') || url.find("::") != std::string::npos || sanitize(url) != url) return {};
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  const auto host = scheme + 3, at = url.substr(0, url.find('/', host)).rfind('@');
  if (at == std::string::npos) return url;
  const auto user = url.substr(host, at - host);
  const bool secret = url.starts_with("http") || user.find(':') != std::string::npos;
  return secret ? url.substr(0, host) + url.substr(at + 1) : url;
}

std::string expand_home(std::string_view path, std::string_view home) {
  if (path.starts_with("~/")) return std::string(home) + std::string(path.substr(1));
  return std::string(path);
}

/// Reads the user's configuration once: settings of file content, the user's name, and the user's ignores.
Result<void> read_configuration(const Command& git, const std::string& home, model::RepositoryFacts& facts) {
  HYDRA_TRY(auto text, git.output({"config", "-z", "--show-scope", "--list"}));
  const auto parts = records(text);
  bool excludes_set = false;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (parts[i] == "command") continue;
    const auto end = parts[i + 1].find('\n');
    const std::string key(parts[i + 1].substr(0, end));
    const std::string value(end == std::string_view::npos ? "true" : parts[i + 1].substr(end + 1));
    const bool credentials = value.find("://") != std::string::npos && value.find('@') != std::string::npos;
    if (is_conversion(key) && !credentials) set_conversion(facts, key, value);
    if (key == "user.name") facts.user_name = value;
    if (key == "user.email") facts.user_email = value;
    if (key == "remote.origin.url") facts.origin = shown_remote(value);
    if (key == "core.sparsecheckout") facts.sparse = value == "true";
    if (key == "core.excludesfile") {
      facts.excludes_file = expand_home(value, home);
      excludes_set = true;
    }
    if (key == "extensions.partialclone" || (key.starts_with("remote.") && key.ends_with(".promisor")))
      facts.partial = true;
  }
  // core.ignorecase says what git found at `git init`; the checkout may have been moved since.
  if (folds_case(fs::path(facts.root) / ".git")) set_conversion(facts, kIgnoreCase, "true");
  if (facts.user_name.empty()) facts.user_name = "Hydra";
  if (facts.user_email.empty()) facts.user_email = "hydra@localhost";
  const std::string usual = home + "/.config/git/ignore";
  if (!excludes_set && !home.empty() && ::access(usual.c_str(), R_OK) == 0) facts.excludes_file = usual;
  return {};
}

/// Resolves the base, HEAD and the ref that would block Hydra's branches in one call, and reports what is
/// wrong.
Result<void> resolve(const Command& git, const std::string& ref, model::RepositoryFacts& facts) {
  const std::string questions = ref + "^{commit}\n" + ref + "^{tree}\nHEAD^{commit}\n" + kBlockingRef + "\n";
  HYDRA_TRY(auto text, git.output({"cat-file", "--batch-check=%(objecttype) %(objectname)"}, questions));
  const auto answers = lines(text);
  if (answers.size() != 4) return Error{Errc::git, "git cat-file gave an unexpected answer", {}, {}};
  const auto id = [&](std::size_t i, std::string_view type) {
    return answers[i].starts_with(type) ? std::string(answers[i].substr(type.size())) : std::string{};
  };
  facts.base = id(0, "commit ");
  facts.base_tree = id(1, "tree ");
  facts.head = id(2, "commit ");
  if (facts.base.empty() || facts.base_tree.empty()) {
    if (facts.head.empty() && ref == "HEAD")
      return refuse_race("this repository has no commit yet", "make a first commit: git add -A && git commit",
                         facts.root);
    return refuse_race("the base is not a commit here: " + sanitize(ref),
                       "see `git branch -a` and `git log` for names");
  }
  if (!answers[3].ends_with(" missing"))
    return refuse_race("a branch named \"hydra\" exists, so branches named hydra/… cannot be made",
                       "rename it: git branch -m hydra hydra-old", facts.root);
  return {};
}

Result<void> list_base(const Command& git, model::RepositoryFacts& facts) {
  HYDRA_TRY(const auto files, tree_files(git, facts, facts.base));
  facts.file_count = files.size();
  facts.has_submodules =
      std::any_of(files.begin(), files.end(), [](const TreeFile& file) { return file.mode == "160000"; });
  if (!facts.has_submodules) return {};
  HYDRA_TRY(facts.empty_submodules, unfilled_submodules(git, facts));
  return {};
}

Result<void> list_dirty(const Command& git, model::RepositoryFacts& facts) {
  HYDRA_TRY(auto text, git.output({"--no-optional-locks", "status", "--porcelain", "-z", "--no-renames",
                                   "--untracked-files=normal", "--ignore-submodules=dirty"}));
  for (const auto record : records(text)) {
    if (facts.dirty.size() >= kMaxDirty) break;
    if (record.size() <= 3) continue;
    const auto path = record.substr(3);
    // A hydra.toml that `hydra init` has just written is not part of the project yet.
    const bool own = record.starts_with("?? ") && path.substr(path.rfind('/') + 1) == "hydra.toml";
    if (!own) facts.dirty.emplace_back(path);
  }
  return {};
}

Result<void> list_included(const Command& git, model::RepositoryFacts& facts) {
  constexpr const char* kFile = ".worktreeinclude";
  constexpr std::size_t kMostIncluded = 200;
  std::error_code ec;
  if (!fs::is_regular_file(fs::path(facts.root) / kFile, ec)) return {};
  HYDRA_TRY(const auto text, git.output({"ls-files", "-z", "--others", "--ignored", "--directory",
                                         "--no-empty-directory", "--exclude-from=" + std::string(kFile)}));
  for (auto path : records(text)) {
    if (facts.worktree_include.size() >= kMostIncluded) break;
    if (path.ends_with('/')) path.remove_suffix(1);
    facts.worktree_include.emplace_back(path);
  }
  return {};
}

Result<std::string> missing_objects(const Command& git, const model::RepositoryFacts& facts) {
  Command quiet = git;
  HYDRA_TRY(auto text, quiet.output({"rev-list", "--objects", "--missing=print", "--no-object-names",
                                     facts.base + "^{tree}"}));
  std::string ids;
  for (const auto line : lines(text))
    if (line.starts_with('?')) ids += std::string(line.substr(1)) + "\n";
  return ids;
}

/// Fetches missing blobs of the base into a partial clone first: agents and captures work without a network.
Result<void> complete_base(const Command& git, const model::RepositoryFacts& facts) {
  HYDRA_TRY(auto missing, missing_objects(git, facts));
  if (missing.empty()) return {};
  const std::string remote = promisor_remote(facts).value_or("origin");
  HYDRA_TRY(auto fetch,
            git.run({"-c", "fetch.negotiationAlgorithm=noop", "fetch", "-q", remote, "--no-tags",
                     "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin"},
                    missing));
  if (fetch.ok()) {
    HYDRA_TRY(missing, missing_objects(git, facts));
    if (missing.empty()) return {};
  }
  return refuse_race(
      "this is a partial clone that lacks files of the base, and they could not be fetched from " + remote +
          (fetch.err.empty() ? "" : ": " + last_words(fetch.err)),
      "go online and run `git checkout` of the base once, or `git fetch --refetch --filter=blob:none`");
}

}  // namespace

Result<model::RepositoryFacts> inspect(const InspectRequest& request) {
  model::RepositoryFacts facts;
  std::error_code failure;
  const fs::path directory = fs::canonical(request.directory, failure);
  if (failure || ::access(directory.c_str(), R_OK | X_OK) != 0)
    return refuse_race("cannot read the directory " + request.directory.string(), "check its rights",
                       directory);
  Command git(request.path_variable, request.home);
  git.with_user_configuration().cwd(directory);
  const std::string ref = request.ref.empty() ? "HEAD" : request.ref;
  if (ref.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos || ref.starts_with('-'))
    return Error{Errc::usage, "the base is not a valid name: " + sanitize(ref), {}, {}};
  HYDRA_CHECK(locate(git, ref, directory, facts));
  git.cwd(facts.root);
  if (facts.base.empty()) HYDRA_CHECK(resolve(git, ref, facts));
  HYDRA_TRY(const auto head, read_file(fs::path(facts.git_dir) / "HEAD", 1 << 16));
  if (const auto line = trim(head); line.starts_with("ref: "))
    facts.head_ref = std::string(trim(line.substr(5)));
  // The user waits here: independent calls run side by side, each on separate members of `facts`.
  std::future<Result<void>> dirty;
  if (!request.include_dirty) dirty = side_by_side([&] { return list_dirty(git, facts); });
  HYDRA_CHECK(read_configuration(git, request.home, facts));
  HYDRA_CHECK(list_included(git, facts));
  facts.alternates = alternates_of(fs::path(facts.common_dir) / "objects");
  if (request.include_dirty) {
    if (facts.base != facts.head)
      return Error{Errc::usage, "uncommitted changes can be included only when the base is HEAD", {}, {}};
    HYDRA_CHECK(snapshot_checkout(git, facts));
  }
  if (facts.partial) HYDRA_CHECK(complete_base(git, facts));
  HYDRA_CHECK(list_base(git, facts));
  if (dirty.valid()) HYDRA_CHECK(dirty.get());
  return facts;
}

}  // namespace hydra::git
