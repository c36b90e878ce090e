// Merges of results into repositories in many states.
#pragma once

#include "merge_fixture.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hydra::git::test {

class MergeStates : public MergeTest {
 protected:
  /// Of a result that `change` makes in the agent's directory.
  void race_with(const std::function<void(const fs::path&)>& change, const std::string& id = "race1") {
    store_ = store(id);
    const auto work = workspace(*store_);
    change(work);
    result_ = capture(*store_).commit;
  }
  MergeRequest allowing(const std::vector<std::string>& kinds) const {
    auto r = request();
    r.allow = kinds;
    return r;
  }
  std::vector<std::string> kinds() {
    auto r = request();
    r.dry_run = true;
    const auto preview = run(r);
    EXPECT_TRUE(preview.ok()) << (preview.ok() ? "" : describe(preview.error()));
    std::vector<std::string> found;
    if (preview.ok())
      for (const auto& consent : preview->consent)
        found.push_back(consent.kind + ":" + join(consent.paths, ","));
    return found;
  }
};

using Words = std::vector<std::string>;

}  // namespace hydra::git::test
