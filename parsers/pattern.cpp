#include "parsers/pattern.hpp"

#include "parsers/formats.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using Op = Pattern::Op;
using Ops = std::span<const Op>;

constexpr std::int64_t kMost = 1'000'000'000;  ///< maximum count of tests

bool eat_plural(std::string_view& s) { return eat(s, "(s)") || eat(s, "s") || eat(s, "S"); }

bool eat_word(std::string_view& s) {
  const auto n = std::min(s.find_first_of(" \t"), s.size());
  s.remove_prefix(n);
  return n > 0;
}

bool rule_char(char c) {
  return is_letter(c) || is_digit(c) || contains("-_./@:#+*\\&,=", std::string_view(&c, 1)) ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Matches one line.
class Matching {
 public:
  explicit Matching(Fields& out, bool bounded) : out_(out), bounded_(bounded) {}

  bool run(Ops ops, std::string_view s) {
    while (!ops.empty()) {
      const Op& op = ops.front();
      ops = ops.subspan(1);
      if (op.kind == Op::text) {
        if (!eat(s, op.literal)) return false;
      } else if (op.kind == Op::gap) {
        if (eat_blanks(s) == 0) return false;
      } else {
        return field(op, ops, s);
      }
    }
    return s.empty();
  }

 private:
  bool field(const Op& op, Ops rest, std::string_view s) {
    switch (op.kind) {
      case Op::indent:
        eat_blanks(s);
        return run(rest, s);
      case Op::plural:
        eat_plural(s);
        return run(rest, s);
      case Op::decimal:
        return eat_decimal(s) && run(rest, s);
      case Op::word:
        return eat_word(s) && run(rest, s);
      case Op::counts:
        return eat_counts(s) && run(rest, s);
      case Op::figure:
      case Op::line:
      case Op::column:
      case Op::number:
        return number(op, rest, s);
      case Op::severity: {
        const auto severity = eat_severity(s);
        if (!severity || !run(rest, s)) return false;
        out_.severity = severity;
        return true;
      }
      case Op::letter: {
        const auto severity = s.empty() ? std::nullopt : severity_letter(s[0]);
        if (!severity || !run(rest, s.substr(1))) return false;
        out_.severity = severity;
        return true;
      }
      case Op::rule:
        return rule(rest, s);
      case Op::any:
        return rest.empty() || spread(rest, s, nullptr, false, 4);
      case Op::file:
        return file(rest, s);
      case Op::message:
        return spread(rest, s, &Fields::message, true, 3);
      case Op::name:
        return name(rest, s);
      case Op::optional:
        return optional(op, rest, s);
      default:
        return false;
    }
  }

  /// Consumes an optional part if possible; the rest of the pattern never undoes that choice.
  bool optional(const Op& op, Ops rest, std::string_view s) {
    auto more = s;
    const Fields before = out_;
    if (eat_all(rest.first(op.size), more))
      s = more;
    else
      out_ = before;
    return run(rest.subspan(op.size), s);
  }

  /// Runs operations that do not search.
  bool eat_all(Ops ops, std::string_view& s) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const Op& op = ops[i];
      if (op.kind == Op::optional) {
        auto more = s;
        const Fields before = out_;
        if (eat_all(ops.subspan(i + 1, op.size), more))
          s = more;
        else
          out_ = before;
        i += op.size;
      } else if (!eat_one(op, s)) {
        return false;
      }
    }
    return true;
  }

  bool eat_one(const Op& op, std::string_view& s) {
    switch (op.kind) {
      case Op::text:
        return eat(s, op.literal);
      case Op::gap:
        return eat_blanks(s) > 0;
      case Op::indent:
        eat_blanks(s);
        return true;
      case Op::plural:
        eat_plural(s);
        return true;
      case Op::decimal:
        return eat_decimal(s);
      case Op::word:
        return eat_word(s);
      case Op::counts:
        return eat_counts(s);
      case Op::any:
        s = {};
        return true;
      default: {
        const auto n = eat_number(s);
        if (!n || (bounded_ && *n > kMost)) return false;
        store(op, *n);
        return true;
      }
    }
  }

  /// Every word must be known (`count_passed` and the other count_ lists of common.toml).
  bool eat_counts(std::string_view& s) {
    Figures sum;
    sum.passed = 0;
    for (bool more = true; more;) {
      const auto n = eat_number(s);
      if (!n || *n > kMost || eat_blanks(s) == 0) return false;
      const auto end = std::min({s.find_first_of(",|;()]"), s.find(" in "), s.size()});
      const auto meaning = meaning_of(s.substr(0, end));
      if (!meaning) return false;
      add(sum, *meaning, *n);
      s.remove_prefix(end);
      auto next = s;
      eat_blanks(next);
      more = (eat(next, ",") || eat(next, "|")) && (eat_blanks(next), !next.empty()) && is_digit(next[0]);
      if (more) s = next;
    }
    for (const auto member :
         {&Figures::passed, &Figures::failed, &Figures::skipped, &Figures::errors, &Figures::total})
      if (sum.*member) out_.*member = (out_.*member).value_or(0) + *(sum.*member);
    return true;
  }

  void store(const Op& op, std::int64_t n) {
    if (op.kind == Op::line) out_.line = n;
    if (op.kind == Op::column) out_.column = n;
    if (op.kind == Op::figure) out_.*op.to = (out_.*op.to).value_or(0) + n;
  }

  /// Stores the number after the rest has matched: a failed attempt must not leave its figures behind.
  bool number(const Op& op, Ops rest, std::string_view s) {
    const auto n = eat_number(s);
    if (!n || (bounded_ && *n > kMost) || !run(rest, s)) return false;
    store(op, *n);
    return true;
  }

  /// Returns the text behind a field; a gap counts as one blank.
  static std::string_view next_text(Ops rest) {
    if (rest.empty()) return {};
    return rest.front().kind == Op::gap ? " " : std::string_view(rest.front().literal);
  }

  /// Tries the places of the following text, from the first (or the last) on, at most `tries` places.
  bool spread(Ops rest, std::string_view s, std::string_view Fields::*field, bool from_end, int tries) {
    const auto next = next_text(rest);
    if (next.empty()) {
      // At the end of the pattern the field takes everything; before another field, one word.
      const auto n = rest.empty() ? s.size() : std::min(s.find_first_of(" \t"), s.size());
      if (n == 0 || !run(rest, s.substr(n))) return false;
      if (field != nullptr) out_.*field = trim_end(s.substr(0, n));
      return true;
    }
    const std::size_t least = field == nullptr ? 0 : 1;  // text that is not stored may be empty
    std::size_t at = from_end ? s.rfind(next) : s.find(next, least);
    for (; tries > 0 && at != std::string_view::npos && at >= least; --tries) {
      if (run(rest, s.substr(at))) {
        if (field == &Fields::name)
          out_.name = s.substr(0, at);
        else if (field != nullptr)
          out_.*field = trim_end(s.substr(0, at));
        return true;
      }
      if (from_end && at == 0) return false;
      at = from_end ? s.rfind(next, at - 1) : s.find(next, at + 1);
    }
    return false;
  }

  bool name(Ops rest, std::string_view s) {
    if (rest.empty()) {
      out_.name = s;
      return true;
    }
    return spread(rest, s, &Fields::name, true, 6);
  }

  bool file(Ops rest, std::string_view s) {
    if (s.empty() || s[0] == ' ' || s[0] == '\t' || s[0] == ':') return false;
    if (!spread(rest, s.substr(0, 4096), &Fields::file, false, 6)) return false;
    // ".lua" in a pattern belongs to the path.
    const auto text = rest.empty() ? std::string_view{} : std::string_view(rest.front().literal);
    std::size_t n = 0;
    while (text.starts_with('.') && n < text.size() && (n == 0 || is_letter(text[n]))) ++n;
    out_.file = s.substr(0, out_.file.size() + n);
    // A path contains no line number.
    const auto colon = out_.file.find(':');
    return colon == std::string_view::npos || colon + 1 >= out_.file.size() ||
           !is_digit(out_.file[colon + 1]);
  }

  bool rule(Ops rest, std::string_view s) {
    std::size_t n = 0;
    while (n < s.size() && n < 200 && rule_char(s[n])) ++n;
    const auto next = next_text(rest);
    if (!next.empty() && rule_char(next[0]))
      if (const auto at = s.substr(0, n).find(next[0], 1); at != std::string_view::npos) n = at;
    if (n == 0 || !run(rest, s.substr(n))) return false;
    out_.rule = s.substr(0, n);
    return true;
  }

  Fields& out_;
  bool bounded_;
};

}  // namespace

bool Pattern::match(std::string_view line, Fields& out) const {
  const bool tests = of_ == Of::tests;
  return Matching(out, tests).run(ops_, tests ? trim_end(line) : line);
}

bool match(const Pattern& pattern, std::string_view line, Figures& figures) {
  Fields all;
  static_cast<Figures&>(all) = figures;
  if (!pattern.match(line, all)) return false;
  figures = all;
  return true;
}

}  // namespace hydra::parsers
