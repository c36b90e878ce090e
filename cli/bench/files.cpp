#include "cli/bench/files.hpp"

#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/strings.hpp"
#include "exec/tool.hpp"

#include <unistd.h>

namespace hydra::cli {
namespace {

namespace fs = std::filesystem;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// A fixed identity makes the commit of a task reproducible.
const Pairs kFixedIdentity{{"GIT_AUTHOR_NAME", "suite"},           {"GIT_AUTHOR_EMAIL", "suite@localhost"},
                           {"GIT_COMMITTER_NAME", "suite"},        {"GIT_COMMITTER_EMAIL", "suite@localhost"},
                           {"GIT_AUTHOR_DATE", "946684800 +0000"}, {"GIT_COMMITTER_DATE", "946684800 +0000"}};

Pairs git_environment() {
  const auto env = process_env();
  Pairs all{{"PATH", env("PATH").value_or("/usr/bin:/bin")},
            {"HOME", "/nonexistent"},
            {"LC_ALL", "C"},
            {"GIT_CONFIG_NOSYSTEM", "1"},
            {"GIT_CONFIG_GLOBAL", "/dev/null"},
            {"GIT_TERMINAL_PROMPT", "0"},
            // Hydra only reads a clone of another owner and runs nothing from it.
            {"GIT_CONFIG_COUNT", "1"},
            {"GIT_CONFIG_KEY_0", "safe.directory"},
            {"GIT_CONFIG_VALUE_0", "*"}};
  return all;
}

Result<void> io_error(const std::string& what, const std::error_code& ec) {
  return Error{Errc::io, what + ": " + ec.message(), {}, {}};
}

Result<void> copy_into(const fs::path& from, const fs::path& to) {
  std::error_code ec;
  HYDRA_CHECK(make_dirs(to.parent_path()));
  fs::copy(
      from, to,
      fs::copy_options::recursive | fs::copy_options::copy_symlinks | fs::copy_options::overwrite_existing,
      ec);
  if (ec) return io_error("cannot copy " + from.string(), ec);
  return {};
}

Result<void> write_script(const fs::path& file, const std::string& text) {
  HYDRA_CHECK(make_dirs(file.parent_path()));
  return write_file(file, text, 0755);
}

std::string exports(const suite::Variables& variables) {
  std::string text;
  for (const auto& [name, value] : variables) text += "export " + name + "=" + shell_quote(value) + "\n";
  return text;
}

/// Runs Harbor's tests; the verifier's reward counts too (reward.json, else reward.txt), since many test
/// scripts exit with 0 in any case.
constexpr const char* kRunTests = R"sh(mkdir -p /logs/verifier /logs/agent /logs/artifacts
rm -f /logs/verifier/reward.txt /logs/verifier/reward.json /logs/verifier/episodes.jsonl
bash /tests/test.sh
status=$?
[ "$status" -eq 0 ] || exit "$status"
reward=
if [ -f /logs/verifier/reward.json ]; then
  reward=$(tr '\n' ' ' < /logs/verifier/reward.json |
    sed -n 's/.*"reward"[[:space:]]*:[[:space:]]*\(-\{0,1\}[0-9][0-9.eE+-]*\).*/\1/p')
fi
if [ -z "$reward" ] && [ -f /logs/verifier/reward.txt ]; then
  reward=$(tr -d '[:space:]' < /logs/verifier/reward.txt)
  [ -n "$reward" ] || reward=empty
fi
[ -z "$reward" ] && exit 0
if awk -v reward="$reward" 'BEGIN { exit !(reward ~ /^[0-9.]/ && reward + 0 >= 1) }'; then exit 0; fi
echo "the reward is $reward, not 1"
exit 1
)sh";

/// Keeps empty directories of the image by a file in each, since git tracks files only.
Result<void> keep_directories(const suite::Image& image, const fs::path& tree) {
  for (const auto& directory : image.directories) {
    std::error_code ec;
    HYDRA_CHECK(make_dirs(tree / directory));
    if (directory != "." && fs::is_empty(tree / directory, ec))
      HYDRA_CHECK(write_file(tree / directory / ".gitkeep", ""));
  }
  return {};
}

Result<void> lay_tree(const suite::Task& task, const fs::path& tree) {
  for (const auto& copied : task.image.copies) {
    std::error_code ec;
    const auto from = (task.environment / copied.from).lexically_normal();
    auto to = (tree / copied.to).lexically_normal();
    if (!fs::exists(from, ec))
      return Error{Errc::config, "the Dockerfile copies " + copied.from + ", which does not exist", {}, {}};
    // COPY copies a directory's contents, but a file itself.
    if (!fs::is_directory(from, ec) && (copied.into || fs::is_directory(to, ec))) to /= from.filename();
    HYDRA_CHECK(copy_into(from, to));
  }
  HYDRA_CHECK(keep_directories(task.image, tree));
  for (fs::recursive_directory_iterator at(tree), end; at != end; ++at)
    if (to_lower(at->path().filename().string()) == ".git")
      return Error{
          Errc::unsupported, "its tree holds a repository", at->path().lexically_relative(tree).string(), {}};
  return {};
}

Result<void> commit_tree(const fs::path& tree) {
  HYDRA_CHECK(plain_git(tree, {"init", "-q", "-b", "main"}));
  HYDRA_CHECK(plain_git(tree, {"add", "-A", "-f", "."}));
  HYDRA_CHECK(
      plain_git(tree, {"commit", "-q", "--allow-empty", "--no-verify", "-m", "base"}, {}, kFixedIdentity));
  return {};
}

Result<void> prepare_harbor(const suite::Task& task, const fs::path& to) {
  HYDRA_CHECK(make_dirs(to / "app"));
  HYDRA_CHECK(lay_tree(task, to / "app"));
  HYDRA_CHECK(commit_tree(to / "app"));
  const auto folder = to / "hidden" / kSuiteFolder;
  HYDRA_CHECK(copy_into(task.tests, folder / "tests"));
  HYDRA_CHECK(write_script(folder / "run.sh", exports(task.test_env) + kRunTests));
  HYDRA_CHECK(make_dirs(to / "solution"));
  if (task.solution.empty()) return {};
  HYDRA_CHECK(copy_into(task.solution, to / "solution"));
  return write_script(to / "solution" / kReferenceScript,
                      exports(task.solution_env) + "exec bash /solution/solve.sh\n");
}

/// Imports the base and its ancestors into a new repository, without any object of the fix.
Result<std::string> import_base(const suite::Task& task, const fs::path& app) {
  HYDRA_TRY(auto base, plain_git(task.repository,
                                 {"rev-parse", "--verify", "--end-of-options", task.base + "^{commit}"}));
  base = std::string(trim(base));
  HYDRA_TRY(const auto format, plain_git(task.repository, {"rev-parse", "--show-object-format"}));
  HYDRA_CHECK(make_dirs(app));
  HYDRA_CHECK(plain_git(app, {"init", "-q", "-b", "main", "--object-format=" + std::string(trim(format))}));
  HYDRA_TRY(auto shallow,
            plain_git(task.repository, {"rev-parse", "--path-format=absolute", "--git-path", "shallow"}));
  std::error_code ec;
  if (const fs::path file = std::string(trim(shallow)); fs::is_regular_file(file, ec))
    HYDRA_CHECK(copy_into(file, app / ".git/shallow"));
  exec::ToolCall call;
  call.argv = {"sh",
               "-c",
               "git -C \"$1\" pack-objects --revs --stdout -q | git -C \"$2\" index-pack --stdin",
               "sh",
               task.repository.string(),
               app.string()};
  call.env = git_environment();
  call.input = base + "\n";
  call.deadline = std::chrono::minutes(30);
  call.marked = false;
  HYDRA_TRY(const auto packed, exec::run_tool(call));
  if (!packed.ok()) return Error{Errc::git, "cannot copy the base: " + sanitize(trim(packed.err)), {}, {}};
  HYDRA_CHECK(plain_git(app, {"update-ref", "refs/heads/main", base}));
  HYDRA_CHECK(plain_git(app, {"reset", "-q", "--hard", "main"}));
  return base;
}

/// Writes the files of a test patch as it leaves them. Objects go to a separate directory, away from the
/// object store that agents borrow from.
Result<void> apply_test_patch(const suite::Task& task, const std::string& base, const fs::path& to) {
  const auto scratch = to / "scratch";
  HYDRA_CHECK(make_dirs(scratch / "objects"));
  const Pairs aside{{"GIT_INDEX_FILE", (scratch / "index").string()},
                    {"GIT_OBJECT_DIRECTORY", (scratch / "objects").string()},
                    {"GIT_ALTERNATE_OBJECT_DIRECTORIES", (to / "app/.git/objects").string()}};
  const auto app = to / "app";
  HYDRA_CHECK(plain_git(app, {"read-tree", base}, {}, aside));
  auto applied = plain_git(app, {"apply", "--cached", "--whitespace=nowarn", "-"}, task.test_patch, aside);
  if (!applied)
    return Error{Errc::config, "its test_patch does not apply to its base", {}, describe(applied.error())};
  HYDRA_TRY(const auto names, plain_git(app,
                                        {"diff-index", "--cached", "--name-only", "-z", "--no-renames",
                                         "--diff-filter=AMT", base},
                                        {}, aside));
  HYDRA_CHECK(plain_git(
      app, {"checkout-index", "-z", "--stdin", "--prefix=" + (to / "hidden").string() + "/"}, names, aside));
  return remove_tree(scratch);
}

Result<void> prepare_commit(const suite::Task& task, const fs::path& to) {
  HYDRA_TRY(const auto base, import_base(task, to / "app"));
  HYDRA_CHECK(make_dirs(to / "hidden"));
  HYDRA_CHECK(make_dirs(to / "solution"));
  if (!task.tests.empty()) HYDRA_CHECK(copy_into(task.tests, to / "hidden"));
  if (!task.test_patch.empty()) HYDRA_CHECK(apply_test_patch(task, base, to));
  auto patch = task.solution_patch;
  if (!task.solution.empty()) {
    HYDRA_TRY(patch, read_file(task.solution));
  }
  if (patch.empty()) return {};
  HYDRA_CHECK(write_file(to / "solution/fix.patch", patch));
  return write_script(to / "solution" / kReferenceScript,
                      "exec git apply --whitespace=nowarn /solution/fix.patch\n");
}

std::vector<std::string> places_of_fix(const suite::Suite& suite, const suite::Task& task) {
  std::vector<std::string> hide{suite.root.string()};
  if (task.repository.empty()) return hide;
  std::error_code ec;
  hide.push_back(fs::weakly_canonical(task.repository, ec).string());
  if (const auto common =
          plain_git(task.repository, {"rev-parse", "--path-format=absolute", "--git-common-dir"}))
    hide.push_back(fs::weakly_canonical(std::string(trim(*common)), ec).string());
  return hide;
}

}  // namespace

Result<std::string> plain_git(const fs::path& directory, const std::vector<std::string>& args,
                              const std::string& input,
                              const std::vector<std::pair<std::string, std::string>>& more_env) {
  exec::ToolCall call;
  call.argv = {"git",
               "-c",
               "core.hooksPath=/dev/null",
               "-c",
               "core.autocrlf=false",
               "-c",
               "core.fsmonitor=false",
               "-C",
               directory.string()};
  call.argv.insert(call.argv.end(), args.begin(), args.end());
  call.env = git_environment();
  call.env.insert(call.env.end(), more_env.begin(), more_env.end());
  call.input = input;
  call.deadline = std::chrono::minutes(10);
  call.marked = false;
  HYDRA_TRY(auto output, exec::run_tool(call));
  if (!output.ok())
    return Error{
        Errc::git, "git " + args.front() + ": " + sanitize(trim(output.err)), directory.string(), {}};
  return std::move(output.out);
}

Result<TaskFiles> prepare_files(const suite::Suite& suite, const suite::Task& task, const fs::path& to) {
  TaskFiles files{to / "app", to / "hidden", to / "solution", places_of_fix(suite, task)};
  std::error_code ec;
  if (fs::is_directory(to, ec)) return files;
  const auto making = to.parent_path() / (".making-" + task.name + "-" + std::to_string(::getpid()));
  HYDRA_CHECK(remove_tree(making));
  HYDRA_CHECK(make_dirs(making, 0700));
  auto made =
      suite.format == suite::Format::harbor ? prepare_harbor(task, making) : prepare_commit(task, making);
  if (!made) {
    (void)remove_tree(making);
    return std::move(made).error();
  }
  fs::rename(making, to, ec);
  if (ec && !fs::is_directory(to))
    return Error{Errc::io, "cannot keep " + to.string() + ": " + ec.message(), {}, {}};
  return files;
}

}  // namespace hydra::cli
