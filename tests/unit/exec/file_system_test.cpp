// Properties that the state directory's file system must have, checked before a race begins. File systems
// without them can seldom be mounted here; tests/e2e has them where a program for it is installed.
#include "exec/file_system.hpp"

#include "job_harness.hpp"

namespace hydra::exec::test {
namespace {

TEST(FileSystem, AnOrdinaryOneHasEverythingAndNothingIsLeftThere) {
  TempDir dir;
  const auto fit = check_file_system(dir.path);
  EXPECT_TRUE(fit.ok()) << describe(fit.error());
  EXPECT_TRUE(fs::is_empty(dir.path));
}

TEST(FileSystem, WhereNothingCanBeMadeOthersSaySo) {
  EXPECT_TRUE(check_file_system("/proc").ok());
  EXPECT_TRUE(check_file_system("/nonexistent/hydra").ok());
}

}  // namespace
}  // namespace hydra::exec::test
