#include "race/checks/measure_plan.hpp"

#include "base/strings.hpp"
#include "checks/coverage.hpp"
#include "checks/effect.hpp"
#include "integrity/protect/known_rules.hpp"
#include "mutants/mutate.hpp"
#include "mutants/tokens.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::size_t kMostPatchBytes = 16u << 20, kMostSourceBytes = 1u << 20;

/// Lines that `commit` adds to the base or changes, of files of the product in a language that is known.
Result<std::vector<model::ChangedLines>> changed_code(integrity::KnownRules& known, const git::Store& store,
                                                      const model::RaceSpec& spec,
                                                      const std::string& commit) {
  HYDRA_TRY(const auto rules, known.get(store, spec));
  git::CompareRequest request;
  request.from = spec.repository.base;
  request.to = commit;
  request.context = 0;
  HYDRA_TRY(const auto patch, store.patch(request, kMostPatchBytes));
  auto files = added_lines(patch);
  std::erase_if(files, [&](const auto& file) {
    return rules->paths.is_test(file.path) || checks::is_documentation(file.path) ||
           !mutants::is_code(file.path);
  });
  return files;
}

class MeasurePlanner {
 public:
  MeasurePlanner(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                 const MeasureInputs& inputs)
      : known_(known), store_(store), spec_(spec), inputs_(inputs) {}

  Result<model::MeasurePlan> plan() {
    if (!inputs_.wish.agent.empty()) HYDRA_CHECK(add_mutants());
    for (const auto& agent : inputs_.wish.coverage) HYDRA_CHECK(add_coverage(agent));
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::string commit_of(const std::string& agent) const {
    for (const auto& [name, commit] : inputs_.commits)
      if (name == agent) return commit;
    return {};
  }

  [[nodiscard]] model::PlannedRun run_of_commit(const std::string& commit, const std::string& command,
                                                const std::string& key) const {
    model::PlannedRun run;
    run.subject = std::string(model::kCrossMark) +
                  fingerprint(spec_.token + "\n" + commit + "\n" + command + "\nmeasure").substr(0, 16);
    run.commit = commit;
    run.command = command;
    if (!key.empty()) run.key = fingerprint(key + "\n" + command + "\nmeasure");
    return run;
  }

  // A line that no test runs would only show again that no test runs it.
  std::vector<int> lines_to_mutate(const model::ChangedLines& file) {
    auto lines = file.lines;
    plan_.never_run += static_cast<std::int64_t>(std::erase_if(lines, [&](int line) {
      return std::any_of(inputs_.never_run.begin(), inputs_.never_run.end(), [&](const auto& range) {
        return range.path == file.path && range.from <= line && line <= range.to;
      });
    }));
    return lines;
  }

  Result<void> add_mutants() {
    plan_.agent = inputs_.wish.agent;
    const auto commit = commit_of(plan_.agent);
    plan_.reason = "no_result";
    if (commit.empty()) return {};
    plan_.reason = "no_changed_code";
    HYDRA_TRY(const auto changed, changed_code(known_, store_, spec_, commit));
    HYDRA_TRY(const auto texts, texts_of(store_, commit, changed));
    HYDRA_TRY(const auto changes, store_.changes(commit));
    std::vector<std::pair<std::string, mutants::Mutant>> found;
    for (const auto& [path, text] : texts) {
      mutants::Request request;
      for (const auto& file : changed)
        if (file.path == path) request.lines = lines_to_mutate(file);
      if (request.lines.empty()) continue;
      request.most = static_cast<std::size_t>(inputs_.wish.mutants);
      for (auto& mutant : mutants::mutate(path, text, request)) found.emplace_back(path, std::move(mutant));
    }
    if (found.empty() && plan_.never_run > 0) plan_.reason = "no_line_run";
    if (found.empty()) return {};
    plan_.reason.clear();
    const auto most = std::min(found.size(), static_cast<std::size_t>(inputs_.wish.mutants));
    const auto& command = *spec_.config.scoring.test_command;
    // The same name as the mutants': nothing tells a test that this is the one that counts.
    HYDRA_TRY(const auto tree, store_.tree_of(commit));
    plan_.reference.push_back(run_of_commit(commit, command, tree));
    for (std::size_t i = 0; i < most; ++i) {
      const auto& [path, mutant] = found[i * found.size() / most];
      const auto change = std::find_if(changes.begin(), changes.end(),
                                       [&, &path = path](const auto& c) { return c.path == path; });
      HYDRA_TRY(const auto mutated, store_.edited(commit, {{path, change->mode, {}, mutant.text}}, "cross"));
      plan_.mutants.push_back({run_of_commit(mutated, command, tree + "\n" + fingerprint(mutant.text)), path,
                               mutant.line, mutant.description});
    }
    return {};
  }

  Result<void> add_coverage(const std::string& agent) {
    model::CoverageRun coverage{agent, {}, {}, {}};
    const auto commit = commit_of(agent);
    if (commit.empty()) {
      coverage.reason = "no_result";
    } else {
      HYDRA_TRY(coverage.lines, changed_code(known_, store_, spec_, commit));
      const auto& selection = spec_.config.selection;
      std::vector<std::string> paths;
      for (const auto& file : coverage.lines) paths.push_back(file.path);
      const auto& configured = *spec_.config.scoring.test_command;
      const auto command =
          selection.coverage_command
              ? *selection.coverage_command
              : checks::coverage_command(configured, spec_.config.scoring.build_command.value_or(""), paths);
      if (paths.empty())
        coverage.reason = "no_changed_code";
      else if (command.empty())
        coverage.reason = "no_recipe";
      else
        coverage.run = run_of_commit(commit, command, {});
    }
    plan_.coverage.push_back(std::move(coverage));
    return {};
  }

  integrity::KnownRules& known_;
  const git::Store& store_;
  const model::RaceSpec& spec_;
  const MeasureInputs& inputs_;
  model::MeasurePlan plan_;
};

}  // namespace

std::vector<model::ChangedLines> added_lines(std::string_view patch) {
  std::vector<model::ChangedLines> files;
  bool in_file = false;
  int line = 0;
  std::int64_t left_old = 0, left_new = 0;  // of the hunk: its lines may look like anything
  for (const auto text : lines(patch)) {
    if (left_old > 0 || left_new > 0) {
      if (text.starts_with('-')) {
        --left_old;
      } else if (text.starts_with('+')) {
        --left_new;
        if (in_file) files.back().lines.push_back(line);
        ++line;
      } else if (text.starts_with(' ')) {
        --left_old, --left_new, ++line;
      }
      continue;
    }
    if (text.starts_with("diff ")) in_file = false;
    if (text.starts_with("+++ ")) {
      in_file = text.starts_with("+++ b/");
      auto path = text.substr(in_file ? 6 : 4);
      if (const auto tab = path.find('\t'); tab != std::string_view::npos) path = path.substr(0, tab);
      if (in_file) files.push_back({std::string(path), {}});
    }
    if (!text.starts_with("@@ ")) continue;
    const auto range = [&](char mark) {
      const auto at = text.find(mark);
      const auto end = std::min(text.find(' ', at), text.size());
      const auto own = text.substr(at + 1, end - at - 1);
      const auto comma = own.find(',');
      return std::pair{parse_int(own.substr(0, comma)).value_or(0),
                       comma == std::string_view::npos ? 1 : parse_int(own.substr(comma + 1)).value_or(0)};
    };
    left_old = range('-').second;
    const auto [from, count] = range('+');
    line = static_cast<int>(from);
    left_new = count;
  }
  std::erase_if(files, [](const auto& file) { return file.lines.empty(); });
  return files;
}

Result<std::vector<std::pair<std::string, std::string>>> texts_of(
    const git::Store& store, const std::string& commit, const std::vector<model::ChangedLines>& files) {
  HYDRA_TRY(const auto changes, store.changes(commit));
  std::vector<std::string> ids, paths;
  for (const auto& file : files)
    for (const auto& change : changes)
      if (change.path == file.path && change.mode.starts_with("100")) {
        ids.push_back(change.id);
        paths.push_back(file.path);
      }
  HYDRA_TRY(const auto blobs, store.blobs(ids, kMostSourceBytes));
  std::vector<std::pair<std::string, std::string>> texts;
  for (std::size_t i = 0; i < blobs.size(); ++i)
    if (blobs[i]) texts.emplace_back(paths[i], *blobs[i]);
  return texts;
}

Result<model::MeasurePlan> plan_measurement(integrity::KnownRules& known, const git::Store& store,
                                            const model::RaceSpec& spec, const MeasureInputs& inputs) {
  return MeasurePlanner(known, store, spec, inputs).plan();
}

}  // namespace hydra::race
