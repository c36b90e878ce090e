// model: which cross tests a race runs: the authors, and each run of an author's tests on a result
// (docs/selection.md). Outcomes are in the checks of the runs' subjects, later in model/selection.hpp.
#pragma once

#include "model/selection.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

struct PlannedAuthor {
  std::string name;  ///< equals CrossAuthor::name
  AuthorKind kind = AuthorKind::result;
  std::vector<std::string> members{};  ///< check owners that have these test files
  std::vector<std::string> files{};    ///< test files, their helpers and data, relative to the tree; sorted
  std::string voided{};                ///< why no test of the author is run; empty: they are run
  /// No recipe: the configured command ran as a whole, so the names include tests of others.
  bool whole = false;
  std::string
      apart{};  ///< command that repeats an unfinished run with each test in its own process; empty: none
};

/// A run of one author's tests only, on one tree. Equal runs have equal subjects.
struct PlannedRun {
  Subject subject;  ///< of kind cross, or the author's run with its own tests
  /// Check owner whose gating tree is used; none: the base with its own version of the author's files, which
  /// tells the names of their old tests.
  Subject result;
  std::string author;
  std::string commit;    ///< the gating tree with the author's files laid over it
  std::string command;   ///< replaces the configured test command
  std::string key;       ///< key of the cache, without surrounding parts; empty: not cached
  bool neutral = false;  ///< on the first member's result without text for people; `result` is none
};

struct CrossPlan {
  std::vector<PlannedAuthor> authors;
  std::vector<PlannedRun> runs;         ///< in the order of execution
  std::vector<std::string> early_of{};  ///< results covered by a plan before the end of the race; empty: all
};

}  // namespace hydra::model
