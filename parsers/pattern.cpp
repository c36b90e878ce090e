#include "parsers/pattern.hpp"

#include "parsers/scan.hpp"
#include "parsers/words.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hydra::parsers {
namespace {

using Op = Pattern::Op;
using Ops = std::span<const Op>;

constexpr std::int64_t kMost = 1'000'000'000;  ///< more is no count of tests

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

/// One matching of one line.
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

  /// Taken where it is there: what follows does not bring it back.
  bool optional(const Op& op, Ops rest, std::string_view s) {
    auto more = s;
    const Fields before = out_;
    if (eat_all(rest.first(op.size), more))
      s = more;
    else
      out_ = before;
    return run(rest.subspan(op.size), s);
  }

  /// Operations that do not search.
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

  /// Every word must be known (`count_passed` and so on of common.toml).
  bool eat_counts(std::string_view& s) {
    Figures sum;
    sum.passed = 0;
    for (bool more = true; more;) {
      const auto n = eat_number(s);
      if (!n || *n > kMost || eat_blanks(s) == 0) return false;
      const auto end = std::min({s.find_first_of(",|;)]"), s.find(" in "), s.size()});
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

  /// Stored once the rest is there, too: a place that was tried in vain must not leave its figures behind.
  bool number(const Op& op, Ops rest, std::string_view s) {
    const auto n = eat_number(s);
    if (!n || (bounded_ && *n > kMost) || !run(rest, s)) return false;
    store(op, *n);
    return true;
  }

  /// The text that stands behind a field; a gap counts as one blank.
  static std::string_view next_text(Ops rest) {
    if (rest.empty()) return {};
    return rest.front().kind == Op::gap ? " " : std::string_view(rest.front().literal);
  }

  /// Tries the places of the text that must follow, from the first (or the last) on, at most `tries` of them.
  bool spread(Ops rest, std::string_view s, std::string_view Fields::*field, bool from_end, int tries) {
    const auto next = next_text(rest);
    if (next.empty()) {
      // At the end of the pattern: everything; before another field: one word.
      const auto n = rest.empty() ? s.size() : std::min(s.find_first_of(" \t"), s.size());
      if (n == 0 || !run(rest, s.substr(n))) return false;
      if (field != nullptr) out_.*field = trim_end(s.substr(0, n));
      return true;
    }
    const std::size_t least = field == nullptr ? 0 : 1;  // text that is not kept may be empty
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
    // ".lua" of a pattern belongs to the path.
    const auto text = rest.empty() ? std::string_view{} : std::string_view(rest.front().literal);
    std::size_t n = 0;
    while (text.starts_with('.') && n < text.size() && (n == 0 || is_letter(text[n]))) ++n;
    out_.file = s.substr(0, out_.file.size() + n);
    // A path has no line number of its own.
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

struct Name {
  std::string_view name;
  Op::Kind kind;
  std::optional<std::int64_t> Fields::*to = nullptr;
};
constexpr Name kNames[] = {
    {"passed", Op::figure, &Fields::passed},
    {"failed", Op::figure, &Fields::failed},
    {"skipped", Op::figure, &Fields::skipped},
    {"errors", Op::figure, &Fields::errors},
    {"total", Op::figure, &Fields::total},
    {"ran", Op::figure, &Fields::ran},
    {"remaining", Op::figure, &Fields::remaining},
    {"warnings", Op::figure, &Fields::warnings},
    {"findings", Op::figure, &Fields::findings},
    {"line", Op::line},
    {"column", Op::column},
    {"number", Op::number},
    {"decimal", Op::decimal},
    {"word", Op::word},
    {"counts", Op::counts},
    {"any", Op::any},
    {"gap", Op::gap},
    {"indent", Op::indent},
    {"s", Op::plural},
    {"severity", Op::severity},
    {"letter", Op::letter},
    {"rule", Op::rule},
    {"file", Op::file},
    {"message", Op::message},
    {"name", Op::name},
};

bool searches(Op::Kind kind) {
  return kind == Op::severity || kind == Op::letter || kind == Op::rule || kind == Op::file ||
         kind == Op::message || kind == Op::name;
}

class Compiler {
 public:
  Compiler(std::string_view text, Pattern::Of of, std::string& problem)
      : s_(text), of_(of), problem_(problem) {}

  bool all(std::vector<Op>& out, int depth) {
    while (!s_.empty()) {
      if (depth > 0 && s_[0] == '}') return true;  // so there is no '}}' in an optional part
      if (eat(s_, "{{")) {
        put('{', out);
      } else if (eat(s_, "}}")) {
        put('}', out);
      } else if (s_[0] == '}') {
        return fail("a '}' closes nothing: write '}}' for the character");
      } else if (eat(s_, "{?")) {
        if (!part(out, depth)) return false;
      } else if (eat(s_, "{")) {
        if (!named(out, depth)) return false;
      } else {
        put(s_[0], out);
        s_.remove_prefix(1);
      }
    }
    return depth == 0 || fail("a '{?' has no '}'");
  }

 private:
  bool fail(std::string what) {
    problem_ = std::move(what);
    return false;
  }

  void put(char c, std::vector<Op>& out) {
    if (c == ' ' && of_ == Pattern::Of::tests) {
      out.push_back({Op::gap});
      fresh_ = true;
      return;
    }
    if (fresh_ || out.empty() || out.back().kind != Op::text) out.push_back({Op::text});
    fresh_ = false;
    out.back().literal += c;
  }

  bool part(std::vector<Op>& out, int depth) {
    if (depth > 2) return fail("optional parts are nested too deep");
    const auto at = out.size();
    out.push_back({Op::optional});
    fresh_ = true;
    if (!all(out, depth + 1)) return false;
    if (!eat(s_, "}")) return fail("a '{?' has no '}'");
    const auto size = out.size() - at - 1;
    if (size == 0) return fail("an optional part is empty");
    if (size > 200) return fail("an optional part is too long");
    out[at].size = static_cast<std::uint8_t>(size);
    fresh_ = true;
    return true;
  }

  bool named(std::vector<Op>& out, int depth) {
    const auto close = s_.find('}');
    if (close == std::string_view::npos) return fail("a '{' has no '}': write '{{' for the character");
    const auto name = s_.substr(0, close);
    const auto* known =
        std::find_if(std::begin(kNames), std::end(kNames), [&](const Name& n) { return n.name == name; });
    if (known == std::end(kNames)) return fail("there is no field '{" + std::string(name) + "}'");
    if (depth > 0 && searches(known->kind))
      return fail("'{" + std::string(name) + "}' can't stand in an optional part");
    s_.remove_prefix(close + 1);
    out.push_back({known->kind, 0, known->to, {}});
    fresh_ = true;
    return true;
  }

  std::string_view s_;
  Pattern::Of of_;
  std::string& problem_;
  bool fresh_ = true;  ///< the next character begins a text of its own
};

}  // namespace

std::optional<Pattern> Pattern::compile(std::string_view text, Of of, std::string& problem) {
  Pattern out;
  out.of_ = of;
  if (!Compiler(text, of, problem).all(out.ops_, 0)) return std::nullopt;
  // An empty line of a summary.
  if (out.ops_.empty() && of == Of::lint) {
    problem = "the pattern is empty";
    return std::nullopt;
  }
  return out;
}

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

Pattern compiled(std::string_view text, Pattern::Of of) {
  std::string problem;
  auto pattern = Pattern::compile(text, of, problem);
  if (!pattern) {
    std::fprintf(stderr, "hydra: pattern '%.*s': %s\n", static_cast<int>(text.size()), text.data(),
                 problem.c_str());
    std::abort();
  }
  return std::move(*pattern);
}

}  // namespace hydra::parsers
