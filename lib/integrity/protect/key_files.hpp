// integrity, inside only: restores single keys, one function a format. Each function returns the candidate's
// text with the base's values of the keys that select or replace checks (docs/integrity.md).
#pragma once

#include "integrity/protect/protected_paths.hpp"

#include <initializer_list>
#include <string_view>

namespace hydra::integrity {

Result<RestoredKeys> restore_package_json(std::string_view base, std::string_view candidate,
                                          const CheckCommands& commands);
/// Restores these members of a JSON object.
Result<RestoredKeys> restore_members(std::string_view base, std::string_view candidate,
                                     std::initializer_list<const char*> names);
Result<RestoredKeys> restore_pyproject(std::string_view base, std::string_view candidate);
Result<RestoredKeys> restore_cargo(std::string_view base, std::string_view candidate);

}  // namespace hydra::integrity
