// checks: which changed lines the tests run. The environment of the configured tests is prepared so that
// Python, Node, Go, cargo and C or C++ with gcc tell it by themselves (coverage_recipes.hpp); everything else
// names a command and a report of its own ([selection] coverage_command, coverage_report), as lcov or
// Cobertura. Texts in, values out, but for reading the reports, which belong to code that is being judged.
#pragma once

#include "model/measure.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::checks {

/// The configured tests (for `sh -c`) with what makes them tell; `build`: the configured build, may be empty;
/// `files`: changed ones, relative to the tree. Empty: no recipe for any of these files.
std::string coverage_command(const std::string& configured, const std::string& build,
                             const std::vector<std::string>& files);

/// Whether a line that can be run was run, by line from 1.
using LineHits = std::map<int, bool>;
/// By path relative to the tree.
using Coverage = std::map<std::string, LineHits>;
using Sources = std::vector<std::pair<std::string, std::string>>;  ///< path and text

/// What the run left in `reports`, of the files of `sources`. `pattern`: a further file
/// ("{reports}/lcov.info"); may be empty. Blocking.
Coverage read_coverage(const std::filesystem::path& reports, const std::string& pattern,
                       const Sources& sources);

// Readers, each adding what its text says of files of `sources`. Bounded; what can't be read says nothing.
void add_lcov(std::string_view text, const Sources& sources, Coverage& coverage);
void add_cobertura(std::string_view text, const Sources& sources, Coverage& coverage);
void add_go_profile(std::string_view text, const Sources& sources, Coverage& coverage);
/// One file of NODE_V8_COVERAGE.
void add_v8(std::string_view json, const Sources& sources, Coverage& coverage);
/// What `gcov --json-format --stdout` says of one object file.
void add_gcov(std::string_view json, const Sources& sources, Coverage& coverage);

/// The file of `sources` that a tool calls by this path, which may be longer; null: none.
const std::string* source_of(const Sources& sources, std::string_view name);
/// One line of a report, from 1; what ran once ran.
void hit(LineHits& lines, std::int64_t line, bool ran);

/// Why the run left nothing: "no_gcov", "no_llvm_tools", "no_report". Blocking.
std::string coverage_problem(const std::filesystem::path& reports);

/// Changed lines against what ran of them.
model::CoverageReport coverage_report(const std::string& agent,
                                      const std::vector<model::ChangedLines>& changed,
                                      const Coverage& coverage);

}  // namespace hydra::checks
