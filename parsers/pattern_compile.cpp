// Compiles the text of a pattern to its operations.
#include "parsers/pattern.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hydra::parsers {
namespace {

using Op = Pattern::Op;

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
      if (depth > 0 && s_[0] == '}') return true;  // so an optional part cannot contain '}}'
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
  bool fresh_ = true;  ///< the next character begins a new text operation
};

}  // namespace

std::optional<Pattern> Pattern::compile(std::string_view text, Of of, std::string& problem) {
  Pattern out;
  out.of_ = of;
  out.ops_.reserve(2 * static_cast<std::size_t>(std::count(text.begin(), text.end(), '{')) + 1);
  if (!Compiler(text, of, problem).all(out.ops_, 0)) return std::nullopt;
  // An empty pattern is valid in a summary only, for an empty line.
  if (out.ops_.empty() && of == Of::lint) {
    problem = "the pattern is empty";
    return std::nullopt;
  }
  return out;
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
