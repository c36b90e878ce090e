#include "checks/reach.hpp"

#include "base/strings.hpp"
#include "checks/base_words.hpp"
#include "checks/effect.hpp"
#include "integrity/protect/known_rules.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace hydra::checks {
namespace {

constexpr std::size_t kMostBaseFiles = 3000, kMostAddedFiles = 20, kMostTextBytes = 1u << 20, kMostNamed = 3,
                      kMostKnownBases = 4;

std::string_view suffix_of(std::string_view path) {
  const auto own = base_name(path);
  const auto dot = own.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : own.substr(dot);
}

bool holds_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !word_character(text[at - 1]);
    const auto end = at + word.size();
    if (begins && (end == text.size() || !word_character(text[end]))) return true;
  }
  return false;
}

using Words = std::shared_ptr<const BaseWords>;

/// Words of the base's files without its documentation. All results of a race, and races of one base, need
/// equal words, so the last few sets are cached.
Result<Words> words_of(const git::Store& store, const std::string& base,
                       const std::vector<std::string>& paths) {
  static std::mutex reading;
  static std::deque<std::pair<std::string, Words>> known;
  const std::lock_guard hold(reading);
  for (const auto& [commit, words] : known)
    if (commit == base) return words;
  std::vector<std::string> names;
  for (const auto& path : paths)
    if (path.find('\n') == std::string::npos && !is_documentation(path)) names.push_back(base + ":" + path);
  HYDRA_TRY(const auto texts, store.blobs(names, kMostTextBytes));
  auto made = std::make_shared<BaseWords>();
  for (const auto& text : texts)
    if (text) made->add(*text);
  made->finish();
  known.emplace_front(base, made);
  if (known.size() > kMostKnownBases) known.pop_back();
  return Words(std::move(made));
}

enum class Named { yes, no, unknown };

/// named_in() for all files of the base; unknown: a name is not a single plain word.
Named named_in(std::string_view path, const BaseWords& words) {
  const auto own = base_name(path), kind = suffix_of(path);
  const auto stem = own.substr(0, own.size() - kind.size()), folder = base_name(directory_of(path));
  // A text with the whole name also contains the stem, since a dot follows it there.
  bool unknown = false;
  for (const auto word : {stem, folder}) {
    if (word.empty()) continue;
    if (!BaseWords::plain(word))
      unknown = true;
    else if (words.holds(word))
      return Named::yes;
  }
  if (!kind.empty() && words.holds_all_of(kind)) return Named::yes;
  return unknown ? Named::unknown : Named::no;
}

}  // namespace

bool collected_by_kind(std::string_view path, const std::vector<std::string>& neighbours) {
  // A compiler or framework takes these by their directory.
  constexpr std::string_view kByDirectory =
      " .go .java .kt .kts .scala .groovy .cs .fs .vb .swift .dart .erl .ex .exs .hs .rb .php ";
  const auto kind = suffix_of(path), folder = directory_of(path);
  const auto own = base_name(path);
  if (own.starts_with('.') || own.starts_with("__")) return true;
  if (!kind.empty() && kByDirectory.find(" " + std::string(kind) + " ") != std::string_view::npos)
    return true;
  return !folder.empty() && std::any_of(neighbours.begin(), neighbours.end(), [&](const std::string& other) {
    return directory_of(other) == folder && suffix_of(other) == kind;
  });
}

bool named_in(std::string_view path, const std::vector<std::string_view>& texts) {
  const auto own = base_name(path), kind = suffix_of(path);
  const auto stem = own.substr(0, own.size() - kind.size());
  const auto all = "*" + std::string(kind);
  // A named directory may be read as a whole.
  const auto folder = base_name(directory_of(path));
  return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) {
    if (holds_word(text, own) || holds_word(text, stem)) return true;
    if (!kind.empty() && text.find(all) != std::string_view::npos) return true;
    return !folder.empty() && holds_word(text, folder);
  });
}

Result<void> find_unreached(integrity::KnownRules& known, const git::Store& store,
                            const model::RaceSpec& spec, model::Capture& capture) {
  if (!capture.changed || capture.trivial) return {};
  HYDRA_TRY(const auto changes, store.changes(capture.commit));
  HYDRA_TRY(const auto rules, known.get(store, spec));
  std::vector<std::string> added, ids;
  for (const auto& change : changes) {
    if (change.mode.starts_with("100")) ids.push_back(change.id);
    if (change.status == 'A' && change.mode == "100644" && !rules->paths.is_test(change.path) &&
        !is_documentation(change.path))
      added.push_back(change.path);
  }
  if (added.empty() || added.size() > kMostAddedFiles || changes.size() > kMostBaseFiles) return {};
  const std::vector<std::string> base(rules->base.paths().begin(), rules->base.paths().end());
  std::erase_if(added, [&](const auto& path) { return collected_by_kind(path, base); });
  if (added.empty() || base.size() > kMostBaseFiles) return {};
  HYDRA_TRY(const auto words, words_of(store, spec.repository.base, base));
  std::erase_if(added, [&](const auto& path) { return named_in(path, *words) == Named::yes; });
  if (added.empty()) return {};
  const bool ask = std::any_of(added.begin(), added.end(),
                               [&](const auto& path) { return named_in(path, *words) == Named::unknown; });
  std::vector<std::string> paths(ids.size());
  for (std::size_t i = 0, n = 0; i < changes.size(); ++i)
    if (changes[i].mode.starts_with("100")) paths[n++] = changes[i].path;
  for (std::size_t i = 0; ask && i < base.size(); ++i)
    if (base[i].find('\n') == std::string::npos) {
      ids.push_back(spec.repository.base + ":" + base[i]);
      paths.push_back(base[i]);
    }
  HYDRA_TRY(const auto texts, store.blobs(ids, kMostTextBytes));
  std::size_t told = 0;
  for (const auto& path : added) {
    std::vector<std::string_view> others;
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (texts[i] && paths[i] != path && !is_documentation(paths[i])) others.push_back(*texts[i]);
    if (named_in(path, others)) continue;
    if (told++ == kMostNamed) break;
    capture.flags.push_back({model::FlagKind::unnamed, path});
  }
  return {};
}

}  // namespace hydra::checks
