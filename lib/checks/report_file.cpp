#include "checks/report_file.hpp"

#include "base/fd.hpp"
#include "base/glob.hpp"
#include "base/regular_file.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>

namespace hydra::checks {
namespace {

namespace fs = std::filesystem;

/// Opens a directory below `directory` without following links.
UniqueFd open_below(int directory, const fs::path& relative) {
  UniqueFd at(::fcntl(directory, F_DUPFD_CLOEXEC, 3));
  for (const auto& part : relative) {
    if (!at) break;
    at = UniqueFd(::openat(at.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  return at;
}

/// Names in `relative` that match; at most kMaxReportFiles + 1.
std::vector<std::string> matching(int directory, const fs::path& relative, const std::string& pattern) {
  std::vector<std::string> names;
  auto fd = open_below(directory, relative);
  if (!fd) return names;
  const UniqueDir dir(::fdopendir(fd.get()));
  if (!dir) return names;
  fd.release();
  // The number of entries read is bounded too.
  for (std::size_t seen = 0; seen < 100'000 && names.size() <= kMaxReportFiles; ++seen) {
    const dirent* entry = ::readdir(dir.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && match_component(pattern, name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<ReportFile> read_reports(const fs::path& directory, const std::vector<std::string>& patterns) {
  constexpr std::string_view kPlace = "{reports}/";
  std::vector<ReportFile> out;
  if (patterns.empty()) return out;
  const UniqueFd root(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  std::size_t left = kMaxReportBytes;
  for (const auto& pattern : patterns) {
    const fs::path relative = pattern.starts_with(kPlace) ? pattern.substr(kPlace.size()) : pattern;
    std::vector<std::string> names{relative.filename().string()};
    if (names[0].find_first_of("*?") != std::string::npos && root)
      names = matching(root.get(), relative.parent_path(), names[0]);
    if (!root || names.empty()) {
      out.push_back({relative.string(), {}, root ? "no such file" : "the directory of the reports is gone"});
      continue;
    }
    if (names.size() > kMaxReportFiles) {
      out.push_back({relative.string(), {}, "more than " + std::to_string(kMaxReportFiles) + " files"});
      continue;
    }
    for (const auto& name : names) {
      const auto path = relative.parent_path() / name;
      auto bytes = read_regular_file_at(root.get(), path, left);
      if (bytes) {
        left -= bytes->size();
        out.push_back({path.string(), std::move(*bytes), {}});
      } else {
        out.push_back({path.string(), {}, bytes.error().message});
      }
    }
  }
  return out;
}

}  // namespace hydra::checks
