#include "parsers/formats.hpp"

#include "base/strings.hpp"
#include "tables/library.hpp"

#include <algorithm>

extern const hydra::tables::Embedded kFormatTables;

namespace hydra::parsers {
namespace {

tables::Library& library() {
  static tables::Library all("format", kFormatTables);
  return all;
}

tables::ReadFileOf reading(FormatPart part, Formats& out) {
  return [part, &out](const tables::Value& file, std::vector<Error>& errors) {
    read_format(file, part, out, errors);
  };
}

Formats load(FormatPart part) {
  Formats out;
  library().read(reading(part, out));
  std::stable_sort(out.summaries.begin(), out.summaries.end(),
                   [](const auto& a, const auto& b) { return a.late < b.late; });
  // Rows of a tool come before the rows of no tool.
  for (auto& section : out.lint)
    std::stable_sort(section.begin(), section.end(), [](const auto& a, const auto& b) {
      return std::pair(a.late, a.tool.empty()) < std::pair(b.late, b.tool.empty());
    });
  return out;
}

}  // namespace

void formats_from(std::function<std::vector<TextFile>()> user) { library().users(std::move(user)); }

std::vector<Error> check_formats(const std::vector<TextFile>& files) {
  Formats out;
  return tables::mistakes(files, reading(FormatPart::all, out));
}

const Formats& test_data() {
  static const Formats all = load(FormatPart::tests);
  return all;
}

const Formats& lint_data() {
  static const Formats all = load(FormatPart::lint);
  return all;
}

const std::vector<std::string>& words(std::string_view list) {
  static const Formats all = load(FormatPart::words);
  static const std::vector<std::string> none;
  const auto it = all.words.find(list);
  return it == all.words.end() ? none : it->second;
}

WordSet word_set(std::string_view list) {
  const auto& all = words(list);
  return {all.begin(), all.end()};
}

std::optional<Meaning> meaning_of(std::string_view word) {
  constexpr std::size_t kLongestWord = 40;
  static constexpr std::pair<std::string_view, Meaning> kLists[] = {
      {"count_passed", Meaning::passed},   {"count_failed", Meaning::failed},
      {"count_skipped", Meaning::skipped}, {"count_errors", Meaning::errors},
      {"count_total", Meaning::total},     {"count_nothing", Meaning::nothing}};
  static const auto meanings = [] {
    std::map<std::string, Meaning, std::less<>> out;
    for (const auto& [list, meaning] : kLists)
      for (const auto& one : words(list)) out.emplace(one, meaning);
    return out;
  }();
  if (word.size() > kLongestWord) return std::nullopt;
  const auto it = meanings.find(to_lower(trim(word)));
  return it == meanings.end() ? std::nullopt : std::optional(it->second);
}

void add(Figures& f, Meaning meaning, std::int64_t n) {
  static constexpr std::optional<std::int64_t> Figures::*kMembers[] = {
      &Figures::passed, &Figures::failed, &Figures::skipped, &Figures::errors, &Figures::total};
  if (meaning == Meaning::nothing) return;
  auto& to = f.*kMembers[static_cast<std::size_t>(meaning)];
  to = to.value_or(0) + n;
}

}  // namespace hydra::parsers
