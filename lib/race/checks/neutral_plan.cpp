#include "race/checks/neutral_plan.hpp"

#include "base/strings.hpp"
#include "source/neutral.hpp"

#include <algorithm>
#include <set>

namespace hydra::race {
namespace {

using Paths = std::vector<std::string>;

Result<Paths> paths_of(const git::Store& store, const std::vector<git::TreeChange>& changes) {
  HYDRA_TRY(const auto base, store.base_paths());
  std::set<std::string> paths(base.begin(), base.end());
  for (const auto& change : changes)
    if (change.status == 'D')
      paths.erase(change.path);
    else
      paths.insert(change.path);
  return Paths(paths.begin(), paths.end());
}

/// Whether a source asks for documentation: then the text is behaviour.
bool reads_documentation(Paths sources, const integrity::ReadTexts& read) {
  std::erase_if(sources, [](const auto& path) { return !path.ends_with(".py"); });
  const auto texts = read(sources);
  return std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find("__doc__") != std::string::npos || text.find("getdoc") != std::string::npos;
  });
}

}  // namespace

Result<std::vector<git::TreeEdit>> neutral_edits(const integrity::RaceRules& rules, const git::Store& store,
                                                 const std::string& gating, const std::string& captured) {
  HYDRA_TRY(auto changes, store.changes(gating));
  const auto is_test = [&](std::string_view path) { return rules.paths.is_test(path); };
  std::erase_if(changes, [&](const auto& change) { return is_test(change.path); });
  HYDRA_TRY(const auto written, store.changes(captured));
  HYDRA_TRY(auto paths, paths_of(store, written));
  const auto read = integrity::reader_of(store, captured);
  const trees::BaseTree tree(paths);
  integrity::NamesQuestion question{&tree, is_test, read, {}, {}, {}};
  Paths changed;
  for (const auto& change : changes) changed.push_back(change.path);
  const auto texts = integrity::reader_of(store, gating)(changed);
  const auto pages = integrity::Names(std::move(question)).pages_of_tests(changed);
  std::erase_if(paths, is_test);
  const bool documentation = !reads_documentation(std::move(paths), read);
  Paths own_tests;
  for (const auto& change : written)
    if (is_test(change.path)) own_tests.push_back(change.path);
  const auto tests = join(read(own_tests), "\n");
  bool text = !pages.empty();
  std::vector<git::TreeEdit> edits;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    const bool regular = change.mode == "100644" || change.mode == "100755";
    auto copy = regular ? source::neutral_copy(change.path, texts[i], documentation) : std::nullopt;
    if (pages.contains(change.path)) {
      edits.push_back({change.path, change.old_mode == "000000" ? "" : change.old_mode, change.old_id, {}});
    } else if (copy) {
      text = text || copy->prose || tests.find(base_name(change.path)) != std::string::npos;
      edits.push_back({change.path, change.mode, {}, std::move(copy->text)});
    }
  }
  if (!text) edits.clear();
  return edits;
}

}  // namespace hydra::race
