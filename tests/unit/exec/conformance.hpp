// The fixture of the conformance suite: each isolation, here and on a cluster, passes the same set.
#pragma once

#include "job_harness.hpp"

#include <memory>
#include <set>
#include <string>

namespace hydra::exec::test {

class Conformance : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    HYDRA_SKIP_LACKING(lack_for(GetParam()));
    if (!IsSkipped() && !HasFatalFailure()) owned = std::make_unique<Jobs>(GetParam());
  }
  static Isolation isolation() { return GetParam().isolation; }
  [[nodiscard]] JobSpec shell(const std::string& script) { return owned->shell(GetParam(), script); }
  /// Every process of this job, as the machine sees it.
  static std::set<int> processes(const JobSpec& spec) { return marked("HYDRA_ATTEMPT=" + spec.token); }
  std::unique_ptr<Jobs> owned;  ///< made once the engines are there
};

/// Returns the variants for which `fits` holds.
template <class Fits>
std::vector<Variant> variants_where(Fits fits) {
  auto all = all_variants();
  std::erase_if(all, [&](const Variant& each) { return !fits(each); });
  return all;
}

}  // namespace hydra::exec::test
