#include "cli/bench/store.hpp"

#include "base/entries.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> strings_of(const json& j, const char* key) {
  std::vector<std::string> all;
  for (const auto& item : member(j, key))
    if (item.is_string()) all.push_back(item.get<std::string>());
  return all;
}

std::map<std::string, std::string> texts_of(const json& j, const char* key) {
  std::map<std::string, std::string> all;
  const auto& found = member(j, key);
  if (found.is_object())
    for (const auto& [name, value] : found.items())
      if (value.is_string()) all[name] = value.get<std::string>();
  return all;
}

}  // namespace

Result<void> BenchStore::create(const BenchRun& run) const {
  HYDRA_CHECK(make_dirs(directory(run.id) / "tasks", 0700));
  const json j{{"schema", 1},
               {"run", run.id},
               {"suite", run.suite},
               {"source", run.source},
               {"agents", run.agents},
               {"attempts", run.attempts},
               {"tasks", run.tasks},
               {"repositories", run.repositories},
               {"test_command", run.test_command},
               {"validation", run.validation},
               {"digests", run.digests},
               {"versions", run.versions},
               {"labels", run.labels}};
  HYDRA_CHECK(write_file_atomic(directory(run.id) / "run.json", j.dump() + "\n", true));
  return sync_dir(root_);
}

Result<BenchRun> BenchStore::read(const std::string& id) const {
  HYDRA_TRY(const auto text_of_run, read_file(directory(id) / "run.json"));
  const auto j = json::parse(text_of_run, nullptr, false);
  const auto attempts = member(j, "attempts");
  if (!j.is_object() || text(j, "run") != id || !attempts.is_number_integer() || attempts.get<int>() < 1)
    return Error{Errc::io, "the record of the run is damaged", (directory(id) / "run.json").string(), {}};
  const auto validation = member(j, "validation");
  return BenchRun{id,
                  text(j, "suite"),
                  text(j, "source"),
                  text(j, "agents"),
                  attempts.get<int>(),
                  strings_of(j, "tasks"),
                  text(j, "repositories"),
                  text(j, "test_command"),
                  validation.is_boolean() && validation.get<bool>(),
                  texts_of(j, "digests"),
                  texts_of(j, "versions"),
                  texts_of(j, "labels")};
}

std::vector<fs::path> BenchStore::directories() const {
  std::vector<fs::path> all;
  std::error_code ec;
  for (const auto& entry : entries_of(root_, ec)) all.push_back(entry.path());
  return all;
}

std::vector<BenchRun> BenchStore::runs() const {
  std::vector<BenchRun> all;
  for (const auto& directory : directories())
    if (auto run = read(directory.filename().string())) all.push_back(std::move(*run));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return all;
}

Result<void> BenchStore::note_race(const std::string& run, const std::string& task,
                                   const std::string& race) const {
  const auto file = directory(run) / "races.jsonl";
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd) return system_error("cannot write " + file.string(), errno);
  // The newline comes first, since the previous line may be torn.
  const auto line = "\n" + json{{"task", task}, {"race", race}}.dump() + "\n";
  const auto written = ::write(fd.get(), line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size()))
    return system_error("cannot write " + file.string(), written < 0 ? errno : ENOSPC);
  if (::fdatasync(fd.get()) != 0) return system_error("cannot write " + file.string(), errno);
  return {};
}

std::vector<std::pair<std::string, std::string>> BenchStore::races(const std::string& run) const {
  std::vector<std::pair<std::string, std::string>> all;
  const auto bytes = read_file(directory(run) / "races.jsonl");
  if (!bytes) return all;
  for (const auto line : lines(*bytes)) {
    const auto j = json::parse(line, nullptr, false);
    if (j.is_object() && !text(j, "race").empty()) all.emplace_back(text(j, "task"), text(j, "race"));
  }
  return all;
}

}  // namespace hydra::cli
