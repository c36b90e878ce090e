#include "suite/suite.hpp"

#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "suite/impl.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hydra::suite {
namespace {

constexpr std::size_t kLongestName = 120;

/// Marks tasks with the same name (ignoring case) as broken, since nothing tells them apart.
void check_names(Suite& suite) {
  std::set<std::string> known, twice;
  for (const auto& task : suite.tasks)
    if (!known.insert(to_lower(task.name)).second) twice.insert(to_lower(task.name));
  std::vector<Task> kept;
  for (auto& task : suite.tasks) {
    if (task.name.empty())
      suite.broken.push_back({"(no name)", "it has no name"});
    else if (!valid_task_name(task.name))
      suite.broken.push_back({task.name, "a name has letters, digits, '.', '_' and '-' only"});
    else if (twice.contains(to_lower(task.name)))
      suite.broken.push_back({task.name, "another task has the same name"});
    else
      kept.push_back(std::move(task));
  }
  suite.tasks = std::move(kept);
}

void add(Sha256& hash, std::string_view text) {
  hash.add(std::to_string(text.size()) + " ");
  hash.add(text);
}

/// Adds every entry of the directory by its relative path, in the order of the paths.
void add_files(Sha256& hash, const fs::path& root) {
  std::error_code ec;
  std::map<std::string, fs::path> files;
  for (fs::recursive_directory_iterator at(root, ec), end; !ec && at != end; at.increment(ec))
    files[at->path().lexically_relative(root).string()] = at->path();
  for (const auto& [name, file] : files) {
    const auto status = fs::symlink_status(file, ec);
    add(hash, name);
    if (fs::is_symlink(status)) add(hash, "link " + fs::read_symlink(file, ec).string());
    if (!fs::is_regular_file(status)) continue;
    const bool program = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    add(hash, program ? "program" : "file");
    add(hash, read_file(file).value_or("unreadable"));
  }
}

bool chosen(const std::string& name, const std::vector<std::string>& globs) {
  bool any = false, in = false;
  for (const auto& glob : globs) {
    if (glob.starts_with('!')) {
      if (match_component(std::string_view(glob).substr(1), name)) return false;
    } else {
      any = true;
      in = in || match_component(glob, name);
    }
  }
  return in || !any;
}

}  // namespace

std::string digest_of(const Task& task) {
  Sha256 hash;
  for (const auto* text : {&task.test, &task.build, &task.setup, &task.test_patch}) add(hash, *text);
  for (const auto& [name, value] : task.test_env) add(hash, name + "=" + value);
  add_files(hash, task.tests);
  return hash.hex().substr(0, 16);
}

void detail::add_task(Suite& suite, Result<Task> task, const std::string& name) {
  if (task.ok())
    suite.tasks.push_back(std::move(*task));
  else
    suite.broken.push_back({name, describe(task.error())});
}

Result<double> detail::seconds_in(std::optional<double> value, const std::string& name) {
  constexpr double kLongestSeconds = 86400;
  if (value && (!(*value > 0) || *value > kLongestSeconds))
    return Error{Errc::config, name + " is not in (0, 86400]", {}, {}};
  return value.value_or(0);
}

std::optional<std::string> detail::check_text(const std::string& text) {
  if (trim(text).empty()) return "it is empty";
  if (text.find('\0') != std::string::npos) return "it has a NUL byte";
  if (to_utf8(text) != text) return "it is not valid UTF-8";
  return std::nullopt;
}

bool valid_task_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                  c == '_' || c == '-';
         });
}

Result<Suite> read_suite(const fs::path& path, const ReadOptions& options) {
  std::error_code ec;
  const auto root = fs::canonical(path, ec);
  if (ec) return Error{Errc::not_found, "there is no suite here: " + ec.message(), path.string(), {}};
  const bool file = fs::is_regular_file(root, ec);
  if (file && root.extension() != ".jsonl")
    return Error{Errc::usage, "a suite is a directory, or a file of JSON Lines (.jsonl)", path.string(), {}};
  HYDRA_TRY(auto suite, file                                           ? detail::read_swe(root, options)
                        : fs::is_regular_file(root / "suite.toml", ec) ? detail::read_native(root)
                                                                       : detail::read_harbor(root));
  suite.root = root;
  if (!options.name.empty()) suite.name = options.name;
  if (suite.name.empty()) suite.name = (file ? root.stem() : root.filename()).string();
  if (!valid_task_name(suite.name))
    return Error{Errc::usage, "'" + sanitize(suite.name) + "' is no name of a suite", path.string(),
                 "letters, digits, '.', '_' and '-'; --name gives another one"};
  check_names(suite);
  if (suite.tasks.empty() && suite.broken.empty())
    return Error{Errc::usage, "no task is here", path.string(),
                 "directories with task.toml (Harbor), a suite.toml, or a .jsonl file: docs/suites.md"};
  return suite;
}

Result<void> filter_suite(Suite& suite, const std::vector<std::string>& globs) {
  if (globs.empty()) return {};
  std::erase_if(suite.tasks, [&](const auto& task) { return !chosen(task.name, globs); });
  std::erase_if(suite.broken, [&](const auto& task) { return !chosen(task.name, globs); });
  if (suite.tasks.empty() && suite.broken.empty())
    return Error{Errc::usage, "no task has such a name", "--filter", {}};
  return {};
}

bool is_test_path(std::string_view path) {
  constexpr std::array<std::string_view, 8> kDirectories{"test",  "tests",    "__tests__", "spec",
                                                         "specs", "testdata", "testing",   "t"};
  constexpr std::array<std::string_view, 11> kNames{"test_*",    "*_test.*",    "*.test.*",    "*.spec.*",
                                                    "*_spec.*",  "*Test.java",  "*Tests.java", "*Test.kt",
                                                    "*Tests.cs", "conftest.py", "*_tests.*"};
  const auto parts = split(path, '/');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    if (std::find(kDirectories.begin(), kDirectories.end(), parts[i]) != kDirectories.end()) return true;
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](auto name) { return match_component(name, parts.back()); });
}

}  // namespace hydra::suite
