#include "base/strings.hpp"
#include "config/file_class.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace hydra::integrity {
namespace {

struct Extension {
  Text end;
  Language language;
};
constexpr Extension kExtensions[] = {{".py", Language::python},
                                     {".pyi", Language::python},
                                     {".js", Language::script},
                                     {".jsx", Language::script},
                                     {".mjs", Language::script},
                                     {".cjs", Language::script},
                                     {".ts", Language::script},
                                     {".tsx", Language::script},
                                     {".mts", Language::script},
                                     {".cts", Language::script},
                                     {".vue", Language::script},
                                     {".svelte", Language::script},
                                     {".go", Language::go},
                                     {".rs", Language::rust},
                                     {".c", Language::c},
                                     {".cc", Language::c},
                                     {".cpp", Language::c},
                                     {".cxx", Language::c},
                                     {".h", Language::c},
                                     {".hh", Language::c},
                                     {".hpp", Language::c},
                                     {".hxx", Language::c},
                                     {".inl", Language::c},
                                     {".m", Language::c},
                                     {".java", Language::jvm},
                                     {".kt", Language::jvm},
                                     {".kts", Language::jvm},
                                     {".scala", Language::jvm},
                                     {".groovy", Language::jvm},
                                     {".gradle", Language::jvm},
                                     {".cs", Language::dotnet},
                                     {".fs", Language::dotnet},
                                     {".vb", Language::dotnet},
                                     {".rb", Language::ruby},
                                     {".php", Language::php},
                                     {".swift", Language::swift},
                                     {".sh", Language::shell},
                                     {".bash", Language::shell},
                                     {".bats", Language::shell},
                                     {".mk", Language::make},
                                     {".mak", Language::make},
                                     {"go.mod", Language::configuration},
                                     {"go.work", Language::configuration},
                                     {".cmake", Language::cmake},
                                     {".toml", Language::configuration},
                                     {".ini", Language::configuration},
                                     {".cfg", Language::configuration},
                                     {".json", Language::configuration},
                                     {".jsonc", Language::configuration},
                                     {".yaml", Language::configuration},
                                     {".yml", Language::configuration},
                                     {".xml", Language::configuration},
                                     {".am", Language::make},
                                     {".npmrc", Language::configuration}};

using Counts = std::unordered_map<Text, std::int64_t>;

/// Lines that one side has more often than the other. Linear; moves within the file cancel out.
void fill(TextDiff& diff) {
  const auto base = diff.file->base ? text_lines(*diff.file->base, diff.language, diff.decoded_base)
                                    : std::vector<TextLine>{};
  if (diff.file->candidate) diff.candidate = text_lines(*diff.file->candidate, diff.language, diff.decoded);
  Counts in_base, in_candidate;
  for (const auto& line : base) ++in_base[line.text];
  for (const auto& line : diff.candidate) ++in_candidate[line.text];
  auto left = in_base;
  for (std::size_t i = 0; i < diff.candidate.size(); ++i)
    if (--left[diff.candidate[i].text] < 0) diff.added.push_back(i);
  for (const auto& line : base)
    if (--in_candidate[line.text] < 0) diff.removed.push_back(line);
}

/// The same between files of one role: a test that moved to another file is neither new nor gone.
void cancel_moves(std::vector<TextDiff>& diffs) {
  std::array<Counts, 3> gone, came;
  for (const auto& diff : diffs) {
    const auto role = static_cast<std::size_t>(diff.role);
    for (const auto& line : diff.removed) ++gone.at(role)[line.text];
    for (const auto index : diff.added) ++came.at(role)[diff.candidate[index].text];
  }
  for (auto& diff : diffs) {
    const auto role = static_cast<std::size_t>(diff.role);
    std::erase_if(diff.added, [&](std::size_t index) {
      const auto found = gone.at(role).find(diff.candidate[index].text);
      return found != gone.at(role).end() && found->second-- > 0;
    });
    std::erase_if(diff.removed, [&](const TextLine& line) {
      const auto found = came.at(role).find(line.text);
      return found != came.at(role).end() && found->second-- > 0;
    });
  }
}

Role role_of(const ProtectedPaths& rules, Text path) {
  const auto protection = rules.of(path);
  if (protection) switch (protection->kind) {
      case ProtectedKind::test_configuration:
      case ProtectedKind::runner_hook:
      case ProtectedKind::check_script:
      case ProtectedKind::ci:
      case ProtectedKind::lint_configuration:
      case ProtectedKind::build_file:
        return Role::hook;
      default:
        break;
    }
  return rules.is_test(path) ? Role::test : Role::product;
}

}  // namespace

Language language_of(std::string_view path) {
  const auto own = base_name(path);
  if (own == "CMakeLists.txt") return Language::cmake;
  if (own == "Makefile" || own == "makefile" || own == "GNUmakefile") return Language::make;
  if (own == "Rakefile" || own == "Gemfile") return Language::ruby;
  if (own == ".npmrc" || own == ".coveragerc" || own == ".rspec" || own.starts_with(".mocharc"))
    return Language::configuration;
  if (own.ends_with(".txt") && (own.find("requirements") != Text::npos || own.starts_with("constraints") ||
                                path.find("requirements/") != Text::npos))
    return Language::configuration;
  const auto* found = std::find_if(std::begin(kExtensions), std::end(kExtensions),
                                   [&](const Extension& entry) { return own.ends_with(entry.end); });
  return found == std::end(kExtensions) ? Language::none : found->language;
}

Language language_beside(std::string_view path, const trees::BaseTree& base) {
  const auto known = language_of(path);
  if (known != Language::none || base_name(path).find('.') != Text::npos) return known;
  for (const Text end : {".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".py", ".sh", ".rb"})
    if (const auto beside = std::string(path) + std::string(end); base.tracks(beside))
      return language_of(beside);
  return Language::none;
}

void find_in_texts(const TamperInput& input, Signals& signals, std::int64_t& suppressions) {
  const config::FileClasses classes;
  std::vector<TextDiff> diffs;
  for (const auto& file : input.files) {
    if (classes.of(file.change.path) == config::FileClass::lock) {
      find_other_hosts(file, signals);
      continue;
    }
    TextDiff diff;
    diff.file = &file;
    diff.language = language_beside(file.change.path, input.rules->base());
    if (diff.language == Language::none || (!file.base && !file.candidate)) continue;
    diff.role = role_of(*input.rules, file.change.path);
    diff.is_new = !file.base;
    diff.permitted = diff.role == Role::test && !input.rules->of(file.change.path);
    fill(diff);
    diffs.push_back(std::move(diff));
  }
  cancel_moves(diffs);
  for (auto& diff : diffs) {
    if (diff.file->change.kind == trees::ChangeKind::deleted) {
      suppressions += find_suppressions(diff, signals);
      continue;  // what is gone is said by its path
    }
    find_skips(diff, signals);
    find_assertions(diff, signals);
    find_inline_assertions(diff, signals);
    find_other_sources(diff, signals);
    suppressions += find_suppressions(diff, signals);
  }
  suppressions = std::max<std::int64_t>(suppressions, 0);
}

}  // namespace hydra::integrity
