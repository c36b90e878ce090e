// integrity: the protected paths of one race, asked of git once. Shared by all that looks at its workspaces,
// from any thread.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"

#include <atomic>
#include <memory>

namespace hydra::integrity {

struct RaceRules;

class KnownRules {
 public:
  /// Blocking the first time. What failed is asked again the next time.
  Result<std::shared_ptr<const RaceRules>> get(const git::Store& store, const model::RaceSpec& spec);

 private:
  std::atomic<std::shared_ptr<const RaceRules>> known_;
};

}  // namespace hydra::integrity
