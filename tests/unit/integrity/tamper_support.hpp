// support: a candidate's diff as two sets of files.
#pragma once

#include "integrity/report/tamper.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hydra::integrity::testing_support {

using Files = std::map<std::string, std::string>;

/// The base and the candidate's tree; a path that only one of them has was deleted or added.
struct Tree {
  Files base, candidate;
  CheckCommands commands{};
  std::vector<std::string> unprotect{};
  std::vector<trees::LeftOutPath> left_out{};
};

inline TamperReport report_of(const Tree& tree) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : tree.base) paths.push_back(path);
  const trees::BaseTree base(paths);
  const ProtectedPaths rules(
      {&base, tree.commands, {}, tree.unprotect, [&](std::string_view path) -> std::optional<std::string> {
         const auto found = tree.base.find(std::string(path));
         return found == tree.base.end() ? std::nullopt : std::optional(found->second);
       }});
  std::vector<ChangedFile> files;
  for (const auto& [path, text] : tree.candidate) {
    ChangedFile file;
    file.change.path = path;
    const auto before = tree.base.find(path);
    file.change.kind = before == tree.base.end() ? trees::ChangeKind::added : trees::ChangeKind::modified;
    if (before != tree.base.end()) {
      if (before->second == text) continue;
      file.base = before->second;
    }
    file.candidate = text;
    files.push_back(std::move(file));
  }
  for (const auto& [path, text] : tree.base) {
    if (tree.candidate.contains(path)) continue;
    ChangedFile file;
    file.change = {path, trees::ChangeKind::deleted, {}, 0};
    file.base = text;
    files.push_back(std::move(file));
  }
  TamperInput input;
  input.rules = &rules;
  input.files = files;
  input.left_out = tree.left_out;
  return find_tampering(input);
}

/// Returns the base with some files replaced.
inline Files with(Files files, const Files& changed) {
  for (const auto& [path, text] : changed) files[path] = text;
  return files;
}
inline Files without(Files files, const std::vector<std::string>& paths) {
  for (const auto& path : paths) files.erase(path);
  return files;
}

}  // namespace hydra::integrity::testing_support
