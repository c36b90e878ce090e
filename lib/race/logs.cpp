// Output of attempts as clients read it: in slices of whole lines, with paths relative to the repository.
#include "base/entries.hpp"
#include "base/fd.hpp"
#include "base/strings.hpp"
#include "base/strip_paths.hpp"
#include "race/agents/secrets.hpp"
#include "race/impl.hpp"
#include "race/state/cross.hpp"

#include <algorithm>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

// Returns the attempt with the highest number.
fs::path newest_attempt(const Layout& layout, const Subject& subject, const std::string& kind) {
  fs::path newest = layout.attempt(subject, kind, 1);
  std::int64_t number = 0;
  std::error_code ec;
  for (const auto& entry : entries_of(newest.parent_path(), ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kind + "-")) continue;
    const auto found = parse_int(std::string_view(name).substr(kind.size() + 1));
    if (!found || *found <= number) continue;
    number = *found;
    newest = entry.path();
  }
  return newest;
}

// Returns the length of the bytes to show: whole lines, or all if nothing follows or a line is very long.
std::size_t whole_lines(std::string_view bytes, bool nothing_follows) {
  constexpr std::size_t kLongLine = 64u << 10;
  const auto newline = bytes.rfind('\n');
  const auto whole = newline == std::string_view::npos ? 0 : newline + 1;
  return nothing_follows || bytes.size() - whole > kLongLine ? bytes.size() : whole;
}

// Returns the paths under which tools may name this subject's tree.
std::vector<std::string> roots_of(const Race& race, const Subject& subject) {
  std::vector<std::string> roots{race.state.spec.repository.root};
  if (const auto* found = race.state.subject(subject)) roots.push_back(found->path);
  if (const auto* agent = race.state.agent(text(subject))) roots.push_back(agent->workspace);
  return roots;
}

bool plain_name(const std::string& name) {
  return !name.empty() && name.size() <= 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_@+#") ==
             std::string::npos;
}

Result<void> check_kind(const std::string& kind) {
  static const std::set<std::string> kKinds{"agent", "setup",    "build", "tests",
                                            "lint",  "template", "warm",  "run"};
  if (kKinds.contains(kind)) return {};
  return Error{Errc::usage,
               "no log of kind '" + sanitize(kind) + "'",
               {},
               "agent, setup, build, tests, lint, template, warm or run"};
}

/// "RACE/SUBJECT/KIND/N", the key of an attempt in evidence. Each part is validated, so that no part can be a
/// path.
struct AttemptKey {
  std::string race, kind;
  Subject subject;
  int number = 0;
};
Result<AttemptKey> read_key(const std::string& whole) {
  const auto parts = split(whole, '/');
  const auto number = parts.size() == 4 ? parse_int(parts[3]) : std::nullopt;
  AttemptKey key;
  if (number && *number > 0 && *number < 1'000'000)
    key = {std::string(parts[0]), std::string(parts[2]), model::subject_of(parts[1]),
           static_cast<int>(*number)};
  if (key.number == 0 || !plain_name(key.race) || !plain_name(text(key.subject)))
    return Error{Errc::usage, "no attempt '" + sanitize(whole) + "'", {}, {}};
  HYDRA_CHECK(check_kind(key.kind));
  return key;
}

/// Calls on_line with the offset of each line after `from`, until on_line returns false. Holes are skipped.
template <class OnLine>
void each_line(int fd, std::int64_t from, const OnLine& on_line) {
  std::string buffer(256 << 10, '\0');
  std::int64_t at = from;
  for (;;) {
    const off_t data = ::lseek(fd, at, SEEK_DATA);
    if (data > at) at = data;
    const ssize_t n = ::pread(fd, buffer.data(), buffer.size(), at);
    if (n <= 0) return;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(n));
    for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n', end + 1))
      if (!on_line(at + static_cast<std::int64_t>(end) + 1)) return;
    at += n;
  }
}

std::int64_t size_of(int fd) {
  struct stat st {};
  return ::fstat(fd, &st) == 0 ? st.st_size : 0;
}

std::int64_t begin_of(int fd, const LogQuery& query) {
  std::int64_t found = query.offset;
  if (query.tail > 0 && size_of(fd) > query.tail) {
    found = size_of(fd) - query.tail;
    each_line(fd, found - 1, [&](std::int64_t next) {
      found = next;
      return false;
    });
  }
  if (query.line > 1) {
    std::int64_t line = 1;
    found = size_of(fd);
    each_line(fd, 0, [&](std::int64_t next) {
      if (++line < query.line) return true;
      found = next;
      return false;
    });
  }
  return found;
}

/// A requested log, with all inputs for reading it on the pool.
struct LogWish {
  LogQuery query;
  Layout layout;
  Subject owner;       ///< subject of the newest attempt
  fs::path directory;  ///< directory of another attempt; empty: the newest one
  bool over;           ///< the race has ended: the log is complete
  Secrets secrets;
  std::vector<std::string> roots;
};

/// Returns the subject that owns the attempt, among the race's own subjects.
Result<Subject> attempt_owner(const Race& race, const LogQuery& query) {
  const auto& subject = query.subject;
  const auto* agent = race.state.agent(subject.agent);
  const bool known = agent || subject.of_baseline() ||
                     (subject.kind == Kind::cross && race.state.subjects.contains(subject));
  if (!known || !plain_name(text(subject)))
    return Error{
        Errc::not_found, "no agent '" + sanitize(text(subject)) + "' in this race", race.state.spec.id, {}};
  if (query.kind == "run" && agent) return subject.as(Kind::tried);
  // A rerun check has a second attempt; cached results and identical trees have no attempts.
  return query.kind == "agent" || subject.kind != Kind::result ? subject : check_owner(race.state, *agent);
}

/// Returns the attempt of another race that this check was taken from; empty: the race ran it itself, or it
/// never ran.
std::string foreign_attempt(const Race& race, const Subject& owner, const std::string& kind) {
  const auto* checks = race.state.checks(owner);
  if (!checks) return {};
  for (const auto* check : {&checks->build, &checks->tests, &checks->lint})
    if (*check && (*check)->cached && kind == model::name((*check)->dimension)) {
      const auto key = read_key((*check)->attempt);
      if (key.ok() && key->race != race.state.spec.id) return (*check)->attempt;
    }
  return {};
}

Result<LogWish> wish_of(Engine& engine, const std::string& id, const LogQuery& query) {
  const auto whole = read_key(query.attempt);
  // A cached check's log is with the race that ran it, and so are the values of that race's secrets.
  HYDRA_TRY(const auto race, engine.load(whole.ok() ? whole->race : id));
  HYDRA_CHECK(check_kind(query.kind));
  const auto& state = race->state;
  const bool names_all = query.attempt.find('/') != std::string::npos;
  Subject owner;
  auto key = query.attempt;
  if (!names_all) {
    HYDRA_TRY(owner, attempt_owner(*race, query));
    auto elsewhere = query;
    if (query.attempt.empty()) elsewhere.attempt = foreign_attempt(*race, owner, query.kind);
    if (elsewhere.attempt != query.attempt) return wish_of(engine, id, elsewhere);
    key = state.spec.id + "/" + text(owner) + "/" + query.kind + "/" + query.attempt;
  }
  fs::path directory;
  auto subject = query.subject;
  if (!query.attempt.empty()) {
    HYDRA_TRY(const auto attempt, read_key(key));
    directory = race->layout.attempt(attempt.subject, attempt.kind, attempt.number);
    if (names_all) subject = attempt.subject;
  }
  return LogWish{query,
                 race->layout,
                 owner,
                 directory,
                 state.ended.has_value(),
                 engine.secrets.of_race(state.spec, race->secrets),
                 roots_of(*race, subject)};
}

fs::path directory_of(const LogWish& wish) {
  if (!wish.directory.empty()) return wish.directory;
  const auto& kind = wish.query.kind;
  std::error_code ec;
  auto directory = newest_attempt(wish.layout, wish.owner, kind);
  // A set-up in the template belongs to the baseline.
  if (kind == "setup" && !fs::exists(directory, ec))
    directory = newest_attempt(wish.layout, Subject::baseline(), kind);
  return directory;
}

UniqueFd open_log(const fs::path& directory, bool err) {
  return UniqueFd(
      ::open((directory / (err ? "stderr.log" : "stdout.log")).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

Error no_such_log(const std::string& kind) { return {Errc::not_found, "there is no such log", kind, {}}; }

Result<LogSlice> read_slice(const LogWish& wish) {
  const auto& query = wish.query;
  const auto directory = directory_of(wish);
  std::error_code ec;
  LogSlice slice;
  const auto fd = open_log(directory, query.err);
  slice.ended = fs::exists(directory / "result.json", ec) || wish.over;
  slice.next_offset = query.offset;
  if (!fd) {
    if (slice.ended) return no_such_log(query.kind);
    return slice;
  }
  slice.next_offset = begin_of(fd.get(), query);
  const off_t data = ::lseek(fd.get(), slice.next_offset, SEEK_DATA);
  if (data > slice.next_offset) {
    slice.cut = true;
    slice.next_offset = data;
  }
  slice.offset = slice.next_offset;
  // Only up to the next hole, whose zeros are no output.
  const off_t hole = ::lseek(fd.get(), slice.next_offset, SEEK_HOLE);
  const off_t room = query.most;
  slice.bytes.resize(static_cast<std::size_t>(
      hole > slice.next_offset ? std::min<off_t>(hole - slice.next_offset, room) : room));
  const ssize_t n = ::pread(fd.get(), slice.bytes.data(), slice.bytes.size(), slice.next_offset);
  slice.bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  if (!query.raw) {
    // Do not split a path: an unfinished line waits, unless nothing can follow it.
    const bool at_end = slice.next_offset + std::max<ssize_t>(n, 0) >= size_of(fd.get());
    const bool last = (at_end && slice.ended) || slice.next_offset + std::max<ssize_t>(n, 0) == hole;
    slice.bytes.resize(whole_lines(slice.bytes, last && !(at_end && !slice.ended)));
  }
  // Do not split a secret either.
  const bool more = slice.next_offset + static_cast<std::int64_t>(slice.bytes.size()) < size_of(fd.get());
  if (more || !slice.ended) slice.bytes.resize(slice.bytes.size() - begun_secret(slice.bytes, wish.secrets));
  const auto taken = static_cast<std::int64_t>(slice.bytes.size());
  slice.next_offset += taken;
  slice.ended = slice.ended && !more && taken == std::max<ssize_t>(n, 0);
  if (!query.raw) slice.bytes = strip_paths(slice.bytes, wish.roots);
  slice.bytes = without_secrets(slice.bytes, wish.secrets);
  return slice;
}

Result<wire::LogLines> read_lines(const LogWish& wish) {
  const auto fd = open_log(directory_of(wish), wish.query.err);
  if (!fd) return no_such_log(wish.query.kind);
  wire::LogLines out;
  out.bytes = size_of(fd.get());
  out.lines = out.bytes > 0 ? 1 : 0;
  out.offsets = {0};
  each_line(fd.get(), 0, [&](std::int64_t next) {
    if (next >= out.bytes) return false;
    if (++out.lines % out.every == 1) out.offsets.push_back(next);
    return true;
  });
  return out;
}

}  // namespace

void Service::log(const std::string& id, const LogQuery& query, std::function<void(Result<LogSlice>)> done) {
  auto wish = wish_of(*impl_, id, query);
  if (!wish.ok()) return done(std::move(wish).error());
  impl_->background([wish = std::move(*wish)] { return read_slice(wish); }, std::move(done));
}

void Service::log_lines(const std::string& id, const LogQuery& query,
                        std::function<void(Result<wire::LogLines>)> done) {
  auto wish = wish_of(*impl_, id, query);
  if (!wish.ok()) return done(std::move(wish).error());
  impl_->background([wish = std::move(*wish)] { return read_lines(wish); }, std::move(done));
}

}  // namespace hydra::race
