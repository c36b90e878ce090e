#include "race/agents/weigh.hpp"

#include "checks/effect.hpp"
#include "checks/reach.hpp"
#include "config/file_class.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::string_view kAttributes = ".gitattributes";
constexpr std::size_t kMostAttributeFiles = 64, kMostAttributeBytes = 1u << 20;

bool is_attributes(const std::string& path) {
  return path == kAttributes || path.ends_with("/" + std::string(kAttributes));
}

// Deeper ones decide before those above them, so they come later.
Result<config::FileClasses> classes_of(const git::Store& store) {
  HYDRA_TRY(auto paths, store.base_paths());
  std::erase_if(paths, [](const auto& path) { return !is_attributes(path); });
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  std::stable_sort(paths.begin(), paths.end(),
                   [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  if (paths.size() > kMostAttributeFiles) paths.resize(kMostAttributeFiles);
  std::vector<config::FileClasses::Attributes> attributes;
  for (const auto& path : paths)
    if (auto text = store.base_file(path, kMostAttributeBytes)) {
      const auto slash = path.rfind('/');
      attributes.push_back({slash == std::string::npos ? "" : path.substr(0, slash), std::move(*text)});
    }
  return config::FileClasses(attributes);
}

}  // namespace

Result<void> weigh(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                   model::Capture& capture) {
  if (!capture.changed) return {};
  HYDRA_TRY(const auto classes, classes_of(store));
  HYDRA_TRY(const auto entries, store.diff_entries(capture.commit));
  std::vector<config::CountedLines> files;
  std::vector<std::string> paths;
  for (const auto& entry : entries) {
    files.push_back({entry.path, entry.added, entry.removed});
    paths.push_back(entry.path);
  }
  auto found = config::weigh_diff(files, classes);
  const bool all_count = found.written.files == static_cast<std::int64_t>(files.size());
  HYDRA_TRY(const auto tests, checks::test_paths(known, store, spec, paths));
  model::DiffStat sum;
  for (const auto& file : files) {
    const bool counts = all_count || classes.of(file.path) == config::FileClass::written;
    if (!counts || !tests.contains(file.path)) continue;
    sum.lines_added += file.added;
    sum.lines_removed += file.removed;
    ++sum.files_changed;
  }
  if (sum.files_changed > 0) capture.tests = sum;
  HYDRA_CHECK(checks::find_trivial(known, store, spec, capture));
  HYDRA_CHECK(checks::find_unreached(known, store, spec, capture));
  if (all_count) return {};
  capture.weighed = {found.written.added, found.written.removed, found.written.files};
  capture.set_apart = std::move(found.set_apart);
  return {};
}

}  // namespace hydra::race
