#include "trees/machines.hpp"

#include "unit/exec/job_harness.hpp"

#include <algorithm>
#include <thread>

namespace hydra::trees {
namespace {

namespace fs = std::filesystem;

/// A bwrap that says its version, works for nobody, and counts how often it was looked at.
class CountedBwrap {
 public:
  CountedBwrap() { write("1"); }
  void write(const std::string& version) const {
    const auto file = bin_.path / "bwrap";
    fs::remove(file);
    exec::test::spill(file, "#!/bin/sh\n[ \"$1\" = --version ] || exit 1\necho look >> " + count() +
                                "\necho bubblewrap " + version + "\n");
    fs::permissions(file, fs::perms::owner_all);
  }
  [[nodiscard]] int looks() const {
    const auto text = exec::test::slurp(count());
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }
  [[nodiscard]] std::string path() const { return bin_.path.string() + ":/usr/bin:/bin"; }

 private:
  [[nodiscard]] std::string count() const { return (bin_.path / "count").string(); }
  exec::test::TempDir bin_;
};

TEST(Machines, IsLookedAtOnceHoweverManyAsk) {
  const CountedBwrap bwrap;
  exec::test::TempDir dir;
  Machines machines(dir.path, exec::test::shim_path());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { EXPECT_EQ(machines.of(bwrap.path()).bwrap_version, "1"); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(bwrap.looks(), 1);
}

TEST(Machines, AnotherBwrapInItsPlaceIsLookedAt) {
  const CountedBwrap bwrap;
  exec::test::TempDir dir;
  Machines machines(dir.path, exec::test::shim_path());
  EXPECT_EQ(machines.of(bwrap.path()).bwrap_version, "1");
  bwrap.write("2");
  EXPECT_EQ(machines.of(bwrap.path()).bwrap_version, "2");
}

TEST(Machines, WhatWasMissingAheadIsLookedForAgain) {
  const CountedBwrap bwrap;
  exec::test::TempDir dir;
  Machines machines(dir.path, exec::test::shim_path());
  machines.look_ahead(bwrap.path());
  EXPECT_FALSE(machines.of(bwrap.path()).bwrap_works);
  EXPECT_EQ(bwrap.looks(), 2);
}

}  // namespace
}  // namespace hydra::trees
