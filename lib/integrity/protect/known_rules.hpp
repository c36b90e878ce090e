// integrity: the protected paths of one race, from its frozen configuration and the base's tree; read from
// git once and shared between threads.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "model/race_spec.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace hydra::integrity {

/// The rules refer to the base and the store, so copying is disabled.
struct RaceRules {
  RaceRules(git::Store store_in, const model::RaceSpec& spec, std::vector<std::string> base_paths);
  RaceRules(const RaceRules&) = delete;
  RaceRules& operator=(const RaceRules&) = delete;

  git::Store store;
  trees::BaseTree base;
  ProtectedPaths paths;
};

/// Reads files of a commit, empty where one can't be read. The store must outlive the function.
ReadTexts reader_of(const git::Store& store, std::string commit);

class KnownRules {
 public:
  /// Blocking at the first call. A failed call is repeated by the next one.
  Result<std::shared_ptr<const RaceRules>> get(const git::Store& store, const model::RaceSpec& spec);

 private:
  std::atomic<std::shared_ptr<const RaceRules>> known_;
};

}  // namespace hydra::integrity
