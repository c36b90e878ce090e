#include "source/twin_shell.hpp"

namespace hydra::source::tokens {

// Handles a line: "[ "$x" = 4 ]", "[[ … ]]", "assert_output 4", "… | grep -q 4".
std::size_t ShellTwins::step(std::size_t i) {
  const auto own = file_.of(i);
  const auto end = line_of(i);
  const bool first = file_.begins_line(i) || among(" if elif then ! && || ", file_.of(i - 1));
  if (own == "grep" || (first && (own.starts_with("assert_") || own.starts_with("refute_")))) {
    const auto before = file_.edits_.size();
    for (auto at = i + 1; at < end && (own != "grep" || file_.edits_.size() == before); ++at)
      if (file_.of(at - 1) != "-" && file_.tokens_[at].kind != TokenKind::word) literal(at);
    if (file_.edits_.size() == before && own != "grep")
      if (const auto opposite = opposite_of(own); !opposite.empty()) file_.replace(i, opposite);
    if (file_.edits_.size() > before) ++file_.found_;
    return end;
  }
  if (!first || (own != "[" && own != "test")) return i;
  auto from = own == "[" && file_.of(i + 1) == "[" ? i + 2 : i + 1;
  auto to = from;
  while (to < end && file_.of(to) != "]" && (own == "[" || !among(" && || ; ", file_.of(to)))) ++to;
  ++file_.found_;
  compare({from, to});
  return to + 1;
}

std::size_t ShellTwins::line_of(std::size_t i) const {
  for (++i; i < file_.tokens_.size() && !file_.begins_line(i);) ++i;
  return i;
}

bool ShellTwins::literal(std::size_t i) {
  if (file_.tokens_[i].kind == TokenKind::word && file_.of(i).find('$') == std::string_view::npos) {
    file_.replace(i, std::string(file_.of(i)) + "q");
    return true;
  }
  if (file_.tokens_[i].kind == TokenKind::sign || file_.tokens_[i].kind == TokenKind::word) return false;
  const auto other = other_literal(file_.family_, file_.tokens_[i].kind, file_.of(i), file_.draw(i));
  if (other) file_.replace(i, *other);
  return other.has_value();
}

void ShellTwins::compare(Span span) {
  struct Pair {
    std::string_view one, other;
  };
  static constexpr Pair kOther[] = {{"eq", "ne"}, {"ne", "eq"}, {"lt", "ge"}, {"ge", "lt"}, {"gt", "le"},
                                    {"le", "gt"}, {"=", "!="},  {"==", "!="}, {"!=", "="}};
  for (auto i = span.from; i < span.to; ++i) {
    const auto own = file_.of(i);
    const bool dashed = file_.is_word(i) && i > 0 && file_.of(i - 1) == "-";
    for (const auto& pair : kOther) {
      if (own != pair.one || file_.is_word(i) != dashed) continue;
      const bool equality = own == "eq" || own == "=" || own == "==";
      if (equality && i + 1 < span.to && literal(i + 1)) return;
      return file_.replace(i, pair.other);
    }
  }
  // Outside of bats the condition may control the script's flow.
  if (bats_) file_.insert(file_.tokens_[span.from].begin, "! ");
}

}  // namespace hydra::source::tokens
