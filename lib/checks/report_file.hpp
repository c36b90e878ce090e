// checks: reads the report files that a check wrote. Scored code controls the directory: links and FIFOs are
// refused, sizes and numbers are bounded, and no read blocks.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::checks {

/// Limits: bytes of all reports of a check together, and files that a pattern may match.
inline constexpr std::size_t kMaxReportBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxReportFiles = 2000;

struct ReportFile {
  std::string name;     ///< relative to the reports directory
  std::string text;     ///< empty if `problem` is set
  std::string problem;  ///< "is a symbolic link", "is not there", …; empty: the file was read
};

/// Reads the files below `directory` that `patterns` name ("{reports}/junit.xml", "{reports}/TEST-*.xml"), in
/// the order of names. A pattern without a match gives one entry with a problem.
std::vector<ReportFile> read_reports(const std::filesystem::path& directory,
                                     const std::vector<std::string>& patterns);

}  // namespace hydra::checks
