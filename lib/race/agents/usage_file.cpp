#include "race/agents/usage_file.hpp"

#include "base/fd.hpp"
#include "base/regular_file.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <unistd.h>
#include <vector>

namespace hydra::race {
namespace {

namespace fs = std::filesystem;

constexpr int kMostEntries = 16384;  ///< limit over all directories; further entries are ignored
constexpr std::string_view kRun = "{run_dir}/", kHome = "{home}/";

/// Returns the template's path below its directory, with the session filled in; empty: impossible.
std::string below(const model::UsageFile& file, std::string_view prefix, const std::string& session) {
  if (!file.path.starts_with(prefix)) return {};
  const auto relative = file.path.substr(prefix.size());
  if (relative.find("{session}") == std::string::npos) return relative;
  // The stream names the session: only a plain file name is accepted.
  const bool plain = !session.empty() && session.size() < 200 &&
                     session.find_first_of("/*?[]\\") == std::string::npos && session != "." &&
                     session != "..";
  return plain ? replace_all(relative, "{session}", session) : std::string();
}

bool matches(std::string_view pattern, std::string_view name) {
  // Only `*` within one path component: match the pieces from left to right.
  const auto pieces = split(pattern, '*');
  if (pieces.size() == 1) return pattern == name;
  if (!name.starts_with(pieces.front())) return false;
  std::size_t at = pieces.front().size();
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    at = name.find(pieces[i], at);
    if (at == std::string_view::npos) return false;
    at += pieces[i].size();
  }
  return name.size() >= at + pieces.back().size() && name.ends_with(pieces.back());
}

/// Returns the last matching name below an open directory, part by part, and for a part `**` the last of each
/// directory. `left`: remaining number of entries to read.
std::vector<std::string> find_last(int directory, const std::vector<std::string>& parts, std::size_t i,
                                   int& left) {
  const auto& part = parts[i];
  const bool last = i + 1 == parts.size();
  std::vector<std::string> names, found;
  if (part.find('*') == std::string::npos) {
    names.push_back(part);
  } else {
    const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) return found;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(copy), &::closedir);
    if (!listing) {
      ::close(copy);
      return found;
    }
    for (; left > 0; --left) {
      const auto* entry = ::readdir(listing.get());
      if (entry == nullptr) break;
      const std::string_view name(entry->d_name);
      if (name != "." && name != ".." && matches(part, name)) names.emplace_back(name);
    }
    std::sort(names.begin(), names.end(), std::greater<>());
  }
  for (const auto& name : names) {
    if (last) {
      const UniqueFd file(::openat(directory, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
      if (file) found.push_back(name);
    } else if (const UniqueFd next(
                   ::openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
               next) {
      for (const auto& rest : find_last(next.get(), parts, i + 1, left)) found.push_back(name + "/" + rest);
    }
    if (!found.empty() && part != "**") break;
  }
  return found;
}

struct Place {
  UniqueFd root;
  std::vector<std::string> files;  ///< relative; not empty
};

/// Returns the files that the template names.
std::optional<Place> locate(const model::UsageFile& file, const fs::path& run_dir, const fs::path& home,
                            const std::string& session) {
  auto relative = below(file, kRun, session);
  fs::path root = run_dir;
  if (relative.empty()) {
    relative = below(file, kHome, session);
    root = home;
  }
  if (relative.empty()) return std::nullopt;
  UniqueFd directory(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto part : split(relative, '/'))
    if (!part.empty()) parts.emplace_back(part);
  if (parts.empty()) return std::nullopt;
  int left = kMostEntries;
  auto found = find_last(directory.get(), parts, 0, left);
  if (found.empty()) return std::nullopt;
  return Place{std::move(directory), std::move(found)};
}

}  // namespace

bool end_is_enough(const model::UsageFile& file) {
  return file.format == model::StreamFormat::jsonl && file.rule.mode == model::UsageMode::last;
}

std::optional<std::string> find_usage_file(const model::UsageFile& file, const fs::path& run_dir,
                                           const fs::path& home, const std::string& session,
                                           std::size_t max_bytes) {
  const auto found = locate(file, run_dir, home, session);
  if (!found) return std::nullopt;
  const bool tail = end_is_enough(file);
  auto text = tail ? read_regular_tail_at(found->root.get(), found->files.front(), max_bytes)
                   : read_regular_file_at(found->root.get(), found->files.front(), max_bytes);
  if (!text.ok()) return std::nullopt;
  if (tail && text->size() == max_bytes) {  // the text may begin within a line
    const auto end = text->find('\n');
    text->erase(0, end == std::string::npos ? text->size() : end + 1);
  }
  return std::move(*text);
}

std::vector<UsageLogPart> read_usage_log(const model::UsageFile& file, const fs::path& run_dir,
                                         const fs::path& home, const std::string& session,
                                         const UsageLogSizes& from, std::size_t max_bytes) {
  std::vector<UsageLogPart> parts;
  const auto found = locate(file, run_dir, home, session);
  if (!found) return parts;
  for (const auto& name : found->files) {
    const auto known = from.find(name);
    const auto offset = known == from.end() ? 0 : known->second;
    auto text = read_regular_range_at(found->root.get(), name, offset, max_bytes);
    if (text.ok() && !text->empty()) parts.push_back({name, offset, std::move(*text)});
  }
  return parts;
}

void remove_usage_file(const model::UsageFile& file, const fs::path& run_dir) {
  const auto relative = below(file, kRun, {});
  // A path with a session id is unique to that session and needs no removal.
  if (relative.empty() || relative.find_first_of("*/") != std::string::npos) return;
  ::unlink((run_dir / relative).c_str());
}

}  // namespace hydra::race
