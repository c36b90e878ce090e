#include "parsers/words.hpp"

#include "base/strings.hpp"
#include "parsers/formats.hpp"

#include <map>
#include <string>
#include <utility>

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestWord = 40;

constexpr std::pair<std::string_view, Meaning> kMeaningLists[] = {
    {"count_passed", Meaning::passed},   {"count_failed", Meaning::failed},
    {"count_skipped", Meaning::skipped}, {"count_errors", Meaning::errors},
    {"count_total", Meaning::total},     {"count_nothing", Meaning::nothing}};

}  // namespace

std::optional<Meaning> meaning_of(std::string_view word) {
  if (word.size() > kLongestWord) return std::nullopt;
  const auto lower = to_lower(trim(word));
  static const auto meanings = [] {
    std::map<std::string, Meaning, std::less<>> out;
    for (const auto& [list, meaning] : kMeaningLists)
      for (const auto& one : words(list)) out.emplace(one, meaning);
    return out;
  }();
  const auto it = meanings.find(lower);
  return it == meanings.end() ? std::nullopt : std::optional(it->second);
}

void add(Figures& f, Meaning meaning, std::int64_t n) {
  std::optional<std::int64_t>* to = nullptr;
  switch (meaning) {
    case Meaning::passed:
      to = &f.passed;
      break;
    case Meaning::failed:
      to = &f.failed;
      break;
    case Meaning::skipped:
      to = &f.skipped;
      break;
    case Meaning::errors:
      to = &f.errors;
      break;
    case Meaning::total:
      to = &f.total;
      break;
    case Meaning::nothing:
      return;
  }
  *to = to->value_or(0) + n;
}

}  // namespace hydra::parsers
