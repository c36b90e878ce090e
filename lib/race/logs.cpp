// What attempts have printed, as people ask for it: in slices, whole lines, paths relative to the repository.
#include "base/fd.hpp"
#include "base/strings.hpp"
#include "base/strip_paths.hpp"
#include "race/cross.hpp"
#include "race/impl.hpp"
#include "race/secrets.hpp"

#include <algorithm>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

// Of a job that was begun several times the last one counts.
fs::path newest_attempt(const Layout& layout, const std::string& subject, const std::string& kind) {
  fs::path newest = layout.attempt(subject, kind, 1);
  std::int64_t number = 0;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(newest.parent_path(), ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kind + "-")) continue;
    const auto found = parse_int(std::string_view(name).substr(kind.size() + 1));
    if (!found || *found <= number) continue;
    number = *found;
    newest = entry.path();
  }
  return newest;
}

// How much of the bytes can be shown: whole lines; all of it where nothing follows or a line is very long.
std::size_t whole_lines(std::string_view bytes, bool nothing_follows) {
  constexpr std::size_t kLongLine = 64u << 10;
  const auto newline = bytes.rfind('\n');
  const auto whole = newline == std::string_view::npos ? 0 : newline + 1;
  return nothing_follows || bytes.size() - whole > kLongLine ? bytes.size() : whole;
}

// The paths under which tools saw or named the tree of this subject.
std::vector<std::string> roots_of(const Race& race, const std::string& subject) {
  std::vector<std::string> roots{race.state.spec.repository.root};
  if (const auto found = race.state.subjects.find(subject); found != race.state.subjects.end())
    roots.push_back(found->second.path);
  if (const auto* agent = race.state.agent(subject)) roots.push_back(agent->workspace);
  return roots;
}

}  // namespace

Result<LogSlice> Service::log(const std::string& id, const std::string& subject, const std::string& kind,
                              bool err, std::int64_t offset, bool raw) {
  static const std::set<std::string> kKinds{"agent", "setup", "build", "tests", "lint", "template", "warm"};
  if (!kKinds.contains(kind))
    return Error{Errc::usage,
                 "no log of kind '" + sanitize(kind) + "'",
                 {},
                 "agent, setup, build, tests, lint, template or warm"};
  HYDRA_TRY(const auto race, impl_->load(id));
  const auto* agent = race->state.agent(subject);
  const bool cross = is_cross(subject) && race->state.subjects.contains(subject);
  if (!agent && !cross && subject != model::kBaseline)
    return Error{Errc::not_found, "no agent '" + sanitize(subject) + "' in this race", id, {}};
  // A check that was run again has a second attempt; the cache and identical trees have none of their own.
  auto owner = kind == "agent" || !agent ? subject : check_owner(race->state, *agent);
  std::error_code ec;
  auto directory = newest_attempt(race->layout, owner, kind);
  // Set-up that ran in the template is the baseline's.
  if (kind == "setup" && !fs::exists(directory, ec))
    directory = newest_attempt(race->layout, std::string(model::kBaseline), kind);
  LogSlice slice;
  const UniqueFd fd(::open((directory / (err ? "stderr.log" : "stdout.log")).c_str(), O_RDONLY | O_CLOEXEC));
  slice.ended = fs::exists(directory / "result.json", ec) || !race->state.ended.empty();
  slice.next_offset = offset;
  if (!fd) {
    if (slice.ended) return Error{Errc::not_found, "there is no such log", kind, {}};
    return slice;
  }
  const off_t data = ::lseek(fd.get(), offset, SEEK_DATA);
  if (data > offset) {
    slice.cut = true;
    slice.next_offset = data;
  }
  // Only up to the next hole: its zeros are no output.
  const off_t hole = ::lseek(fd.get(), slice.next_offset, SEEK_HOLE);
  const off_t room = 1 << 20;
  slice.bytes.resize(static_cast<std::size_t>(
      hole > slice.next_offset ? std::min<off_t>(hole - slice.next_offset, room) : room));
  const ssize_t n = ::pread(fd.get(), slice.bytes.data(), slice.bytes.size(), slice.next_offset);
  slice.bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  if (!raw) {
    // No path is cut in two: an unfinished line waits, unless nothing can follow it.
    struct stat st {};
    const bool at_end =
        ::fstat(fd.get(), &st) != 0 || slice.next_offset + std::max<ssize_t>(n, 0) >= st.st_size;
    const bool last = (at_end && slice.ended) || slice.next_offset + std::max<ssize_t>(n, 0) == hole;
    slice.bytes.resize(whole_lines(slice.bytes, last && !(at_end && !slice.ended)));
  }
  // No secret is cut in two either.
  const auto secrets = secrets_of_race(race->state.spec, race->secrets);
  struct stat whole {};
  const bool more = ::fstat(fd.get(), &whole) != 0 ||
                    slice.next_offset + static_cast<std::int64_t>(slice.bytes.size()) < whole.st_size;
  if (more || !slice.ended) slice.bytes.resize(slice.bytes.size() - begun_secret(slice.bytes, secrets));
  const auto taken = static_cast<std::int64_t>(slice.bytes.size());
  slice.next_offset += taken;
  if (n > 0) slice.ended = false;  // the next call tells
  if (!raw) slice.bytes = strip_paths(slice.bytes, roots_of(*race, subject));
  slice.bytes = without_secrets(slice.bytes, secrets);
  return slice;
}

}  // namespace hydra::race
