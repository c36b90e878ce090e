// What a copy was when it was done: as a list, as a file, and when it holds.
#include "base/fd.hpp"
#include "base/used_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <utility>

namespace hydra {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "hydra tree 1 ";
constexpr long kExt4 = 0xef53;

using Time = std::pair<std::int64_t, std::int64_t>;

Time time_of(const CopiedEntry& entry) { return {entry.changed_s, entry.changed_ns}; }

template <class Number>
bool take_number(std::string_view& text, char end, Number& number) {
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || at == text.data() + text.size() || *at != end) return false;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()) + 1);
  return true;
}

void append(std::string& out, const CopiedEntry& entry) {
  fmt::format_to(std::back_inserter(out), "{}{} {} {} ", entry.kind, entry.inode, entry.changed_s,
                 entry.changed_ns);
  out += entry.path;
  out += '\0';
}

bool take_entry(std::string_view& text, CopiedEntry& entry) {
  if (text.empty()) return false;
  entry.kind = text.front();
  text.remove_prefix(1);
  if (entry.kind != 'f' && entry.kind != 'd' && entry.kind != 'l') return false;
  if (!take_number(text, ' ', entry.inode) || !take_number(text, ' ', entry.changed_s) ||
      !take_number(text, ' ', entry.changed_ns))
    return false;
  const auto end = text.find('\0');
  if (end == std::string_view::npos) return false;
  entry.path = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

}  // namespace

bool tells_changes(const fs::path& directory) {
  struct statfs facts {};
  return ::statfs(directory.c_str(), &facts) == 0 && static_cast<long>(facts.f_type) == kExt4;
}

std::optional<TreeManifest> manifest_of(CloneReport report) {
  const auto root = std::find_if(report.entries.begin(), report.entries.end(),
                                 [](const CopiedEntry& entry) { return entry.path.empty(); });
  if (root == report.entries.end()) return std::nullopt;
  TreeManifest manifest;
  manifest.root = std::move(*root);
  *root = std::move(report.entries.back());
  report.entries.pop_back();
  manifest.entries = std::move(report.entries);
  return manifest;
}

Result<void> outlast(const TreeManifest& manifest, const fs::path& marker) {
  Time newest = time_of(manifest.root);
  for (const auto& entry : manifest.entries) newest = std::max(newest, time_of(entry));
  const UniqueFd file(::open(marker.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return system_error("cannot write " + marker.string(), errno);
  constexpr int kTries = 200;
  bool passed = false;
  for (int tries = 0; tries < kTries && !passed; ++tries) {
    if (tries > 0) {
      const timespec moment{0, 1'000'000};
      ::nanosleep(&moment, nullptr);
    }
    // Both: a file system may count finer than the clock ticks for a file that was looked at, and only for
    // it.
    struct stat facts {};
    timespec now{};
    if (::futimens(file.get(), nullptr) != 0 || ::fstat(file.get(), &facts) != 0) break;
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    passed =
        Time(facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec) > newest && Time(now.tv_sec, now.tv_nsec) > newest;
  }
  ::unlink(marker.c_str());
  if (passed) return {};
  return Error{Errc::environment, "the clock of the file system does not go on", marker.string(), {}};
}

std::string to_bytes(const TreeManifest& manifest, std::string_view key) {
  std::string out(kHead);
  out.reserve(64 + manifest.entries.size() * 96);
  out += key;
  out += '\n';
  append(out, manifest.root);
  for (const auto& entry : manifest.entries) append(out, entry);
  return out;
}

std::optional<TreeManifest> manifest_from_bytes(std::string_view bytes, std::string_view key) {
  const std::string head = std::string(kHead) + std::string(key) + "\n";
  if (!bytes.starts_with(head)) return std::nullopt;
  bytes.remove_prefix(head.size());
  TreeManifest manifest;
  if (!take_entry(bytes, manifest.root) || !manifest.root.path.empty() || manifest.root.kind != 'd')
    return std::nullopt;
  while (!bytes.empty()) {
    CopiedEntry entry;
    if (!take_entry(bytes, entry) || entry.path.empty()) return std::nullopt;
    manifest.entries.push_back(std::move(entry));
  }
  return manifest;
}

}  // namespace hydra
