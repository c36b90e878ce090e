#include "storage/race_log.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "model/json.hpp"
#include "storage/sum.hpp"

#include <fmt/format.h>

#include <array>
#include <fcntl.h>
#include <map>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::storage {
namespace {

constexpr std::string_view kUp = "\"_up\":[\"";
/// The parts of a line; the checksum is that of all before its member.
constexpr std::string_view kAt = "{\"at_ms\":", kKind = ",\"kind\":\"",
                           kBody = "\",\"body\":", kSum = ",\"sum\":";
constexpr std::size_t kLargestLog = std::size_t{256} << 20;

/// Directories of races: the usual one, and the one beside it from which a cleaned race can be restored.
std::array<fs::path, 2> places(const fs::path& races) { return {races, races.parent_path() / "removed"}; }

fs::path log_of(const fs::path& races, const std::string& race) {
  for (const auto& place : places(races))
    if (::access((place / race).c_str(), F_OK) == 0) return place / race / "events.jsonl";
  return races / race / "events.jsonl";
}

/// Accepts a name that is a single path component.
bool plain(const std::string& race) {
  return !race.empty() && race.front() != '.' && race.find('/') == std::string::npos;
}

std::optional<LoggedEvent> read_line(std::string_view line) {
  const auto kind = line.find(kKind), body = line.find(kBody), sum = line.rfind(kSum);
  if (sum == line.npos || !line.ends_with('}') || !line.starts_with(kAt)) return std::nullopt;
  const auto between = [&](std::size_t from, std::size_t to) { return line.substr(from, to - from); };
  if (parse_int(between(sum + kSum.size(), line.size() - 1)) != sum_of(line.substr(0, sum)))
    return std::nullopt;
  return LoggedEvent{parse_int(between(kAt.size(), kind)).value_or(0),
                     std::string(between(kind + kKind.size(), body)),
                     std::string(between(body + kBody.size(), sum))};
}

}  // namespace

std::string stored_body(const model::Event& event) {
  auto text = model::to_json(event.body);
  const auto& boot = event.up.boot;
  const bool plain_boot = boot.find_first_not_of("0123456789abcdefABCDEF-") == std::string::npos;
  if (boot.empty() || !plain_boot || !text.ends_with('}')) return text;
  text.pop_back();
  return text + (text == "{" ? "" : ",") + std::string(kUp) + boot + "\"," + std::to_string(event.up.ms) +
         "]}";
}

Result<void> read_body(const std::string& kind, const std::string& text, model::Event& event) {
  HYDRA_TRY(event.body, model::event_from_json(kind, text));
  // Inside a JSON string the quotes would be escaped by backslashes.
  const auto at = text.rfind(kUp);
  if (at == std::string::npos || !text.ends_with("]}") || (at > 0 && text[at - 1] == '\\')) return {};
  const auto rest = std::string_view(text).substr(at + kUp.size());
  const auto end = rest.find('"');
  if (end == std::string_view::npos || end + 2 > rest.size() - 2) return {};
  if (const auto ms = parse_int(rest.substr(end + 2, rest.size() - end - 4)))
    event.up = {std::string(rest.substr(0, end)), *ms};
  return {};
}

void copy_events(const fs::path& races, const std::vector<model::Event>& events,
                 const std::vector<std::string>& bodies) {
  struct Lines {
    std::string text;
    bool begins = false;
  };
  std::map<std::string, Lines> of_race;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& event = events[i];
    auto& [text, begins] = of_race[event.race];
    begins = begins || std::holds_alternative<model::RaceCreated>(event.body);
    const auto line =
        fmt::format("{}{}{}{}{}{}", kAt, event.at_ms, kKind, model::kind(event.body), kBody, bodies[i]);
    text += fmt::format("{}{}{}}}\n", line, kSum, sum_of(line));
  }
  for (const auto& [race, wanted] : of_race) {
    if (!plain(race)) continue;
    if (wanted.begins && !make_dirs(races / race, 0700).ok()) continue;
    const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (wanted.begins ? O_CREAT : 0);
    const UniqueFd fd(::open(log_of(races, race).c_str(), flags, 0600));
    struct stat st {};
    if (!fd || ::fstat(fd.get(), &st) != 0) continue;
    const auto put = ::write(fd.get(), wanted.text.data(), wanted.text.size());
    // A partial line (a full disk) would corrupt the next line too.
    if (put != static_cast<ssize_t>(wanted.text.size())) (void)!::ftruncate(fd.get(), st.st_size);
  }
}

std::vector<LoggedEvent> copied_events(const fs::path& races, const std::string& race) {
  std::vector<LoggedEvent> found;
  if (!plain(race)) return found;
  const auto text = read_file(log_of(races, race), kLargestLog);
  if (!text.ok()) return found;
  for (const auto line : lines(*text))
    if (auto event = read_line(line)) found.push_back(std::move(*event));
  if (!found.empty() && found.front().kind != model::kind(model::RaceCreated{})) found.clear();
  return found;
}

std::vector<std::pair<std::string, std::int64_t>> copied_races(const fs::path& races) {
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const auto& place : places(races)) {
    std::error_code error;
    for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
      const auto name = entry->path().filename().string();
      struct stat st {};
      const auto log = entry->path() / "events.jsonl";
      if (plain(name) && log_of(races, name) == log && ::lstat(log.c_str(), &st) == 0 && S_ISREG(st.st_mode))
        found.emplace_back(name, st.st_mtim.tv_sec);
    }
  }
  return found;
}

}  // namespace hydra::storage
