// Makes check workspaces as Hydra makes them and runs `true` in each, in the sandbox at the checkout's own
// path: what bench/workspaces times. `bench-workspaces RUNG TEMPLATE CHECKOUT TARGET N`.
#include "base/files.hpp"
#include "exec/executor.hpp"
#include "exec/tool.hpp"
#include "trees/btrfs.hpp"
#include "trees/clone_tree.hpp"
#include "trees/layers.hpp"
#include "trees/rungs.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

using namespace hydra;
using namespace hydra::exec;

struct Place {
  fs::path directory, tree;
  std::optional<OverlayMount> overlay;
};

/// Three changed files stand for a candidate.
Result<void> change(trees::TreeWriter& writer, const std::string& text) {
  for (const char* path : {"part0/sub0/file0.txt", "part1/sub1/new/made.txt", "notes.txt"})
    HYDRA_CHECK(writer.put(path, 0100644, text));
  HYDRA_CHECK(writer.remove("part2/sub2/file2.txt"));
  return writer.finish();
}

Result<Place> make(trees::TreeRung rung, const fs::path& from, const fs::path& directory) {
  Place place{directory, directory / "tree", {}};
  HYDRA_CHECK(make_dirs(directory));
  if (rung == trees::TreeRung::btrfs_snapshot) {
    HYDRA_CHECK(trees::snapshot_subvolume(from, place.tree));
  } else if (rung == trees::TreeRung::copy) {
    HYDRA_CHECK(trees::clone_tree(from, place.tree, 1));
  } else {
    for (const char* name : {"tree", "upper", "work"}) HYDRA_CHECK(make_dirs(directory / name));
    place.overlay = {{from}, directory / "upper", directory / "work", place.tree};
    HYDRA_TRY(const auto writer, trees::layer_writer(*place.overlay, trees::overlay_as(rung)));
    HYDRA_CHECK(change(*writer, directory.string()));
    return place;
  }
  HYDRA_TRY(const auto writer, trees::directory_writer(place.tree));
  HYDRA_CHECK(change(*writer, directory.string()));
  return place;
}

int fail(const std::string& what) {
  std::fprintf(stderr, "bench-workspaces: %s\n", what.c_str());
  return 1;
}

int probe(const fs::path& directory, const fs::path& shim, const fs::path& bwrap) {
  for (const auto& trial : trees::probe_trees(directory, shim, bwrap).trials)
    std::printf("%s\t%s\n", std::string(name(trial.rung)).c_str(), trial.problem.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path shim = fs::read_symlink("/proc/self/exe").parent_path() / "hydra-shim";
  const fs::path bwrap = find_program("bwrap", "/usr/local/bin:/usr/bin:/bin");
  if (argc == 3 && std::string(argv[1]) == "probe") return probe(argv[2], shim, bwrap);
  if (argc == 3 && std::string(argv[1]) == "subvolume") {
    const auto made = trees::create_subvolume(argv[2]);
    return made.ok() ? 0 : fail(describe(made.error()));
  }
  const std::string kind = argc == 6 ? argv[1] : "";
  const auto rung = model::from_name<trees::TreeRung>(kind);
  const int n = argc == 6 ? std::atoi(argv[5]) : 0;
  if (!rung || n < 1)
    return fail("usage: bench-workspaces RUNG TEMPLATE CHECKOUT TARGET N | probe DIR | subvolume PATH");
  const fs::path from = argv[2], checkout = argv[3], target = argv[4];

  std::vector<Result<Place>> places(static_cast<std::size_t>(n), Error{});
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < places.size(); ++i)
    threads.emplace_back([&, i] {
      const auto directory = target / std::to_string(i);
      places[i] = make(*rung, from, directory);
    });
  for (auto& thread : threads) thread.join();
  boost::asio::io_context loop;
  const auto executor = make_local_executor(loop, {shim, bwrap});
  int good = 0;
  for (const auto& place : places) {
    if (!place.ok()) return fail(describe(place.error()));
    JobSpec spec;
    spec.key = "bench/" + place->directory.filename().string();
    spec.token = spec.key;
    spec.argv = {"test", "-e", "part3/sub3/file3.txt", "-a", "-e", "notes.txt"};
    spec.env = {{"PATH", "/usr/bin:/bin"}};
    spec.workdir = checkout;
    spec.attempt_dir = place->directory / "attempt";
    spec.durable = false;
    spec.sandbox.isolation = Isolation::bwrap;
    spec.sandbox.network = false;
    if (place->overlay) spec.sandbox.overlays = {*place->overlay};
    spec.sandbox.overlay_as = trees::overlay_as(*rung);
    spec.sandbox.binds = {{place->tree, checkout, true, false}};
    const auto submitted = executor->submit(spec, [&](const JobResult& result) {
      if (result.end == End::exited && result.code == 0)
        ++good;
      else
        std::fprintf(stderr, "%s %d %s\n", std::string(name(result.end)).c_str(), result.code,
                     result.message.c_str());
    });
    if (!submitted.ok()) return fail(describe(submitted.error()));
  }
  loop.run();
  return good == n ? 0 : fail("not every workspace works");
}
