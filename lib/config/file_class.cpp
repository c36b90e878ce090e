#include "config/file_class.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

using Text = std::string_view;
using config::names_one_of;

}  // namespace

std::string_view name(FileClass kind) {
  constexpr std::array<Text, 4> kNames{"written", "lock", "generated", "vendored"};
  return kNames.at(static_cast<std::size_t>(kind));
}

FileClasses::FileClasses(std::span<const Attributes> attributes) {
  for (const auto& file : attributes)
    for (const auto raw : lines(file.text)) {
      const auto line = trim(raw);
      if (line.empty() || line.front() == '#' || line.front() == '"') continue;
      const auto end = line.find_first_of(" \t");
      if (end == Text::npos) continue;
      Rule rule;
      rule.directory = file.directory;
      auto pattern = line.substr(0, end);
      rule.anchored = pattern.find('/') != Text::npos && pattern.find('/') + 1 != pattern.size();
      if (pattern.starts_with('/')) pattern.remove_prefix(1);
      // git ignores "dir/" in attributes, but authors mean the files below it.
      rule.pattern = pattern.ends_with('/') ? std::string(pattern) + "**" : std::string(pattern);
      for (auto rest = line.substr(end); !rest.empty();) {
        rest = trim(rest);
        const auto stop = std::min(rest.find_first_of(" \t"), rest.size());
        auto word = rest.substr(0, stop);
        rest.remove_prefix(stop);
        rule.value = true;
        if (word.starts_with('-')) {
          rule.value = false;
          word.remove_prefix(1);
        }
        if (word.ends_with("=false")) {
          rule.value = false;
          word = word.substr(0, word.size() - 6);
        }
        if (word.ends_with("=true")) word = word.substr(0, word.size() - 5);
        if (word == "linguist-generated")
          rule.kind = FileClass::generated;
        else if (word == "linguist-vendored")
          rule.kind = FileClass::vendored;
        else
          continue;
        rules_.push_back(rule);
      }
    }
}

FileClass FileClasses::of(std::string_view path) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    auto below = path;
    if (!rule->directory.empty()) {
      if (!path.starts_with(rule->directory + "/")) continue;
      below.remove_prefix(rule->directory.size() + 1);
    }
    const bool matches = rule->anchored ? match_path(rule->pattern, below)
                                        : match_component(rule->pattern, below.substr(below.rfind('/') + 1));
    if (matches) return rule->value ? rule->kind : FileClass::written;
  }
  if (names_one_of(config::toolchains().locks, path)) return FileClass::lock;
  if (names_one_of(config::toolchains().vendored, path)) return FileClass::vendored;
  if (names_one_of(config::toolchains().generated, path)) return FileClass::generated;
  return FileClass::written;
}

WeighedDiff weigh_diff(std::span<const CountedLines> files, const FileClasses& classes) {
  constexpr std::size_t kMost = 50;
  WeighedDiff out;
  for (const auto& file : files) {
    const auto kind = classes.of(file.path);
    auto& sum = kind == FileClass::lock        ? out.lock
                : kind == FileClass::generated ? out.generated
                : kind == FileClass::vendored  ? out.vendored
                                               : out.written;
    ++sum.files;
    sum.added += file.added;
    sum.removed += file.removed;
    if (kind != FileClass::written && out.set_apart.size() < kMost)
      out.set_apart.push_back(
          fmt::format("{} ({}, +{} -{})", sanitize(file.path), name(kind), file.added, file.removed));
  }
  // If only such files changed, they are the change: a lock file update is not an empty diff.
  if (out.written.files == 0)
    for (const auto* sum : {&out.lock, &out.generated, &out.vendored}) {
      out.written.files += sum->files;
      out.written.added += sum->added;
      out.written.removed += sum->removed;
    }
  return out;
}

}  // namespace hydra::config
