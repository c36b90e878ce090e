#include "cli/bench/new.hpp"

#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "cli/bench/files.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "suite/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

namespace fs = std::filesystem;

struct Fix {
  std::string commit, base, first_line, message;
  std::vector<std::pair<std::string, std::string>> tests;  ///< path and mode of tests, as in the fix
  std::string patch;                                       ///< all other changes
};

std::string line_of(const std::string& text) { return std::string(trim(text)); }

Result<void> split_paths(const fs::path& repository, const NewTaskArgs& args, Fix& fix) {
  HYDRA_TRY(const auto raw,
            plain_git(repository, {"diff-tree", "-r", "-z", "--no-renames", fix.base, fix.commit}));
  const auto fields = split(raw, '\0');
  std::vector<std::string> others;
  // git prints ":OLDMODE NEWMODE OLD NEW STATUS", then the path.
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    const auto words = split(fields[i], ' ');
    if (words.size() < 5) return Error{Errc::git, "git diff-tree says what nobody understands", {}, {}};
    const std::string path(fields[i + 1]);
    const bool test =
        suite::is_test_path(path) || std::any_of(args.tests.begin(), args.tests.end(),
                                                 [&](const auto& glob) { return match_path(glob, path); });
    const bool file = words[1] == "100644" || words[1] == "100755";
    if (test && file)
      fix.tests.emplace_back(path, std::string(words[1]));
    else if (!test)
      others.push_back(path);
  }
  if (fix.tests.empty())
    return Error{Errc::usage, "the commit changes no test", fix.commit.substr(0, 12),
                 "--tests GLOB says which of its paths are tests"};
  if (others.empty())
    return Error{Errc::usage, "the commit changes nothing but tests", fix.commit.substr(0, 12), {}};
  std::vector<std::string> diff{"diff",          "--binary", "--full-index", "--no-renames",
                                "--no-ext-diff", fix.base,   fix.commit,     "--"};
  for (const auto& path : others) diff.push_back(":(top,literal)" + path);
  HYDRA_TRY(fix.patch, plain_git(repository, diff));
  return {};
}

Result<Fix> read_fix(const fs::path& repository, const NewTaskArgs& args) {
  Fix fix;
  HYDRA_TRY(fix.commit,
            plain_git(repository, {"rev-parse", "--verify", "--end-of-options", args.commit + "^{commit}"}));
  fix.commit = line_of(fix.commit);
  HYDRA_TRY(const auto parents, plain_git(repository, {"rev-list", "--parents", "-n", "1", fix.commit}));
  const auto ids = split(trim(parents), ' ');
  if (ids.size() != 2)
    return Error{Errc::usage, ids.size() < 2 ? "the commit has no parent" : "the commit is a merge",
                 fix.commit.substr(0, 12), "a task begins at the one parent of its fix"};
  fix.base = ids[1];
  HYDRA_TRY(fix.first_line, plain_git(repository, {"log", "-1", "--format=%s", fix.commit}));
  fix.first_line = line_of(fix.first_line);
  HYDRA_TRY(fix.message, plain_git(repository, {"log", "-1", "--format=%B", fix.commit}));
  HYDRA_CHECK(split_paths(repository, args, fix));
  return fix;
}

std::string name_of(const std::string& first_line) {
  std::string name;
  for (const char c : to_lower(first_line)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
    if (name.size() == 48) break;
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

std::string toml_string(const std::string& text) { return json_string(text); }

std::string entry_of(const NewTaskArgs& args, const Fix& fix, const fs::path& repository,
                     const model::Config& config) {
  const auto or_else = [](const std::string& given, const std::optional<std::string>& configured) {
    return given.empty() ? configured.value_or("") : given;
  };
  std::string out =
      "\n[[tasks]]\nname = " + toml_string(args.name) + "\nrepository = " + toml_string(repository.string()) +
      "\nbase = " + toml_string(fix.base) + "\ntask_file = " + toml_string(args.name + "/task.md") +
      "\ntests = " + toml_string(args.name + "/tests") +
      "\nsolution = " + toml_string(args.name + "/solution.patch") + "\n";
  out += "test_command = " + toml_string(or_else(args.test_command, config.scoring.test_command)) + "\n";
  if (const auto build = or_else(args.build_command, config.scoring.build_command); !build.empty())
    out += "build_command = " + toml_string(build) + "\n";
  if (const auto setup = or_else(args.setup, config.workspace.setup); !setup.empty())
    out += "setup = " + toml_string(setup) + "\n";
  return out;
}

Result<void> write_task(const fs::path& suite, const NewTaskArgs& args, const Fix& fix,
                        const fs::path& repository, const std::string& text, const std::string& entry) {
  const auto directory = suite / args.name;
  std::error_code ec;
  if (fs::exists(directory, ec))
    return Error{Errc::usage, "the suite has something of that name", directory.string(),
                 "--name gives the task another"};
  for (const auto& [path, mode] : fix.tests) {
    HYDRA_TRY(const auto bytes, plain_git(repository, {"cat-file", "blob", fix.commit + ":" + path}));
    const auto file = directory / "tests" / path;
    HYDRA_CHECK(make_dirs(file.parent_path()));
    HYDRA_CHECK(write_file(file, bytes, mode == "100755" ? 0755 : 0644));
  }
  HYDRA_CHECK(write_file(directory / "solution.patch", fix.patch));
  HYDRA_CHECK(write_file(directory / "task.md", text));
  // Writing suite.toml last and atomically adds the task to the suite only when complete.
  std::string whole = "schema = 1\n";
  if (fs::exists(suite / "suite.toml", ec)) {
    HYDRA_TRY(whole, read_file(suite / "suite.toml"));
  }
  return write_file_atomic(suite / "suite.toml", whole + entry, true);
}

Result<std::string> make_task(NewTaskArgs args, const model::Config& config) {
  if (args.suite.empty()) return Error{Errc::usage, "no suite", {}, "--suite DIR"};
  const auto root = find_repository(working_directory());
  if (!root) return Error{Errc::usage, "this directory is not in a git repository", {}, {}};
  HYDRA_TRY(const auto fix, read_fix(*root, args));
  if (args.name.empty()) args.name = name_of(fix.first_line);
  if (!suite::valid_task_name(args.name))
    return Error{Errc::usage, "'" + sanitize(args.name) + "' is no name of a task", "--name", {}};
  if (args.test_command.empty() && !config.scoring.test_command)
    return Error{
        Errc::usage, "nothing says how the tests are run", {}, "--test-command, or [scoring] test_command"};
  std::string words = args.task.empty() ? fix.message : args.task;
  if (!args.task_file.empty()) {
    HYDRA_TRY(words, read_file(args.task_file));
  }
  const auto directory = fs::absolute(args.suite).lexically_normal();
  HYDRA_CHECK(make_dirs(directory));
  std::error_code ec;
  const auto relative = fs::relative(*root, directory, ec);
  HYDRA_CHECK(
      write_task(directory, args, fix, *root, words, entry_of(args, fix, ec ? *root : relative, config)));
  return fmt::format("{}: base {}, {}; `hydra bench validate {}` shows that it works", args.name,
                     fix.base.substr(0, 12), counted(fix.tests.size(), "hidden test file"), args.suite);
}

}  // namespace

Result<int> new_task(const NewTaskArgs& args, Context& context) {
  HYDRA_TRY(const auto config, load_config(context));
  HYDRA_TRY(const auto made, make_task(args, config));
  return say(context.out().safe(made));
}

}  // namespace hydra::cli
