// integrity, inside only: restoring single keys, one function a format. Each gives the candidate's text with
// the base's value of the keys that select or replace checks (docs/integrity.md).
#pragma once

#include "integrity/protect/protected_paths.hpp"

#include <initializer_list>
#include <string_view>

namespace hydra::integrity {

Result<RestoredKeys> restore_package_json(std::string_view base, std::string_view candidate,
                                          const CheckCommands& commands);
/// These members of a JSON object.
Result<RestoredKeys> restore_members(std::string_view base, std::string_view candidate,
                                     std::initializer_list<const char*> names);
Result<RestoredKeys> restore_pyproject(std::string_view base, std::string_view candidate);
Result<RestoredKeys> restore_cargo(std::string_view base, std::string_view candidate);
/// Sections of setup.cfg.
Result<RestoredKeys> restore_ini(std::string_view base, std::string_view candidate);
/// The rules of the targets that the commands of tests and lint name.
Result<RestoredKeys> restore_makefile(std::string_view base, std::string_view candidate,
                                      const CheckCommands& commands);

}  // namespace hydra::integrity
