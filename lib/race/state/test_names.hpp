// race: identities of the base's tests (docs/scoring.md, "The five dimensions"). Pure.
#pragma once

#include "model/check.hpp"

#include <set>
#include <string>
#include <vector>

namespace hydra::race {

/// A test whose name differs in every run: "test_id[" and "]" of "test_id[3f2a]".
struct NameStem {
  std::string prefix, suffix;
  bool operator==(const NameStem&) const = default;
};

/// Learns volatile names from the base's runs so far and takes them out of these runs: names of one stem
/// become cases of the stem ("test_id[⁎]", "test_id[⁎] #2"), so that they compare by count, and a name
/// without a stem that a comparable run lacks is dropped. Returns the new stems.
std::vector<NameStem> fold_base(model::CheckSet& base, const std::vector<NameStem>& known);

/// Renames tests that the base does not name and that fit a stem to cases of the stem, passing cases first.
void fold_names(const model::CheckSet& base, const std::vector<NameStem>& stems, model::CheckEvidence& run);

/// Takes tests out of a result's gating run that the base's failed run did not reach (`-x`, a crash, a file
/// that could not be loaded). Cases that a failed file of the base hid become the outcome of this file.
/// `hidden`: paths of hidden tests, whose names stay. Returns the names.
std::set<std::string> take_unreached(const model::CheckSet& base, const std::vector<std::string>& hidden,
                                     model::CheckSet& gating);

/// Clears the contradiction of a command that fails although every counted test passes (a coverage limit, a
/// second tool behind the tests): the tests count by their names, the command by `own`, the run with the
/// result's own tests, if there is such a run.
void judge_by_names(model::CheckSet& checks, const model::CheckSet* own = nullptr);

}  // namespace hydra::race
