// parsers: which flag makes a known runner or linter write a report file that Hydra reads, for `hydra init`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hydra::parsers {

struct ReportOffer {
  std::string command;  ///< the command with the flag; writes into $HYDRA_REPORTS
  std::string report;   ///< for [scoring] test_reports or lint_reports: "{reports}/junit.xml"
};

/// Nothing for commands that are not one simple call of a known program (pipes, lists, scripts of a package
/// manager: what those call is not known), or that have such a flag already.
std::optional<ReportOffer> report_flag(std::string_view command);

}  // namespace hydra::parsers
