#include "race/sign_in.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/regular_file.hpp"
#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;
constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

fs::path given_file(const std::string& source, const std::string& agent, const Layout& layout) {
  return layout.sign_in(agent) / replace_all(source, "/", "%");
}

// A sign-out, an empty file or something else altogether must not replace a sign-in.
bool same_kind(const std::string& before, const std::string& after) {
  if (trim(after).empty()) return false;
  const auto was = nlohmann::json::parse(before, nullptr, false);
  if (!was.is_object()) return true;
  const auto is = nlohmann::json::parse(after, nullptr, false);
  if (!is.is_object()) return false;
  for (const auto& [key, value] : was.items())
    if (!is.contains(key) || is[key].type() != value.type()) return false;
  return true;
}

// The directory of a path below an open one, through no link.
UniqueFd parent_of(int root, const fs::path& relative) {
  UniqueFd at(::openat(root, ".", kDirectory));
  for (const auto& part : relative.parent_path()) {
    if (!at) break;
    at = UniqueFd(::openat(at.get(), part.c_str(), kDirectory | O_NOFOLLOW));
  }
  return at;
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

// Whole or not at all, and only over `expected`.
Result<void> replace(int home, const std::string& source, const std::string& expected,
                     const std::string& bytes) {
  const fs::path relative(source);
  const UniqueFd directory = parent_of(home, relative);
  if (!directory) return Error{Errc::refused, "is below something that is no plain directory", source, {}};
  const auto name = relative.filename().string();
  const auto temporary = "." + name + ".hydra-" + std::to_string(::getpid());
  ::unlinkat(directory.get(), temporary.c_str(), 0);  // of a daemon that was killed here and had this number
  Result<void> done;
  {
    const UniqueFd fd(::openat(directory.get(), temporary.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return system_error("cannot be replaced", errno);
    done = write_all(fd.get(), bytes);
  }
  if (done.ok()) {
    // Once more, as late as it can be: the user may have signed in anew.
    const auto now = read_regular_file_at(home, source, kMostBytes);
    if (!now.ok())
      done = now.error();
    else if (*now != expected)
      done = Error{Errc::conflict, "was changed meanwhile", source, {}};
  }
  if (done.ok() && ::renameat(directory.get(), temporary.c_str(), directory.get(), name.c_str()) != 0)
    done = system_error("cannot be replaced", errno);
  if (!done.ok()) ::unlinkat(directory.get(), temporary.c_str(), 0);
  if (done.ok()) ::fsync(directory.get());
  return done;
}

std::string carry_back(int home, const Seeded& seed, const std::string& agent, const Layout& layout) {
  const auto before = read_regular_file(given_file(seed.source, agent, layout), kMostBytes);
  if (!before.ok()) return {};
  const UniqueFd root(::open(seed.copy_root.c_str(), kDirectory | O_NOFOLLOW));
  if (!root) return {};
  const auto after =
      read_regular_file_at(root.get(), seed.copy.lexically_relative(seed.copy_root), kMostBytes);
  const auto shown = "~/" + seed.source;
  if (!after.ok()) {
    if (after.error().code == Errc::not_found) return {};
    return "its sign-in was not carried back to " + shown + ": its copy " + after.error().message;
  }
  if (*after == *before) return {};
  if (!same_kind(*before, *after))
    return "its sign-in was not carried back to " + shown + ": what it left is no sign-in of the same kind";
  const auto now = read_regular_file_at(home, seed.source, kMostBytes);
  const auto kept = [&](const std::string& why) {
    return "it renewed its sign-in, which was not carried back: " + shown + " " + why +
           " and is kept as it is; sign in again if it is refused";
  };
  if (!now.ok()) return kept(now.error().message);
  if (*now == *after) return {};  // it wrote both
  if (*now != *before) return kept("was changed meanwhile");
  if (const auto done = replace(home, seed.source, *before, *after); !done.ok())
    return kept(done.error().message);
  return "it renewed its sign-in, which was carried back to " + shown;
}

}  // namespace

Result<void> remember_sign_in(const Seeded& seed, const std::string& agent, const Layout& layout) {
  const auto bytes = read_regular_file(seed.copy, kMostBytes);
  if (!bytes.ok()) return {};  // no file of a size that a sign-in has: it stays in the run
  HYDRA_CHECK(make_dirs(layout.sign_in(agent), 0700));
  return write_file_atomic(given_file(seed.source, agent, layout), *bytes, false, 0600);
}

std::string carry_sign_in_back(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  std::string home_path;
  for (const auto& [key, value] : spec.environment)
    if (key == "HOME") home_path = value;
  const UniqueFd home(::open(home_path.c_str(), kDirectory));
  if (!home) return {};
  std::vector<std::string> told;
  for (const auto& seed : seeded_files(spec, agent, layout)) {
    if (!seed.rotating) continue;
    if (auto text = carry_back(home.get(), seed, agent.entry.name, layout); !text.empty())
      told.push_back(std::move(text));
  }
  return join(told, "; ");
}

}  // namespace hydra::race
