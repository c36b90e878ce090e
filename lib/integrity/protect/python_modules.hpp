// integrity, inside only: modules that Python and its test runners load before any of a project's. A new file
// of such a name, where imports look first, takes its place (docs/integrity.md, "Names by resolution").
#pragma once

#include <string>
#include <string_view>

namespace hydra::integrity {

/// Whether a test run of `interpreter` ("python3", "/usr/bin/python3.11"; empty: python3) has loaded a
/// top-level module of this name before the first test. Asked of the interpreters themselves, once in the
/// life of this process; false where there are none.
bool python_loads(const std::string& interpreter, std::string_view module);

}  // namespace hydra::integrity
