#include "race/checks/cross_plan.hpp"

#include "base/strings.hpp"
#include "checks/cross_files.hpp"
#include "checks/gating.hpp"
#include "integrity/protect/known_rules.hpp"
#include "race/checks/neutral_plan.hpp"

#include <algorithm>
#include <map>

namespace hydra::race {
namespace {

constexpr std::size_t kMostScriptBytes = 1u << 20;

/// An author with the inputs of its runs.
struct Author {
  model::PlannedAuthor planned;
  std::string digest;
  std::string command, base_command;  ///< base_command: for the base's versions of the files; empty: none
  std::vector<git::TreeEdit> edits;
  std::string captured;               ///< commit with the tests
  std::string own_tree, own_command;  ///< see CrossInputs::Writer
};

class Planner {
 public:
  Planner(const integrity::RaceRules& rules, const git::Store& store, const model::RaceSpec& spec,
          const CrossInputs& inputs)
      : rules_(rules), store_(store), spec_(spec), inputs_(inputs) {}

  Result<PlannedCross> plan() {
    for (const auto& writer : inputs_.writers) HYDRA_CHECK(add_writer(writer));
    if (authors_.empty()) return PlannedCross{{}, "no_new_tests"};
    for (const auto& author : authors_) made_.plan.authors.push_back(author.planned);
    HYDRA_CHECK(add_runs());
    if (made_.plan.runs.empty()) made_.reason = "no_new_tests";
    return std::move(made_);
  }

 private:
  Result<void> add_writer(const CrossInputs::Writer& writer) {
    HYDRA_TRY(const auto changes, store_.changes(writer.commit));
    const auto files = checks::cross_files(changes, rules_.paths);
    if (files.empty()) return {};
    Author author;
    author.digest = checks::digest_of(files);
    for (auto& known : authors_) {
      if (known.digest != author.digest) continue;
      // Test files that both a tester and a result have belong to the result, whose code was seen passing
      // them.
      if (writer.kind == model::AuthorKind::result) known.planned.members.push_back(writer.owner);
      return {};
    }
    author.planned.name = writer.owner;
    author.captured = writer.commit;
    author.own_tree = writer.own_tree;
    author.own_command = writer.own_command;
    author.planned.kind = writer.kind;
    if (writer.kind == model::AuthorKind::result) author.planned.members.push_back(writer.owner);
    bool old = false;
    for (const auto& file : files) {
      if (author.planned.files.size() == checks::kMostCrossFiles) break;
      author.planned.files.push_back(file.path);
      author.edits.push_back({file.path, file.mode, file.id, {}});
      old = old || rules_.base.tracks(file.path);
      if (writer.blocked.contains(file.path))
        author.planned.voided = "the tamper report blocks " + sanitize(file.path);
    }
    if (files.size() > checks::kMostCrossFiles) author.planned.voided = "too many test files";
    choose_commands(files, old, author);
    authors_.push_back(std::move(author));
    return {};
  }

  void choose_commands(const std::vector<git::TreeChange>& files, bool old, Author& author) const {
    const auto test = checks::test_command_of(rules_, spec_.config.scoring);
    const auto text_of = [&](std::string_view path) -> std::optional<std::string> {
      for (const auto& file : files) {
        if (file.path != path) continue;
        auto found = store_.blobs({file.id}, kMostScriptBytes);
        return found.ok() && !found->empty() ? std::move(found->front()) : std::nullopt;
      }
      return std::nullopt;
    };
    const auto chosen = checks::cross_command(test, author.planned.files, text_of);
    author.command = chosen.command;
    author.planned.whole = chosen.whole;
    author.planned.apart = chosen.apart;
    if (chosen.whole || !old || inputs_.base_named) return;
    std::vector<std::string> known;
    for (const auto& file : author.planned.files)
      if (rules_.base.tracks(file)) known.push_back(file);
    const auto before = checks::cross_command(test, known, test.base_text);
    if (!before.whole) author.base_command = before.command;
  }

  // Own code and the base run first: they tell which tests can count at all. Then authors alternate, so that
  // a lack of time affects all alike.
  Result<void> add_runs() {
    for (const auto& author : authors_) {
      if (!author.planned.voided.empty()) continue;
      for (const auto& name : author.planned.members)
        HYDRA_CHECK(add_run(author, Subject::of(name), commit_of(Subject::of(name))));
      HYDRA_CHECK(add_run(author, Subject::baseline(), spec_.repository.base));
      if (!author.base_command.empty()) add_base_names(author);
      HYDRA_CHECK(add_neutral(author));
    }
    const auto n = inputs_.results.size();
    for (std::size_t round = 0; round < n; ++round)
      for (std::size_t i = 0; i < authors_.size(); ++i) {
        const auto& author = authors_[i];
        const auto& result = inputs_.results[(i + round) % n];
        const auto& own = author.planned.members;
        if (!author.planned.voided.empty() ||
            std::find(own.begin(), own.end(), result.owner.agent) != own.end())
          continue;
        HYDRA_CHECK(add_run(author, result.owner, result.commit));
      }
    return {};
  }

  Result<void> add_run(const Author& author, const Subject& result, const std::string& code) {
    if (code.empty()) return {};
    auto found = trees_.find(code);
    if (found == trees_.end()) {
      HYDRA_TRY(auto tree, store_.tree_of(code));
      found = trees_.emplace(code, std::move(tree)).first;
    }
    // A constant name, so that a commit does not tell its author.
    HYDRA_TRY(const auto commit, store_.edited(code, author.edits, "cross"));
    bool own = author.command == author.own_command && result.agent == author.planned.name;
    if (own) {
      HYDRA_TRY(const auto tree, store_.tree_of(commit));
      own = tree == author.own_tree;
    }
    add(author, result, commit, author.command, found->second + "\n" + author.digest);
    if (own) made_.plan.runs.back().subject = result.as(Kind::own_tests);
    return {};
  }

  // The first member alone: the others have the same tests.
  Result<void> add_neutral(const Author& author) {
    const auto& members = author.planned.members;
    const auto code = members.empty() ? std::string() : commit_of(Subject::of(members.front()));
    if (code.empty() || task_kind(spec_) == model::TaskKind::docs) return {};
    HYDRA_TRY(auto edits, neutral_edits(rules_, store_, code, author.captured));
    if (edits.empty()) return {};
    edits.insert(edits.end(), author.edits.begin(), author.edits.end());
    HYDRA_TRY(const auto commit, store_.edited(code, edits, "cross"));
    HYDRA_TRY(const auto tree, store_.tree_of(commit));
    add(author, {}, commit, author.command, tree);
    made_.plan.runs.back().neutral = true;
    return {};
  }

  void add_base_names(const Author& author) {
    const auto& base = spec_.repository.base;
    add(author, {}, base, author.base_command, spec_.repository.base_tree);
  }

  void add(const Author& author, const Subject& result, const std::string& commit, const std::string& command,
           const std::string& key) {
    model::PlannedRun run;
    run.subject = Subject::run(Kind::cross, spec_.token + "\n" + commit + "\n" + command);
    run.result = result;
    run.author = author.planned.name;
    run.commit = commit;
    run.command = command;
    run.key = fingerprint(key + "\n" + command);
    made_.plan.runs.push_back(std::move(run));
  }

  [[nodiscard]] std::string commit_of(const Subject& owner) const {
    for (const auto& result : inputs_.results)
      if (result.owner == owner) return result.commit;
    return {};
  }

  const integrity::RaceRules& rules_;
  const git::Store& store_;
  const model::RaceSpec& spec_;
  const CrossInputs& inputs_;
  std::vector<Author> authors_;
  std::map<std::string, std::string> trees_;  // by commit
  PlannedCross made_;
};

}  // namespace

Result<PlannedCross> plan_cross_tests(integrity::KnownRules& known, const git::Store& store,
                                      const model::RaceSpec& spec, const CrossInputs& inputs) {
  const bool testers = std::any_of(inputs.writers.begin(), inputs.writers.end(), [](const auto& writer) {
    return writer.kind == model::AuthorKind::tester;
  });
  if (inputs.results.empty() || (inputs.results.size() == 1 && !testers && !inputs.alone))
    return PlannedCross{{}, "one_result"};
  HYDRA_TRY(const auto rules, known.get(store, spec));
  return Planner(*rules, store, spec, inputs).plan();
}

}  // namespace hydra::race
