#include "checks/effect.hpp"

#include "base/strings.hpp"
#include "integrity/protect/known_rules.hpp"
#include "source/tokens.hpp"

#include <algorithm>

namespace hydra::checks {
namespace {

constexpr std::size_t kMostTrivialFiles = 300;
constexpr std::size_t kMostTrivialBytes = 2u << 20;
constexpr std::string_view kNoMode = "000000";

bool is_regular(std::string_view mode) { return mode == "100644" || mode == "100755" || mode == kNoMode; }

bool listed_word(std::string_view list, std::string_view item) {
  return !item.empty() &&
         (" " + std::string(list) + " ").find(" " + std::string(item) + " ") != std::string_view::npos;
}

bool may_have_no_effect(const git::TreeChange& change) {
  if (!is_regular(change.mode) || !is_regular(change.old_mode)) return false;
  return change.id == change.old_id || is_documentation(change.path) || same_tokens(change.path, "", "");
}

/// Drops the whole lines at the end that both texts share.
void drop_common_end(std::string_view& before, std::string_view& after) {
  const auto [old_end, new_end] = std::mismatch(before.rbegin(), before.rend(), after.rbegin(), after.rend());
  const auto common = static_cast<std::size_t>(old_end - before.rbegin());
  const auto line = before.find('\n', before.size() - common);
  const auto shared = line == std::string_view::npos ? 0 : before.size() - line - 1;
  before.remove_suffix(shared);
  after.remove_suffix(shared);
}

}  // namespace

bool same_tokens(std::string_view path, std::string_view before, std::string_view after) {
  auto old_tokens = source::scan(path, before), new_tokens = source::scan(path, after);
  if (!old_tokens || !new_tokens) {
    // Syntax that scan() refuses, such as a here-document, often stands behind the change.
    drop_common_end(before, after);
    old_tokens = source::scan(path, before);
    new_tokens = source::scan(path, after);
  }
  return old_tokens && new_tokens && old_tokens->normal == new_tokens->normal;
}

bool is_documentation(std::string_view path) {
  const auto name = to_lower(base_name(path));
  const auto dot = name.rfind('.');
  const auto stem = std::string_view(name).substr(0, dot);
  const auto extension = dot == std::string::npos ? std::string_view() : std::string_view(name).substr(dot);
  if (listed_word(".md .markdown .mdown .mkd .rst .adoc .asciidoc .textile .rdoc .org", extension))
    return true;
  const bool plain = extension.empty() || extension == ".txt";
  if (plain &&
      listed_word(
          "readme changelog changes history news license licence copying authors contributors contributing "
          "notice todo code_of_conduct security maintainers thanks",
          stem))
    return true;
  const auto whole = "/" + to_lower(path);
  const bool below_docs =
      whole.find("/docs/") != std::string::npos || whole.find("/doc/") != std::string::npos;
  return below_docs && listed_word(".txt .png .jpg .jpeg .gif .svg .webp .pdf", extension);
}

bool has_no_effect(const git::TreeChange& change, const ChangeTexts& texts,
                   const integrity::ProtectedPaths& rules, model::TaskKind kind) {
  if (!is_regular(change.mode) || !is_regular(change.old_mode)) return false;
  if (change.id == change.old_id) return true;
  if (kind == model::TaskKind::docs) return false;
  if (is_documentation(change.path)) return !rules.is_test(change.path);
  const bool added = change.old_mode == kNoMode, removed = change.mode == kNoMode;
  if ((!added && !texts.base) || (!removed && !texts.candidate)) return false;
  return same_tokens(change.path, added ? "" : *texts.base, removed ? "" : *texts.candidate);
}

Result<void> find_trivial(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                          model::Capture& capture) {
  if (!capture.changed || capture.trivial || task_kind(spec) == model::TaskKind::docs) return {};
  for (const auto& flag : capture.flags)
    if (flag.kind == model::FlagKind::submodule_changed || flag.kind == model::FlagKind::gitmodules_changed)
      return {};
  if (capture.diff.files_changed > static_cast<std::int64_t>(kMostTrivialFiles)) return {};
  HYDRA_TRY(const auto changes, store.changes(capture.commit));
  if (changes.empty() || !std::all_of(changes.begin(), changes.end(), may_have_no_effect)) return {};
  HYDRA_TRY(const auto race, known.get(store, spec));
  std::vector<std::string> ids;
  for (const auto& change : changes)
    for (const auto* side : {&change.old_id, &change.id}) ids.push_back(*side);
  std::erase_if(ids, [](const auto& id) { return id.find_first_not_of('0') == std::string::npos; });
  HYDRA_TRY(const auto found, store.blobs(ids, kMostTrivialBytes));
  const std::optional<std::string> none;
  const auto text_of = [&](const std::string& id) -> const std::optional<std::string>& {
    const auto at = std::find(ids.begin(), ids.end(), id);
    return at == ids.end() ? none : found[static_cast<std::size_t>(at - ids.begin())];
  };
  capture.trivial = std::all_of(changes.begin(), changes.end(), [&](const auto& change) {
    return has_no_effect(change, {text_of(change.old_id), text_of(change.id)}, race->paths, task_kind(spec));
  });
  return {};
}

Result<std::set<std::string>> test_paths(integrity::KnownRules& known, const git::Store& store,
                                         const model::RaceSpec& spec, const std::vector<std::string>& paths) {
  HYDRA_TRY(const auto race, known.get(store, spec));
  std::set<std::string> out;
  for (const auto& path : paths)
    if (race->paths.is_test(path)) out.insert(path);
  return out;
}

}  // namespace hydra::checks
