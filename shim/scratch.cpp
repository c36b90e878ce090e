#include "scratch.hpp"

#include "base/entries.hpp"
#include "files.hpp"
#include "launch.hpp"
#include "record.hpp"
#include "stage2.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace shim {
namespace {

namespace fs = std::filesystem;
using hydra::UniqueFd;

/// Runs tar to its end; false: failed. With `stoppable`, a cancel ends it.
bool tar(const std::string& dir, std::vector<std::string> words, bool stoppable) {
  words.insert(words.begin(), {"tar", "--force-local"});  // a colon in a path is no host name
  const pid_t pid = ::fork();
  if (pid == 0) {
    const auto none = signals({});
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const auto argv = pointers(words);
    // tar does not get the payload's environment.
    std::array<char*, 2> environment{const_cast<char*>("PATH=/usr/local/bin:/usr/bin:/bin"), nullptr};
    ::execvpe(argv[0], argv.data(), environment.data());
    ::_exit(127);
  }
  int status = 0;
  while (pid > 0 && ::waitpid(pid, &status, stoppable ? WNOHANG : 0) != pid) {
    if (asked_to_end(dir)) ::kill(pid, SIGKILL);
    const timespec moment{0, 20'000'000};
    ::nanosleep(&moment, nullptr);
  }
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1;  // 1: a file changed while it was read
}

bool write_words(const std::string& path, const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += word + '\0';
  return write_whole(path, text, false);
}

/// Removes a tree, after making directories writable that a payload made read-only.
void remove_all(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (!failed) return;
  for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, failed), end;
       !failed && at != end; at.increment(failed)) {
    std::error_code ignored;
    if (at->symlink_status(ignored).type() == fs::file_type::directory)
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
  }
  fs::remove_all(path, failed);
}

UniqueFd locked(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : UniqueFd();
}

bool is_full(const std::string& path) {
  struct statvfs room {};
  return ::statvfs(path.c_str(), &room) == 0 && room.f_blocks > 0 &&
         (room.f_bavail * room.f_frsize < (1u << 20) || (room.f_files > 0 && room.f_favail < 16));
}

}  // namespace

bool asked_to_end(const std::string& dir) {
  sigset_t waiting;
  return (::sigpending(&waiting) == 0 && sigismember(&waiting, SIGTERM) == 1) ||
         ::access((dir + "/cancel").c_str(), F_OK) == 0;
}

Scratch::Scratch(std::string dir, const Spec& spec) : dir_(std::move(dir)), spec_(spec) {
  std::array<char, 256> host{};
  if (const char* named = std::getenv("SLURMD_NODENAME"); named != nullptr)
    node_ = named;
  else if (::gethostname(host.data(), host.size() - 1) == 0)
    node_ = host.data();
}

void Scratch::clear() {
  if (!lock_) return;
  remove_all(spec_.scratch_place);
  lock_.reset();
}

std::string Scratch::in_words(const std::string& what) const {
  const auto root = fs::path(spec_.scratch_place).parent_path().string();
  return what + " on node " + node_ + ": " + root +
         (is_full(root) ? " is full; free it, or set [execution] scratch to another directory"
                        : " can't be used; make it writable on every node, or set [execution] scratch to "
                          "another directory");
}

/// A younger directory may belong to a supervisor that has not locked it yet.
void Scratch::sweep() const {
  constexpr std::int64_t kYoung = 60;
  std::error_code failed;
  for (const auto& entry : hydra::entries_of(fs::path(spec_.scratch_place).parent_path(), failed)) {
    const auto path = entry.path().string();
    struct stat s {};
    if (!entry.path().filename().string().starts_with("hydra-") || ::lstat(path.c_str(), &s) != 0) continue;
    if (!S_ISDIR(s.st_mode) || s.st_uid != ::geteuid() || s.st_mtim.tv_sec + kYoung > ::time(nullptr))
      continue;
    if (const auto lock = locked(path)) remove_all(path);
  }
}

bool Scratch::fill(std::string& problem) {
  const auto& place = spec_.scratch_place;
  if (place.empty()) return true;
  sweep();
  const bool made = ::mkdir(place.c_str(), 0700) == 0;
  if (made) lock_ = locked(place);
  if (!made || !lock_ || ::mkdir((place + "/tree").c_str(), 0700) != 0) {
    problem = in_words("the tree has no place");
    return false;
  }
  if (!tar(dir_,
           {"--extract", "--file=" + dir_ + "/tree.tar", "--directory=" + place + "/tree",
            "--preserve-permissions"},
           true)) {
    problem = in_words("the tree can't be unpacked");
    return false;
  }
  // ctime has coarse steps: the payload's writes must not fall into the present step.
  const timespec step{0, 20'000'000};
  ::nanosleep(&step, nullptr);
  before_ = look();
  return true;
}

Scratch::Stamps Scratch::look() const {
  Stamps stamps;
  const fs::path tree = spec_.scratch_place + "/tree";
  std::error_code failed;
  for (fs::recursive_directory_iterator at(tree, failed), end; !failed && at != end; at.increment(failed)) {
    struct stat s {};
    if (::lstat(at->path().c_str(), &s) != 0) continue;
    // Make the directory accessible, or tar could not pack it either.
    if (S_ISDIR(s.st_mode) && (s.st_mode & S_IRWXU) != S_IRWXU)
      (void)::chmod(at->path().c_str(), s.st_mode | S_IRWXU);
    stamps[at->path().string().substr(tree.string().size() + 1)] = {
        s.st_ino, s.st_ctim.tv_sec * 1'000'000'000 + s.st_ctim.tv_nsec, s.st_mode & S_IFMT};
  }
  return stamps;
}

bool Scratch::write_back() {
  const auto after = look();
  std::vector<std::string> changed, removed;
  for (const auto& [path, stamp] : after)
    if (const auto was = before_.find(path); was == before_.end() || was->second != stamp)
      changed.push_back(path);
  for (const auto& [path, stamp] : before_)
    if (const auto is = after.find(path); is == after.end() || is->second.type != stamp.type)
      removed.push_back(path);
  const auto list = spec_.scratch_place + "/changed", archive = dir_ + "/back.tar";
  return write_words(list, changed) && write_words(dir_ + "/removed", removed) &&
         tar(dir_,
             {"--format=posix", "--create", "--file=" + archive + ".tmp", "--no-recursion",
              "--directory=" + spec_.scratch_place + "/tree", "--null", "--no-unquote",
              "--files-from=" + list},
             false) &&
         ::rename((archive + ".tmp").c_str(), archive.c_str()) == 0;
}

bool Scratch::give_back(std::string& problem) {
  if (!lock_) return true;  // no scratch directory
  constexpr int kPause = 1000;
  for (std::int64_t waited = 0;; waited += kPause) {
    if (write_back()) return true;
    if (waited >= spec_.publish_ms || !is_full(dir_)) break;
    ::usleep(kPause * 1000);
  }
  problem = "the tree can't be brought back from node " + node_ +
            (is_full(dir_) ? ": the shared disk of " + dir_ + " is full" : "");
  return false;
}

}  // namespace shim
