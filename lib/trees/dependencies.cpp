#include "trees/dependencies.hpp"

#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sys/xattr.h>

namespace hydra::trees {
namespace {

constexpr std::size_t kMostPaths = 512;           ///< layers of an agent; each is a mount
constexpr std::size_t kMostLowerBytes = 1 << 16;  ///< of the file that names a layer's lower directories

bool is_real_directory(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(fs::symlink_status(path, ec));
}

bool has_tracked(const std::vector<std::string>& tracked, const std::string& directory) {
  const auto prefix = directory + "/";
  const auto at = std::lower_bound(tracked.begin(), tracked.end(), prefix);
  return at != tracked.end() && at->starts_with(prefix);
}

void collect(const fs::path& root, const std::string& relative, const std::vector<std::string>& tracked,
             std::set<std::string>& directories, std::set<std::string>& files) {
  std::error_code ec;
  for (const auto& entry : entries_of(relative.empty() ? root : root / relative, ec)) {
    const auto name = entry.path().filename().string();
    const auto path = relative.empty() ? name : relative + "/" + name;
    if (name == ".git" || directories.size() + files.size() >= kMostPaths ||
        std::binary_search(tracked.begin(), tracked.end(), path))
      continue;
    const auto kind = entry.symlink_status(ec).type();
    if (kind == fs::file_type::directory && has_tracked(tracked, path))
      collect(root, path, tracked, directories, files);
    else if (kind == fs::file_type::directory)
      directories.insert(path);
    else if (kind == fs::file_type::regular || kind == fs::file_type::symlink)
      files.insert(path);
  }
}

// A directory that the build replaced hides the layer below; both mounters of overlays mark it.
bool replaces_lower(const fs::path& directory) {
  constexpr std::array kMarks{"user.overlay.opaque", "trusted.overlay.opaque"};
  return std::any_of(kMarks.begin(), kMarks.end(), [&](const char* mark) {
    char value = 0;
    return ::lgetxattr(directory.c_str(), mark, &value, 1) == 1 && value == 'y';
  });
}

/// Returns the template's directories at `path`, topmost first.
std::vector<fs::path> lower_of(const TemplatePaths& base, bool warm, const std::string& path) {
  std::vector<fs::path> lower;
  if (warm && is_real_directory(base.warm() / path)) lower.push_back(base.warm() / path);
  const bool hidden = !lower.empty() && replaces_lower(lower.back());
  if (!hidden && is_real_directory(base.cold() / path)) lower.push_back(base.cold() / path);
  return lower;
}

std::string name_of_layer(const std::string& path) {
  return replace_all(replace_all(path, "%", "%25"), "/", "%2F");
}

std::string path_of_layer(const std::string& name) {
  return replace_all(replace_all(name, "%2F", "/"), "%25", "%");
}

}  // namespace

bool gives_dependencies(const model::RaceSpec& spec) {
  const auto& workspace = spec.config.workspace;
  return model::overlays(spec.tree_rung) && workspace.checks == model::CheckPlace::fresh &&
         spec.config.execution.placement == model::Placement::local &&
         (workspace.setup || !workspace.share.empty() || keeps_outputs(spec.config));
}

Untracked untracked_of(const TemplatePaths& base, bool warm, const std::vector<std::string>& tracked) {
  std::set<std::string> directories, files;
  collect(base.cold(), "", tracked, directories, files);
  if (warm) collect(base.warm(), "", tracked, directories, files);
  return {{directories.begin(), directories.end()}, {files.begin(), files.end()}};
}

Result<void> make_dependency_layers(const TemplatePaths& base, bool warm,
                                    const std::vector<std::string>& paths, const fs::path& directory) {
  HYDRA_CHECK(remove_tree(directory));
  for (const auto& path : paths) {
    const auto layer = directory / name_of_layer(path);
    for (const char* part : {"upper", "work", "mount"}) HYDRA_CHECK(make_dirs(layer / part, 0755));
    std::string lower;
    for (const auto& each : lower_of(base, warm, path)) lower += each.string() + "\n";
    HYDRA_CHECK(write_file(layer / "lower", lower, 0600));
  }
  return {};
}

void show_dependencies(const fs::path& directory, const fs::path& inside, exec::JobSpec& job) {
  std::error_code ec;
  for (const auto& layer : entries_of(directory, ec)) {
    const auto text = read_file(layer.path() / "lower", kMostLowerBytes).value_or("");
    exec::OverlayMount overlay;
    for (const auto line : lines(text))
      if (is_real_directory(fs::path(line))) overlay.lower.emplace_back(line);
    if (overlay.lower.empty()) continue;
    overlay.upper = layer.path() / "upper";
    overlay.work = layer.path() / "work";
    overlay.mount = layer.path() / "mount";
    job.limits.disk_paths.push_back(overlay.upper);
    job.sandbox.binds.push_back(
        {overlay.mount, inside / path_of_layer(layer.path().filename().string()), true, false});
    job.sandbox.overlays.push_back(std::move(overlay));
  }
}

}  // namespace hydra::trees
