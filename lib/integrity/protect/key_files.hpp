// integrity, inside only: restoring single keys, one function a format. Each gives the candidate's text with
// the base's value of the keys that select or replace checks (docs/integrity.md).
#pragma once

#include "integrity/protect/protected_paths.hpp"

#include <string_view>

namespace hydra::integrity {

Result<RestoredKeys> restore_package_json(std::string_view base, std::string_view candidate,
                                          const CheckCommands& commands);
Result<RestoredKeys> restore_composer(std::string_view base, std::string_view candidate);
Result<RestoredKeys> restore_deno(std::string_view base, std::string_view candidate);
Result<RestoredKeys> restore_pyproject(std::string_view base, std::string_view candidate);
Result<RestoredKeys> restore_cargo(std::string_view base, std::string_view candidate);
/// Sections of setup.cfg.
Result<RestoredKeys> restore_ini(std::string_view base, std::string_view candidate);
/// The rules of the targets that the commands of tests and lint name.
Result<RestoredKeys> restore_makefile(std::string_view base, std::string_view candidate,
                                      const CheckCommands& commands);

}  // namespace hydra::integrity
