#include "race/agents/sign_in.hpp"

#include "adapters/sign_in_text.hpp"
#include "base/entries.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/regular_file.hpp"
#include "base/strings.hpp"
#include "race/state/agent_state.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;
constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

constexpr std::string_view kRenewed = "renewed-";

std::string plain_name(const std::string& source) { return replace_all(source, "/", "%"); }

fs::path given_file(const std::string& source, const std::string& agent, const Layout& layout) {
  return layout.sign_in(agent) / plain_name(source);
}

// Returns the file that holds the path of the user's file.
fs::path origin_file(const std::string& source, const std::string& agent, const Layout& layout) {
  return layout.sign_in(agent) / ("origin-" + plain_name(source));
}

// Opens the directory of an absolute path, refusing links. Directories on the way need not be readable.
UniqueFd parent_of(const fs::path& path) {
  UniqueFd at(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const auto& part : path.relative_path().parent_path()) {
    if (!at) break;
    at = UniqueFd(::openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  if (!at) return at;
  return UniqueFd(::openat(at.get(), ".", kDirectory));
}

Result<void> write_all(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot be written", errno);
    done += static_cast<std::size_t>(n);
  }
  if (::fsync(fd) != 0) return system_error("cannot be written", errno);
  return {};
}

// Replaces a file atomically, and only if its content is `expected`.
Result<void> replace(int directory, const std::string& name, const std::string& expected,
                     const std::string& bytes) {
  const auto temporary = "." + name + ".hydra-" + std::to_string(::getpid());
  ::unlinkat(directory, temporary.c_str(), 0);  // left by a daemon killed here with the same process id
  Result<void> done;
  {
    const UniqueFd fd(
        ::openat(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return system_error("cannot be replaced", errno);
    done = write_all(fd.get(), bytes);
  }
  if (done.ok()) {
    // Compare again at the last moment: the user may have signed in again.
    const auto now = read_regular_file_at(directory, name, kMostBytes);
    if (!now.ok())
      done = now.error();
    else if (*now != expected)
      done = Error{Errc::conflict, "was changed meanwhile", name, {}};
  }
  if (done.ok() && ::renameat(directory, temporary.c_str(), directory, name.c_str()) != 0)
    done = system_error("cannot be replaced", errno);
  if (!done.ok()) ::unlinkat(directory, temporary.c_str(), 0);
  if (done.ok()) ::fsync(directory);
  return done;
}

// Keeps a renewed sign-in, which may be the only valid one, beyond the end of the run and the race.
std::string keep_renewed(const std::string& bytes, const Seeded& seed, const std::string& agent,
                         const Layout& layout) {
  if (trim(bytes).empty()) return {};
  const auto path = layout.sign_in(agent) / (std::string(kRenewed) + plain_name(seed.source));
  if (!write_file_atomic(path, bytes, false, 0600).ok()) return {};
  return "; what it left is kept in " + path.string();
}

std::string shown_path(const model::RaceSpec& spec, const Seeded& seed) {
  for (const auto& [key, value] : spec.environment)
    if (key == "HOME" && seed.from == fs::path(value) / seed.source) return "~/" + seed.source;
  return seed.from.string();
}

std::string carry_back(const model::RaceSpec& spec, const Seeded& seed, const std::string& agent,
                       const Layout& layout) {
  const auto before = read_regular_file(given_file(seed.source, agent, layout), kMostBytes);
  const auto origin = read_regular_file(origin_file(seed.source, agent, layout), kMostBytes);
  if (!before.ok() || !origin.ok()) return {};
  const UniqueFd root(::open(seed.copy_root.c_str(), kDirectory | O_NOFOLLOW));
  if (!root) return {};
  const auto after =
      read_regular_file_at(root.get(), seed.copy.lexically_relative(seed.copy_root), kMostBytes);
  const auto shown = shown_path(spec, seed);
  if (!after.ok()) {
    if (after.error().code == Errc::not_found) return {};
    return "its sign-in was not carried back to " + shown + ": its copy " + after.error().message;
  }
  if (*after == *before) return {};
  if (!adapters::same_kind_of_sign_in(*before, *after))
    return "its sign-in was not carried back to " + shown +
           ": what it left is no sign-in of the same kind; sign in again if the old one is refused" +
           keep_renewed(*after, seed, agent, layout);
  const auto kept = [&](const std::string& why) {
    return "it renewed its sign-in, which was not carried back: " + shown + " " + why +
           " and is kept as it is; sign in again if it is refused" +
           keep_renewed(*after, seed, agent, layout);
  };
  std::error_code ec;
  const auto place = fs::canonical(seed.from, ec);
  if (ec) return kept("does not exist");
  if (place != fs::path(*origin)) return kept("leads elsewhere now");
  const UniqueFd directory = parent_of(place);
  if (!directory) return kept("is below something that is no plain directory");
  const auto name = place.filename().string();
  const auto now = read_regular_file_at(directory.get(), name, kMostBytes);
  if (!now.ok()) return kept(now.error().message);
  if (*now == *after) return {};  // the CLI wrote both files
  if (*now != *before) return kept("was changed meanwhile");
  if (const auto done = replace(directory.get(), name, *before, *after); !done.ok())
    return kept(done.error().message);
  return "it renewed its sign-in, which was carried back to " + shown;
}

}  // namespace

Result<void> remember_sign_in(const Seeded& seed, const fs::path& origin, const std::string& agent,
                              const Layout& layout) {
  const auto bytes = read_regular_file(seed.copy, kMostBytes);
  if (!bytes.ok()) return {};  // too large for a sign-in: the file stays in the run
  HYDRA_CHECK(make_dirs(layout.sign_in(agent), 0700));
  HYDRA_CHECK(write_file_atomic(origin_file(seed.source, agent, layout), origin.string(), false, 0600));
  return write_file_atomic(given_file(seed.source, agent, layout), *bytes, false, 0600);
}

std::string carry_sign_in_back(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  std::vector<std::string> told;
  for (const auto& seed : seeded_files(spec, agent, layout)) {
    if (!seed.rotating) continue;
    if (auto text = carry_back(spec, seed, agent.entry.name, layout); !text.empty())
      told.push_back(std::move(text));
  }
  return join(told, "; ");
}

void forget_sign_ins(const std::string& agent, const Layout& layout) {
  std::error_code ec;
  std::vector<fs::path> given;
  for (const auto& entry : entries_of(layout.sign_in(agent), ec))
    if (!entry.path().filename().string().starts_with(kRenewed)) given.push_back(entry.path());
  for (const auto& path : given) fs::remove(path, ec);
  fs::remove(layout.sign_in(agent), ec);  // fails and keeps the directory if files are left in it
}

std::vector<std::string> sign_in_values(const model::RaceSpec& spec) {
  constexpr std::size_t kMost = 64, kMaxSignInFile = 256u << 10;
  std::set<fs::path> files;
  for (const auto& [id, descriptor] : spec.config.agents) files.merge(sign_in_files(spec, descriptor));
  std::vector<std::string> values;
  for (const auto& file : files)
    if (const auto text = read_file(file, kMaxSignInFile); text.ok())
      for (auto& value : adapters::secret_values_of(*text))
        if (values.size() < kMost && std::find(values.begin(), values.end(), value) == values.end())
          values.push_back(std::move(value));
  return values;
}

}  // namespace hydra::race
