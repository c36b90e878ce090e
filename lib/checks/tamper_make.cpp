#include "base/strings.hpp"
#include "checks/makefile.hpp"
#include "checks/tamper_impl.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace hydra::checks {
namespace {

bool names_any(Text text, const std::set<std::string>& names) {
  const auto all = split(text, ' ');
  return std::any_of(all.begin(), all.end(),
                     [&](Text word) { return names.contains(std::string(trim(word))); });
}

/// Does this text define a rule of the checks, or a program that their recipes call?
bool defines_checks(Text text, const MakeChecks& checks) {
  for (const auto& part : make_parts(text)) {
    if (checks.programs.contains(part.variable)) return true;
    for (const auto& target : part.targets)
      if (checks.targets.contains(target)) return true;
  }
  return false;
}

class MakeFinder {
 public:
  MakeFinder(const TextDiff& diff, const TamperInput& input, Signals& signals)
      : diff_(diff), input_(input), signals_(signals) {
    checks_ = make_checks(diff.file->base.value_or(""), input.rules->commands());
  }

  void look() {
    if (checks_.targets.empty() || !diff_.file->candidate) return;
    const auto definitions = make_definitions(make_parts(*diff_.file->candidate));
    bool named = false;
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (line.text.starts_with('#')) continue;
      named |= includes(line) || computed(line, definitions) || governing(line) || environment(line) ||
               arguments(line);
    }
    if (!named && !(diff_.added.empty() && diff_.removed.empty()) && !diff_.is_new)
      signals_.add(SignalKind::build_file, Severity::info, diff_.file->change.path, 0, {},
                   "the tests run through this file; the rules of its checks are the base's");
  }

 private:
  bool add(Severity severity, const TextLine& line, std::string reason) {
    signals_.add(SignalKind::deselection, severity, diff_.file->change.path, line.number, line.text,
                 std::move(reason));
    return true;
  }

  /// Does a file of this name (in any directory, for a path may hold variables) define rules of the checks?
  /// Nothing: the candidate changed no such file. Each file is read once.
  std::optional<bool> included(Text path) {
    if (!has_names_) {
      has_names_ = true;
      for (const auto& file : input_.files) names_[base_name(file.change.path)].push_back(&file);
    }
    const auto own = base_name(path);
    const auto found = names_.find(own);
    if (found == names_.end()) return std::nullopt;
    const auto [known, is_new] = defines_.try_emplace(own, false);
    if (is_new)
      known->second = std::any_of(found->second.begin(), found->second.end(), [&](const ChangedFile* file) {
        return file->candidate && defines_checks(*file->candidate, checks_);
      });
    return known->second;
  }

  bool includes(const TextLine& line) {
    auto text = line.text;
    if (text.starts_with('-') || text.starts_with('s')) text.remove_prefix(1);
    if (!text.starts_with("include ")) return false;
    std::optional<Severity> worst;  // a line that names several files is one finding
    for (const auto word : split(text.substr(8), ' ')) {
      const auto path = trim(word);
      if (path.empty()) continue;
      if (path.ends_with(".d") || path.ends_with("DEPS)") || path.ends_with("=.d)")) continue;
      const auto replaces = included(path);
      if (replaces.value_or(false))
        return add(Severity::block, line, "includes a file that replaces a rule of the checks");
      const bool known = replaces.has_value() || input_.rules->base().tracks(path);
      if (!known || !worst) worst = known ? Severity::info : Severity::warning;
    }
    if (worst) add(*worst, line, "includes a file that could replace rules; the base's stand at the end");
    return true;
  }

  bool computed(const TextLine& line, const std::map<std::string, std::string>& definitions) {
    if (line.text.find("$(eval") != Text::npos || line.text.find("${eval") != Text::npos)
      return add(Severity::warning, line, "computes rules; those of the checks are the base's");
    const auto colon = line.text.find(':');
    if (colon == Text::npos || !is_indirect_make(line.text)) return false;
    const auto targets = make_expanded(line.text.substr(0, colon), definitions);
    if (!names_any(targets, checks_.targets)) return false;
    return add(Severity::block, line, "a computed target that is a rule of the checks");
  }

  bool governing(const TextLine& line) {
    const auto& text = line.text;
    if (text.starts_with(".RECIPEPREFIX"))
      return add(Severity::warning, line, "changes how recipes are written; the base's are used");
    if (text.starts_with(".IGNORE")) return add(Severity::block, line, "lets recipes fail");
    if (text.find("MAKEFLAGS") == Text::npos || text.find('=') == Text::npos) return false;
    const auto all = split(text, ' ');
    const bool ignores = std::any_of(all.begin(), all.end(), [](Text word) {
      return word == "-i" || word == "-n" || word == "-t" || word == "-q" || word == "-k" ||
             word.starts_with("--ignore") || word.starts_with("--dry") || word.starts_with("--touch") ||
             word.starts_with("--question") || word.starts_with("--just");
    });
    return ignores && add(Severity::block, line, "lets recipes fail, or does not run them");
  }

  /// What the recipes of the checks are run with, and what runs while the file is read.
  bool environment(const TextLine& line) {
    const auto has = [&](Text part) { return line.text.find(part) != Text::npos; };
    const auto variable = make_parts(line.text).back().variable;
    const bool exports = line.text.starts_with("export ");
    for (const Text name : {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV", "PATH"}) {
      if (variable != name && !(exports && has_name(line.text, name))) continue;
      const bool loads = name == "LD_PRELOAD" || name == "LD_AUDIT" || name == "BASH_ENV" || name == "ENV";
      return add(loads ? Severity::block : Severity::warning, line,
                 "changes where the checks find their programs");
    }
    for (const Text name : {"CC", "CXX", "LD", "AR"}) {
      if (variable != name) continue;
      const auto equals = line.text.find('=');
      const auto value = equals == Text::npos ? Text() : trim(line.text.substr(equals + 1));
      const auto program = value.substr(0, value.find(' '));
      if (program.find('/') != Text::npos && !program.starts_with("/usr/") && !program.starts_with("/opt/"))
        return add(Severity::warning, line, "builds what the tests run with a program of the repository");
    }
    if (has("-DNDEBUG")) return add(Severity::warning, line, "turns assert() off");
    if (!has("$(shell")) return false;
    for (const Text word : {">", "cp ", "mv ", "rm ", "sed -i", "tee ", "ln ", "touch ", "install "})
      if (has(word)) return add(Severity::warning, line, "writes while the file is read");
    return false;
  }

  bool arguments(const TextLine& line) {
    const auto parts = make_parts(line.text);
    const auto& variable = parts.back().variable;
    if (variable.empty() || !checks_.arguments.contains(variable)) return false;
    for (const Text word : {"ARG", "OPT", "FLAGS", "PYTEST", "TEST", "CASES", "SUITE"})
      if (variable.find(word) != std::string::npos && variable != "CFLAGS" && variable != "CXXFLAGS" &&
          variable != "LDFLAGS" && variable != "CPPFLAGS")
        return add(Severity::warning, line, "a variable that the recipes of the checks use");
    return false;
  }

  const TextDiff& diff_;
  const TamperInput& input_;
  Signals& signals_;
  MakeChecks checks_;
  bool has_names_ = false;
  std::unordered_map<Text, std::vector<const ChangedFile*>> names_;
  std::unordered_map<Text, bool> defines_;
};

}  // namespace

void find_make_rules(const TextDiff& diff, const TamperInput& input, Signals& signals) {
  if (diff.language == Language::make) MakeFinder(diff, input, signals).look();
}

}  // namespace hydra::checks
