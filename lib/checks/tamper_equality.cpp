// Objects that are equal to whatever they are compared with.
#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

namespace hydra::checks {
namespace {

class EqualityFinder {
 public:
  EqualityFinder(const TextDiff& diff, Signals& signals) : diff_(diff), signals_(signals) {}

  void look() {
    for (const auto index : diff_.added) {
      if (diff_.candidate[index].comment) continue;
      equality(index);
      if (is(Language::rust) && product()) rust(index);
    }
  }

 private:
  void add(SignalKind kind, Severity severity, const TextLine& line, std::string reason) {
    signals_.add(kind, severity, diff_.file->change.path, line.number, line.text, std::move(reason));
  }
  [[nodiscard]] bool is(Language language) const { return diff_.language == language; }
  [[nodiscard]] bool product() const { return diff_.role == Role::product; }

  /// Is an object of this class given to whoever compares it? A sentinel that nothing hands on is honest.
  [[nodiscard]] bool handed_on(std::size_t index) const {
    const auto* first = diff_.candidate.data();
    for (const auto* each = first + index; each != first;) {
      --each;
      const auto at = each->text.find("class ");
      if (at == Text::npos || each->indent >= diff_.candidate[index].indent) continue;
      auto name = each->text.substr(at + 6);
      const auto bases = name;
      name = name.substr(0, name.find_first_of("(:{ "));
      // It stands for a value.
      for (const Text value :
           {"(int", "(str", "(float", "(list", "(dict", "(tuple", "(bytes", "(set", "(bool"})
        if (has(bases, value)) return true;
      return passed(name);
    }
    return true;  // no class of its own: a function that is put into one
  }

  [[nodiscard]] bool passed(Text name) const {
    // Each question is a look at all that was added: nobody has so many honestly.
    if (diff_.handed_on == nullptr || name.empty() || ++diff_.handed_on->asked > HandedOn::kMostAsked)
      return true;
    std::vector<Text> names{name};
    for (const auto text : diff_.handed_on->lines) {  // "ANY = Any()"
      const auto at = text.find(" = ");
      if (at != Text::npos && has_name(text.substr(at), name) && names.size() < 16)
        names.push_back(text.substr(0, at).substr(text.substr(0, at).rfind(' ') + 1));
    }
    for (const auto text : diff_.handed_on->lines)
      for (const auto each : names) {
        if (!has_any(text, {"return ", "yield ", "lambda", "=>"}) || !has_name(text, each)) continue;
        if (!has(text, "class ") && !has(text, "is " + std::string(each))) return true;
      }
    return false;
  }

  /// The first line behind this one that is neither a comment nor one line of documentation.
  [[nodiscard]] Text first_of_body(std::size_t index) const {
    constexpr std::size_t kMostSkipped = 20;
    for (auto i = index + 1; i < std::min(diff_.candidate.size(), index + kMostSkipped); ++i)
      if (const auto& line = diff_.candidate[i]; !line.comment && !line.text.starts_with("\"\"\"") &&
                                                 !line.text.starts_with("'''") && line.text != "{")
        return line.text;
    return {};
  }

  /// "def __eq__(…):" and then "return True" and nothing else.
  void equality(std::size_t index) {
    const auto& line = diff_.candidate[index];
    const auto text = line.text;
    const Text next = first_of_body(index);
    const auto report = [&](Severity severity) {
      add(SignalKind::equality_override, severity, line, "equals everything that it is compared with");
    };
    if (is(Language::python) && has_any_name(text, {"__eq__", "__ne__"})) {
      const bool always = has_any(text, {": return True", "lambda *_: True", "lambda self, other: True",
                                         "lambda s, o: True", "lambda *a: True"}) ||
                          (text.ends_with(':') && (next == "return True" || next == "return not False"));
      if (always && has_name(text, "__eq__"))
        return report(product() && handed_on(index) ? Severity::block : Severity::warning);
    }
    if (is(Language::script)) {
      const bool body_true = has(text, "return true") || next == "return true;" || next == "return true";
      if (has_any_name(text, {"asymmetricMatch"}) && body_true)
        return report(product() && handed_on(index) ? Severity::block : Severity::warning);
      if (product() && has_any(text, {"[Symbol.toPrimitive]", "valueOf()", "valueOf ()"}))
        add(SignalKind::equality_override, Severity::info, line, "chooses what it is compared as");
    }
    if ((is(Language::c) && has(text, "operator==")) || (is(Language::jvm) && has(text, "boolean equals(")) ||
        (is(Language::dotnet) && has(text, "bool Equals(")) ||
        (is(Language::ruby) && text.starts_with("def ==")) ||
        (is(Language::rust) && has(text, "fn eq(&self")))
      if (has_any(text, {"{ return true; }", "{return true;}", "{ true }", "=> true;"}) ||
          next == "return true;" || next == "true")
        report(Severity::warning);
  }

  /// fn eq(…) { … true }: several lines that compare nothing.
  void rust(std::size_t index) {
    const auto& line = diff_.candidate[index];
    if (!has_any(line.text, {"fn eq(", "fn ne("}) || !line.text.ends_with('{')) return;
    Text last;
    constexpr std::size_t kMostBody = 200;
    for (auto i = index + 1; i < diff_.candidate.size() && i < index + kMostBody; ++i) {
      const auto& each = diff_.candidate[i];
      if (each.indent <= line.indent) break;
      if (each.comment) continue;
      if (has_any(each.text,
                  {"==", "!=", ".eq(", ".ne(", "if ", "match ", ".cmp(", "matches!", ".all(", "&&"}))
        return;
      last = each.text;
    }
    const Text constant = has(line.text, "fn eq(") ? Text("true") : Text("false");
    if (last == constant || last == "return " + std::string(constant) + ";")
      add(SignalKind::equality_override, Severity::warning, line,
          "equals everything that it is compared with");
  }

  const TextDiff& diff_;
  Signals& signals_;
};

}  // namespace

void find_equalities(const TextDiff& diff, Signals& signals) { EqualityFinder(diff, signals).look(); }

}  // namespace hydra::checks
