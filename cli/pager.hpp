// cli: long texts through the user's pager, the one that git would take.
#pragma once

#include "cli/context.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// The command line of the pager for `hydra diff`: pager.diff, GIT_PAGER, core.pager, PAGER, less, as git
/// decides in this directory. Empty: none.
std::string diff_pager();
/// Shows a text by `sh -c PAGER`, with LESS=FRX and LV=-c where they are not set. False where the pager can't
/// be started: nothing was shown.
bool show_by_pager(const std::string& pager, std::string_view text);

}  // namespace hydra::cli
