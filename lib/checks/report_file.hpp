// checks: the report files that a check wrote. The directory belongs to code that is being scored: links and
// FIFOs are refused, sizes and numbers are bounded, nothing is waited for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::checks {

/// Bytes of all reports of a check together, and how many files a pattern may match.
inline constexpr std::size_t kMaxReportBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxReportFiles = 2000;

struct ReportFile {
  std::string name;     ///< relative to the reports directory
  std::string text;     ///< empty where `problem` is not
  std::string problem;  ///< "is a symbolic link", "is not there", …; empty: read
};

/// Reads what `patterns` ("{reports}/junit.xml", "{reports}/TEST-*.xml") name below `directory`, in the order
/// of names. A pattern that matches nothing gives one entry with a problem.
std::vector<ReportFile> read_reports(const std::filesystem::path& directory,
                                     const std::vector<std::string>& patterns);

}  // namespace hydra::checks
