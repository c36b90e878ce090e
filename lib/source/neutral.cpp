#include "source/neutral.hpp"

#include "base/strings.hpp"
#include "source/token_edits.hpp"
#include "source/twin.hpp"

#include <algorithm>

namespace hydra::source {
namespace {

using tokens::Family;
using Text = std::string_view;
using Edit = tokens::TokenEdits::Edit;

/// Comments that macros and programs can read: a derived command line has them as its help.
bool is_attribute(Text path, Text comment) {
  return (path.ends_with(".rs") || path.ends_with(".php")) &&
         (comment.starts_with("///") || comment.starts_with("//!") || comment.starts_with("/**") ||
          comment.starts_with("/*!"));
}

/// Whether the function or class around this documentation has a decorator, which may use the text.
bool is_decorated(Text text, std::size_t documentation) {
  constexpr int kMostLines = 100;  // of a signature
  bool below = false;
  auto above = text.substr(0, documentation);
  for (int i = 0; i < kMostLines && !above.empty(); ++i) {
    const auto begin = above.rfind('\n') + 1;  // 0: the first line
    const auto line = trim(above.substr(begin));
    if (below) return line.starts_with('@') || line.starts_with(')');
    below = line.starts_with("def ") || line.starts_with("class ") || line.starts_with("async def ");
    above = above.substr(0, begin == 0 ? 0 : begin - 1);
  }
  return false;
}

std::string lines_of(Text part, Text end) {
  std::string out;
  for (auto left = std::count(part.begin(), part.end(), '\n'); left > 0; --left) out += end;
  return out;
}

Edit without(Text text, const Prose& prose) {
  const auto part = text.substr(prose.begin, prose.end - prose.begin);
  if (prose.string) {
    const Text quote = part.substr(0, part.starts_with("\"\"\"") || part.starts_with("'''") ? 3 : 1);
    return {prose.begin, prose.end, std::string(quote) + lines_of(part, "\\\n") + std::string(quote)};
  }
  auto begin = prose.begin;
  const bool ends_line = prose.end == text.size() || text[prose.end] == '\n';
  while (ends_line && begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  return {begin, prose.end, (ends_line ? "" : " ") + lines_of(part, "\n")};
}

/// Whether any number of blanks between two words means the same; in the text of a page it does not.
bool blanks_are_equal(Text path, Text text) {
  const auto family = tokens::family_of(path);
  if (family == Family::script) return text.find("</") == Text::npos && text.find("/>") == Text::npos;
  return family == Family::python || family == Family::go || family == Family::rust || family == Family::c;
}

}  // namespace

std::optional<NeutralCopy> neutral_copy(Text path, Text text, bool documentation) {
  if (text.size() > kMostTwinBytes || !is_code(path)) return std::nullopt;
  const auto scanned = scan(path, text);
  if (!scanned) return std::nullopt;
  std::vector<Edit> edits;
  for (const auto& prose : scanned->prose) {
    const auto part = text.substr(prose.begin, prose.end - prose.begin);
    // A line of C that ends in a backslash continues its comment.
    if (prose.string ? documentation && !is_decorated(text, prose.begin)
                     : !is_attribute(path, part) && !part.ends_with('\\'))
      edits.push_back(without(text, prose));
  }
  const bool prose = !edits.empty();
  const auto& found = scanned->tokens;
  const bool widened = blanks_are_equal(path, text);
  for (std::size_t i = 1; i < found.size() && widened; ++i) {
    const auto gap = text.substr(found[i - 1].end, found[i].begin - found[i - 1].end);
    if (!gap.empty() && gap.find_first_not_of(' ') == Text::npos)
      edits.push_back({found[i].begin, found[i].begin, " "});
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string copy;
  std::size_t at = 0;
  for (const auto& edit : edits) {
    copy.append(text.substr(at, edit.begin - at)).append(edit.with);
    at = edit.end;
  }
  copy.append(text.substr(at));
  const auto again = scan(path, copy);
  if (copy == text || !again || again->normal != scanned->normal) return std::nullopt;
  return NeutralCopy{std::move(copy), prose};
}

}  // namespace hydra::source
