// Reads JSON Lines in the format of SWE-bench, over local clones.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "suite/impl.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace hydra::suite::detail {
namespace {

using nlohmann::json;

constexpr std::size_t kFileBytes = 1u << 30;
constexpr std::size_t kNamesBytes = 1u << 20;  ///< limit of one command line

std::string text_of(const json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns a list of names: an array, or an array as text, as in published files.
Result<std::vector<std::string>> names_of(const json& line, const char* key) {
  const auto found = line.find(key);
  const auto wrong = Error{Errc::config, std::string(key) + " is no list of names", {}, {}};
  if (found == line.end() || found->is_null()) return std::vector<std::string>{};
  const auto list = found->is_string() ? json::parse(found->get<std::string>(), nullptr, false) : *found;
  if (!list.is_array()) return wrong;
  std::vector<std::string> names;
  for (const auto& name : list) {
    if (!name.is_string() || name.get<std::string>().find('\0') != std::string::npos) return wrong;
    names.push_back(name.get<std::string>());
  }
  return names;
}

/// Finds the clone of "owner/name" as DIR/owner__name, DIR/owner/name or DIR/name.
Result<fs::path> clone_of(const std::string& repository, const fs::path& directory) {
  if (repository.empty()) return Error{Errc::config, "it has no repo", {}, {}};
  if (directory.empty())
    return Error{Errc::usage, "nobody said where the clones are", {}, "--repositories DIR"};
  std::error_code ec;
  const std::array<fs::path, 3> places{directory / replace_all(repository, "/", "__"), directory / repository,
                                       directory / fs::path(repository).filename()};
  for (const auto& place : places)
    if (fs::is_directory(place, ec)) return fs::absolute(place).lexically_normal();
  return Error{
      Errc::config, "there is no clone of " + sanitize(repository) + " in " + directory.string(), {}, {}};
}

Result<std::string> command_for(const json& line, const ReadOptions& options,
                                const std::vector<std::string>& names) {
  auto command = text_of(line, "test_command");
  if (command.empty()) command = options.test_command;
  if (command.empty()) command = "python3 -m pytest -q {tests}";
  std::string quoted;
  for (const auto& name : names) quoted += (quoted.empty() ? "" : " ") + shell_quote(name);
  if (quoted.size() > kNamesBytes)
    return Error{
        Errc::config, "its tests are too many for one command line", {}, "--test-command without {tests}"};
  return replace_all(command, "{tests}", quoted);
}

Result<Task> read_instance(const json& line, const ReadOptions& options) {
  Task task;
  task.name = text_of(line, "instance_id");
  task.text = text_of(line, "problem_statement");
  if (const auto wrong = check_text(task.text))
    return Error{Errc::config, "problem_statement: " + *wrong, {}, {}};
  task.base = text_of(line, "base_commit");
  if (task.base.empty()) return Error{Errc::config, "it has no base_commit", {}, {}};
  task.test_patch = text_of(line, "test_patch");
  task.solution_patch = text_of(line, "patch");
  HYDRA_TRY(auto names, names_of(line, "FAIL_TO_PASS"));
  if (names.empty())
    return Error{Errc::config, "it has no FAIL_TO_PASS: nothing says when it is solved", {}, {}};
  HYDRA_TRY(const auto kept, names_of(line, "PASS_TO_PASS"));
  names.insert(names.end(), kept.begin(), kept.end());
  HYDRA_TRY(task.test, command_for(line, options, names));
  task.setup = text_of(line, "setup");
  HYDRA_TRY(task.repository, clone_of(text_of(line, "repo"), options.repositories));
  return task;
}

}  // namespace

Result<Suite> read_swe(const fs::path& file, const ReadOptions& options) {
  HYDRA_TRY(const auto text, read_file(file, kFileBytes));
  Suite suite;
  suite.format = Format::swe;
  std::size_t number = 0;
  for (const auto line : lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const auto where = "line " + std::to_string(number);
    const auto parsed = json::parse(line, nullptr, false);
    if (!parsed.is_object()) {
      suite.broken.push_back({where, "it is no JSON object"});
      continue;
    }
    auto task = read_instance(parsed, options);
    if (!task.ok() && task.error().code == Errc::usage) return std::move(task).error();
    const auto name = text_of(parsed, "instance_id");
    add_task(suite, std::move(task), name.empty() ? where : name);
  }
  return suite;
}

}  // namespace hydra::suite::detail
