// race: merges without generated files (docs/merging.md, "What a merge leaves out").
#pragma once

#include "git/repository.hpp"

#include <set>
#include <string>
#include <vector>

namespace hydra::race {

struct TrimmedRequest : git::MergeRequest {
  bool with_generated = false;
  std::set<std::string> unwanted;    ///< paths in the repository: new files, or directories of new files
  std::vector<std::string> unnamed;  ///< new files that nothing names
};

/// Merges a result without its generated and unwanted files. Blocking: runs git. `not_found` names an
/// unwanted path at and below which the result adds nothing.
Result<git::MergePreview> merge_trimmed(const git::Store& store, const model::RaceSpec& spec,
                                        TrimmedRequest request);

}  // namespace hydra::race
