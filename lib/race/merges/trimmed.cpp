#include "race/merges/trimmed.hpp"

#include "base/strings.hpp"
#include "config/ecosystem.hpp"
#include "git/place.hpp"
#include "model/agent_run.hpp"
#include "trees/rebuild.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

bool at_or_below(const std::string& path, const std::string& wanted) {
  return path == wanted || (path.starts_with(wanted) && path[wanted.size()] == '/');
}

/// Returns "node_modules/" for "node_modules/**".
std::string shown(std::string_view kind) {
  return std::string(kind.ends_with("**") ? kind.substr(0, kind.size() - 2) : kind);
}

struct Trimming {
  std::unordered_set<std::string> files;
  std::vector<git::LeftOutFiles> groups;
  void leave_out(const std::string& path, const std::string& what, bool generated) {
    if (!files.insert(path).second) return;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
      return one.what == what && one.generated == generated;
    });
    if (group == groups.end())
      groups.push_back({what, 1, generated});
    else
      ++group->files;
  }
};

Result<void> leave_out_unwanted(const TrimmedRequest& request, const std::vector<git::TreeChange>& added,
                                Trimming& out) {
  for (const auto& wanted : request.unwanted) {
    bool any = false;
    for (const auto& change : added)
      if (at_or_below(change.path, wanted)) any = true, out.leave_out(change.path, wanted, false);
    if (!any)
      return Error{Errc::not_found, request.branch + " adds no file '" + sanitize(wanted) + "'", "--without",
                   "name a new file or directory of the result; `hydra diff --stat` lists its files"};
  }
  return {};
}

Result<void> leave_out_generated(const git::Store& store, const std::vector<git::TreeChange>& added,
                                 Trimming& out) {
  HYDRA_TRY(const auto base, store.base_paths());
  auto kinds = config::unmerged_kinds();
  std::vector<std::string> directories;
  for (const auto name : model::kGenerated) directories.push_back(std::string(name) + "/**");
  kinds.insert(kinds.end(), directories.begin(), directories.end());
  const auto absent = trees::absent_kinds(base, kinds);
  for (const auto& change : added) {
    if (config::is_test_data(change.path)) continue;
    for (const auto kind : absent)
      if (config::names_one_of({&kind, 1}, change.path)) {
        out.leave_out(change.path, shown(kind), true);
        break;
      }
  }
  return {};
}

}  // namespace

Result<git::MergePreview> merge_trimmed(const git::Store& store, const model::RaceSpec& spec,
                                        TrimmedRequest request) {
  HYDRA_CHECK(git::at_its_place(spec));
  HYDRA_TRY(auto added, store.changes(request.commit));
  std::erase_if(added, [](const auto& change) { return change.status != 'A'; });
  Trimming out;
  HYDRA_CHECK(leave_out_unwanted(request, added, out));
  // The user has named the files of `parts`.
  if (!request.with_generated && request.parts.empty() && !added.empty())
    HYDRA_CHECK(leave_out_generated(store, added, out));
  std::erase_if(request.unnamed, [&](const auto& path) { return out.files.contains(path); });
  request.without = std::move(out.files);
  HYDRA_TRY(auto preview, git::merge(store, spec, request));
  preview.unnamed = std::move(request.unnamed);
  std::stable_sort(out.groups.begin(), out.groups.end(),
                   [](const auto& a, const auto& b) { return a.files > b.files; });
  preview.left_out = std::move(out.groups);
  return preview;
}

}  // namespace hydra::race
