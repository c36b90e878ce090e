// Makes check workspaces as Hydra makes them and runs `true` in each, in the sandbox at the checkout's own
// path: what bench/workspaces times. `bench-workspaces RUNG TEMPLATE CHECKOUT TARGET N`; "copy_used" leaves
// copies that a check has written in, "copy_again" puts them back.
#include "base/clone_tree.hpp"
#include "base/files.hpp"
#include "base/used_tree.hpp"
#include "exec/btrfs.hpp"
#include "exec/executor.hpp"
#include "exec/layers.hpp"
#include "exec/tool.hpp"
#include "exec/trees.hpp"

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
Result<void> change(TreeWriter& writer, const std::string& text) {
  for (const char* path : {"part0/sub0/file0.txt", "part1/sub1/new/made.txt", "notes.txt"})
    HYDRA_CHECK(writer.put(path, 0100644, text));
  HYDRA_CHECK(writer.remove("part2/sub2/file2.txt"));
  return writer.finish();
}

/// What a check may leave: 200 files written to, 500 new ones.
Result<void> use(const fs::path& tree) {
  for (int i = 3; i < 203; ++i) {  // the candidate has removed the second one
    const auto name =
        "part" + std::to_string(i % 20) + "/sub" + std::to_string(i) + "/file" + std::to_string(i);
    HYDRA_CHECK(write_file(tree / (name + ".txt"), "written by a check\n"));
  }
  for (int i = 0; i < 500; ++i) {
    const auto directory = tree / "build" / ("part" + std::to_string(i % 20));
    HYDRA_CHECK(make_dirs(directory));
    HYDRA_CHECK(write_file(directory / ("made" + std::to_string(i)), std::string(2000, 'x')));
  }
  return {};
}

Result<void> note(const TreeManifest& manifest, const fs::path& directory) {
  HYDRA_CHECK(outlast(manifest, directory / "clock"));
  return write_file(directory / "manifest", to_bytes(manifest, "bench"));
}

/// A copy that a check has used: what make_again() begins from.
Result<Place> make_used(const fs::path& from, const fs::path& directory) {
  Place place{directory, directory / "tree", {}};
  HYDRA_CHECK(make_dirs(directory));
  HYDRA_TRY(auto made, clone_tree(from, place.tree, 1, true));
  const auto manifest = manifest_of(std::move(made));
  if (!manifest) return Error{Errc::io, "no manifest", {}, {}};
  HYDRA_CHECK(note(*manifest, directory));
  const auto writer = directory_writer(place.tree);
  if (!writer.ok()) return writer.error();
  HYDRA_CHECK(change(**writer, directory.string()));
  HYDRA_CHECK(use(place.tree));
  return place;
}

Result<Place> make_again(const fs::path& from, const fs::path& directory) {
  Place place{directory, directory / "tree", {}};
  HYDRA_TRY(const auto bytes, read_file(directory / "manifest"));
  auto manifest = manifest_from_bytes(bytes, "bench");
  if (!manifest) return Error{Errc::io, "no manifest", {}, {}};
  HYDRA_TRY(const auto report,
            reset_tree(from, place.tree, std::move(*manifest), directory.parent_path() / "trash"));
  HYDRA_CHECK(note(report.manifest, directory));
  HYDRA_TRY(const auto writer, directory_writer(place.tree));
  HYDRA_CHECK(change(*writer, directory.string()));
  return place;
}

Result<Place> make(TreeRung rung, const fs::path& from, const fs::path& directory) {
  Place place{directory, directory / "tree", {}};
  HYDRA_CHECK(make_dirs(directory));
  if (rung == TreeRung::btrfs_snapshot) {
    HYDRA_CHECK(snapshot_subvolume(from, place.tree));
  } else if (rung == TreeRung::copy) {
    HYDRA_CHECK(clone_tree(from, place.tree, 1));
  } else {
    for (const char* name : {"tree", "upper", "work"}) HYDRA_CHECK(make_dirs(directory / name));
    place.overlay = {{from}, directory / "upper", directory / "work", place.tree};
    HYDRA_TRY(const auto writer, layer_writer(*place.overlay, overlay_as(rung)));
    HYDRA_CHECK(change(*writer, directory.string()));
    return place;
  }
  HYDRA_TRY(const auto writer, directory_writer(place.tree));
  HYDRA_CHECK(change(*writer, directory.string()));
  return place;
}

int fail(const std::string& what) {
  std::fprintf(stderr, "bench-workspaces: %s\n", what.c_str());
  return 1;
}

int probe(const fs::path& directory, const fs::path& shim, const fs::path& bwrap) {
  for (const auto& trial : probe_trees(directory, shim, bwrap).trials)
    std::printf("%s\t%s\n", std::string(name(trial.rung)).c_str(), trial.problem.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path shim = fs::read_symlink("/proc/self/exe").parent_path() / "hydra-shim";
  const fs::path bwrap = find_program("bwrap", "/usr/local/bin:/usr/bin:/bin");
  if (argc == 3 && std::string(argv[1]) == "probe") return probe(argv[2], shim, bwrap);
  if (argc == 3 && std::string(argv[1]) == "subvolume") {
    const auto made = create_subvolume(argv[2]);
    return made.ok() ? 0 : fail(describe(made.error()));
  }
  const std::string kind = argc == 6 ? argv[1] : "";
  const bool used = kind == "copy_used", again = kind == "copy_again";
  const auto rung = used || again ? std::optional(TreeRung::copy) : tree_rung_from_name(kind);
  const int n = argc == 6 ? std::atoi(argv[5]) : 0;
  if (!rung || n < 1)
    return fail("usage: bench-workspaces RUNG TEMPLATE CHECKOUT TARGET N | probe DIR | subvolume PATH");
  const fs::path from = argv[2], checkout = argv[3], target = argv[4];

  std::vector<Result<Place>> places(static_cast<std::size_t>(n), Error{});
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < places.size(); ++i)
    threads.emplace_back([&, i] {
      const auto directory = target / std::to_string(i);
      places[i] = used    ? make_used(from, directory)
                  : again ? make_again(from, directory)
                          : make(*rung, from, directory);
    });
  for (auto& thread : threads) thread.join();
  if (used) {
    for (const auto& place : places)
      if (!place.ok()) return fail(describe(place.error()));
    return 0;
  }

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
    spec.sandbox.overlay_as = overlay_as(*rung);
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
