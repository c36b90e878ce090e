#include "exec/scratch.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/tool.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

namespace hydra::exec {
namespace {

constexpr std::chrono::minutes kArchiveTime{30};

// Names as in shim/scratch.cpp.
constexpr const char* kBack = "back.tar";
constexpr const char* kRemoved = "removed";

Result<void> tar(std::vector<std::string> argv) {
  ToolCall call;
  argv.insert(argv.begin(), {"tar", "--force-local"});  // a colon in a path is no host name
  call.argv = std::move(argv);
  call.env = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LC_ALL", "C"}};
  call.deadline = kArchiveTime;
  HYDRA_TRY(const auto output, run_tool(call));
  // tar exits with 1 when a file changed while it was read.
  if (output.exit_code <= 1) return {};
  const auto said = lines(trim(output.err));
  return Error{Errc::io,
               "the tree can't travel: " + (said.empty() ? "tar failed" : std::string(said.front())), "tar",
               ""};
}

bool inside_of(const fs::path& path, const fs::path& tree) {
  const auto relative = path.lexically_relative(tree);
  return !relative.empty() && *relative.begin() != "..";
}

/// Returns whether every parent is a real directory: a link would lead out of the tree.
bool stays_inside(const fs::path& tree, const fs::path& relative) {
  auto at = tree;
  for (const auto& part : relative.parent_path()) {
    std::error_code failed;
    at /= part;
    if (part == ".." || !fs::is_directory(fs::symlink_status(at, failed))) return false;
  }
  return !relative.empty() && relative.is_relative() && relative.filename() != "..";
}

}  // namespace

bool travels(const JobSpec& spec) {
  return spec.cluster && !spec.cluster->scratch.empty() && !spec.tree.empty() &&
         spec.sandbox.isolation != Isolation::none && spec.sandbox.overlays.empty();
}

fs::path scratch_place(const JobSpec& spec) { return spec.cluster->scratch / ("hydra-" + spec.token); }

JobSpec on_scratch(JobSpec spec) {
  const auto place = scratch_place(spec) / "tree";
  const auto move = [&](fs::path& path) {
    if (path == spec.tree)
      path = place;
    else if (inside_of(path, spec.tree))
      path = place / path.lexically_relative(spec.tree);
    else
      return false;
    return true;
  };
  std::vector<Bind> binds;
  for (auto bind : spec.sandbox.binds) {
    std::error_code failed;
    const bool missing = bind.optional && !fs::exists(bind.host, failed);
    if (move(bind.host)) {
      if (missing) continue;  // also missing on the node
      bind.optional = false;
    }
    binds.push_back(std::move(bind));
  }
  spec.sandbox.binds = std::move(binds);
  for (auto& path : spec.limits.disk_paths) move(path);
  return spec;
}

Result<void> send_tree(const JobSpec& spec) {
  const auto archive = spec.attempt_dir / kTreeThere;
  const auto temporary = archive.string() + ".tmp";
  HYDRA_CHECK(
      tar({"--format=posix", "--create", "--file=" + temporary, "--directory=" + spec.tree.string(), "."}));
  std::error_code failed;
  fs::rename(temporary, archive, failed);
  if (failed) return system_error("cannot rename " + temporary, failed.value());
  return {};
}

Result<void> take_tree_back(const JobSpec& spec) {
  std::error_code failed;
  const auto archive = spec.attempt_dir / kBack;
  if (!fs::exists(archive, failed)) return {};
  HYDRA_TRY(const auto removed, read_file(spec.attempt_dir / kRemoved, 1u << 30));
  auto gone = split(removed, '\0');
  // Reverse order: children before their directory.
  std::sort(gone.begin(), gone.end(), std::greater<>());
  for (const auto name : gone)
    if (!name.empty() && stays_inside(spec.tree, name)) HYDRA_CHECK(remove_tree(spec.tree / name));
  HYDRA_CHECK(tar({"--extract", "--file=" + archive.string(), "--directory=" + spec.tree.string(),
                   "--preserve-permissions"}));
  fs::remove(archive, failed);  // removed last: until then the archive can be applied again
  return {};
}

}  // namespace hydra::exec
