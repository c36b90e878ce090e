// config: proposals from the rows of toolchain files (docs/toolchains.md).
#include "base/strings.hpp"
#include "config/propose.hpp"
#include "config/toolchains.hpp"

#include <algorithm>

namespace hydra::config {
namespace {

/// Checks a condition: "vendor" or ".golangci.*" (exists), "program:ninja" (in PATH), "in:Gemfile:rails" (the
/// file has the text), "!" negates. `file` receives the first existing file asked for.
bool holds_one(const ProjectView& files, std::string_view condition, std::string& file) {
  constexpr std::string_view kProgram = "program:", kIn = "in:";
  const bool wanted = !condition.starts_with('!');
  if (!wanted) condition.remove_prefix(1);
  if (condition.starts_with(kProgram)) return files.has_program(condition.substr(kProgram.size())) == wanted;
  const bool in = condition.starts_with(kIn);
  if (in) condition.remove_prefix(kIn.size());
  const auto text = in ? std::min(condition.find(':'), condition.size()) : condition.size();
  auto found = files.matching(condition.substr(0, text));
  if (in && files.text(found).find(condition.substr(text + 1)) == std::string_view::npos) found.clear();
  if (wanted && file.empty()) file = found;
  return !found.empty() == wanted;
}

/// Whether all conditions hold; "a|b" holds if either does.
bool holds(const ProjectView& files, const Texts& conditions, std::string& file) {
  return std::all_of(conditions.begin(), conditions.end(), [&](std::string_view condition) {
    const auto either = split(condition, '|');
    return std::any_of(either.begin(), either.end(),
                       [&](std::string_view one) { return holds_one(files, one, file); });
  });
}

class Row {
 public:
  Row(const ProjectView& files, const ProposalRow& row) : files_(files), row_(row) {
    std::string ignored;
    if (holds(files, row.when, ignored))
      for (const auto pattern : row.found_by)
        if (found_.empty()) found_ = files.matching(pattern);
  }

  [[nodiscard]] std::optional<Proposal> proposal() const {
    if (found_.empty()) return std::nullopt;
    Proposal p;
    p.kind = row_.kind.empty() ? found_ : filled(row_.kind);
    p.fills_gaps = row_.fills_gaps;
    p.build = command(row_.build);
    p.test = command(row_.test);
    p.lint = command(row_.lint);
    p.setup = command(row_.setup);
    p.warm = command(row_.warm);
    p.share = all(row_.share);
    p.outputs = all(row_.outputs);
    p.env = all(row_.env);
    for (auto& note : all(row_.notes)) p.notes.push_back(std::move(note.value));
    for (auto& cache : all(row_.caches))
      if (files_.has_cache(cache.value))
        p.caches.push_back({std::move(cache.value), "its directory is in your home"});
    if (!row_.reader.empty() && !proposal_reader(row_.reader)(files_, p)) return std::nullopt;
    return p;
  }

 private:
  [[nodiscard]] std::string filled(std::string_view text) const {
    return replace_all(replace_all(std::string(text), "{found}", found_), "{directory}",
                       found_.substr(0, std::min(found_.rfind('/'), found_.size())));
  }
  [[nodiscard]] std::optional<Guess> guess(const ProposedText& text) const {
    std::string file;
    if (!holds(files_, text.when, file)) return std::nullopt;
    return Guess{filled(text.text), !text.why.empty() ? filled(text.why) : file.empty() ? found_ : file};
  }
  [[nodiscard]] std::optional<Guess> command(const std::vector<ProposedText>& texts) const {
    for (const auto& text : texts)
      if (auto made = guess(text)) {
        if (!row_.wrapper.empty() && files_.has(row_.wrapper))
          made->value = "./" + std::string(row_.wrapper) +
                        made->value.substr(std::min(made->value.find(' '), made->value.size()));
        // A repository that was written on Windows has scripts without the mode of a program.
        if (made->value.starts_with("./") && files_.is_no_program(made->value))
          made->value.replace(0, 2, "bash ");
        return made;
      }
    return std::nullopt;
  }
  [[nodiscard]] std::vector<Guess> all(const std::vector<ProposedText>& texts) const {
    std::vector<Guess> out;
    for (const auto& text : texts)
      if (auto made = guess(text)) out.push_back(std::move(*made));
    return out;
  }

  const ProjectView& files_;
  const ProposalRow& row_;
  std::string found_;
};

/// Adds the program of a command, but no script of the repository.
void add_program(std::string_view command, std::vector<std::string>& to) {
  for (const auto word : split(command, ' ')) {
    if (word.find('=') != std::string_view::npos) continue;  // NAME=value before the program
    if (word.find('/') == std::string_view::npos) to.emplace_back(word);
    return;
  }
}

void add_conditions(const Texts& conditions, std::vector<std::string>& to) {
  for (const auto condition : conditions)
    for (const auto one : split(condition, '|'))
      if (const auto at = one.find("program:"); at != std::string_view::npos)
        to.emplace_back(one.substr(at + 8));
}

}  // namespace

ProposalReader proposal_reader(std::string_view name) {
  constexpr std::pair<std::string_view, ProposalReader> kReaders[] = {
      {"package.json", propose_node}, {"python", propose_python},
      {"meson", propose_meson},       {"Makefile.in", propose_configured_make},
      {"Makefile", propose_make},     {"composer.json", propose_php},
      {"deno.json", propose_deno},    {"cmake", propose_cmake}};
  for (const auto& [known, reader] : kReaders)
    if (known == name) return reader;
  return nullptr;
}

std::vector<Proposal> proposals(const ProjectView& files) {
  std::vector<Proposal> out;
  bool alone = false;
  for (const auto& row : toolchains().proposals) {
    if (row.alone && alone) continue;
    auto proposal = Row(files, row).proposal();
    if (!proposal) continue;
    alone = alone || row.alone;
    out.push_back(std::move(*proposal));
  }
  return out;
}

std::vector<std::string> proposed_programs() {
  const auto& all = toolchains();
  std::vector<std::string> out(all.programs.begin(), all.programs.end());
  for (const auto& row : all.proposals) {
    add_conditions(row.when, out);
    for (const auto* commands : {&row.build, &row.test, &row.lint, &row.setup, &row.warm})
      for (const auto& command : *commands) {
        add_program(command.text, out);
        add_conditions(command.when, out);
      }
    for (const auto* texts : {&row.share, &row.outputs, &row.caches, &row.env, &row.notes})
      for (const auto& text : *texts) add_conditions(text.when, out);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace hydra::config
