// model: the kinds of changes in a merge that need the user's consent (--allow), each with its meaning. git,
// the help and the documents use this one list.
#pragma once

#include <array>
#include <string_view>

namespace hydra::model {

struct ConsentKind {
  std::string_view name;
  std::string_view what;  ///< for people; one clause
};

inline constexpr std::array kConsentKinds{
    ConsentKind{"agents", "a change to what agents, hydra or package managers read or run next"},
    ConsentKind{"attributes", "a change to .gitattributes"},
    ConsentKind{"branch", "a merge into another branch than the race was started on"},
    ConsentKind{"ci", "a change to the configuration of a CI service"},
    ConsentKind{"hooks", "a change to hooks, or to files that hooks or editors run"},
    ConsentKind{"lfs", "a change to large files (LFS pointers)"},
    ConsentKind{"submodules", "a change to .gitmodules or to a submodule"},
    ConsentKind{"symlinks", "a new symbolic link that leads out of the repository"},
    ConsentKind{"tampered", "a result whose tamper report has blocking findings"},
    ConsentKind{"unchecked", "a result that was not checked, because of a cancel or not yet"},
};

}  // namespace hydra::model
