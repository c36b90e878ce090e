// model: which cross tests a race runs: who wrote tests, and which run of them stands on which result
// (docs/selection.md). What they came to is in the checks of the runs' subjects, and then in
// model/selection.hpp.
#pragma once

#include "model/selection.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// First character of the name of a cross run as a subject of checks. The rest tells nothing: a test must not
/// learn from a path whose code it runs on. No agent can have such a name.
inline constexpr std::string_view kCrossMark = "+";

struct PlannedAuthor {
  std::string name;  ///< as in CrossAuthor
  AuthorKind kind = AuthorKind::result;
  std::vector<std::string> members{};  ///< check owners whose test files are these
  std::vector<std::string> files{};    ///< test files, their helpers and data, relative to the tree; sorted
  std::string voided{};                ///< why none of it is run; empty: it is
  /// No recipe: the configured command ran as a whole, and its names are others' as well.
  bool whole = false;
  std::string
      apart{};  ///< repeats a run that came to no end: each test in a process of its own; empty: none can
};

/// A run of one author's tests, and of nothing else, on one tree. Equal runs have equal subjects.
struct PlannedRun {
  std::string subject;  ///< kCrossMark and a number that is derived from all that it depends on
  /// Check owner whose gating tree it is, or kBaseline; empty: the base with its own version of the author's
  /// files, which tells their old tests by name.
  std::string result;
  std::string author;
  std::string commit;   ///< the gating tree with the author's files laid over
  std::string command;  ///< in the place of the configured tests
  std::string key;      ///< of the cache, without what surrounds it; empty: it is not cached
};

struct CrossPlan {
  std::vector<PlannedAuthor> authors;
  std::vector<PlannedRun> runs;         ///< in the order in which they are run
  std::vector<std::string> early_of{};  ///< results of a plan before the end of the race; empty: of all
};

}  // namespace hydra::model
