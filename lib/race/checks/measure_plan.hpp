// race: the runs of a measurement: which lines a result changed, their mutants, and the commands. Blocking:
// asks git.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "race/state/measure.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

/// New lines of a patch without context, by path; a path that git quotes is left out. Pure.
std::vector<model::ChangedLines> added_lines(std::string_view patch);

/// Contents of these files in `commit`; one that can't be read is left out.
Result<std::vector<std::pair<std::string, std::string>>> texts_of(
    const git::Store& store, const std::string& commit, const std::vector<model::ChangedLines>& files);

Result<model::MeasurePlan> plan_measurement(integrity::KnownRules& known, const git::Store& store,
                                            const model::RaceSpec& spec, const MeasureInputs& inputs);

}  // namespace hydra::race
