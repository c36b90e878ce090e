// cli: shows long texts in the pager that git would use.
#pragma once

#include "cli/context.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns the pager for `hydra diff` by git's rules for this directory: pager.diff, GIT_PAGER, core.pager,
/// PAGER, less. Empty: none.
std::string diff_pager();
/// Shows a text by `sh -c PAGER`, with LESS=FRX and LV=-c unless set. False: the pager could not be started
/// and nothing was shown.
bool show_by_pager(const std::string& pager, std::string_view text);

}  // namespace hydra::cli
