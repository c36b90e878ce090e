#include "race/checks/twins_plan.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "checks/gating.hpp"
#include "integrity/protect/known_rules.hpp"
#include "race/checks/test_sample.hpp"
#include "source/tokens.hpp"
#include "source/twin.hpp"

#include <algorithm>
#include <functional>

namespace hydra::race {
namespace {

constexpr std::size_t kMostTestBytes = 1u << 20;  // of one file
constexpr std::size_t kMostTestFiles = 5000;
// Version of source/twin.hpp's output; a new version invalidates cached runs.
constexpr std::string_view kTwinsVersion = "6";

class TwinPlanner {
 public:
  TwinPlanner(const integrity::RaceRules& rules, const git::Store& store, const model::RaceSpec& spec,
              const std::vector<std::string>& needed, const TwinPlaces& places)
      : rules_(rules), store_(store), spec_(spec), needed_(needed), places_(places) {
    plan_.seed = twin_seed(spec);
    seed_ = static_cast<std::uint64_t>(parse_int(plan_.seed).value_or(1));
  }

  Result<model::TwinPlan> plan(const std::vector<TwinWish>& wishes) {
    HYDRA_TRY(paths_, store_.base_paths());
    asked_for_ = *spec_.config.scoring.test_command;
    for (const auto* path : {"package.json", "Makefile", "CMakeLists.txt"})
      if (const auto text = store_.base_file(path, kMostTestBytes)) asked_for_ += "\n" + *text;
    command_ = *spec_.config.scoring.test_command;
    HYDRA_TRY(auto files, test_files(true));
    take_sample(files);
    HYDRA_CHECK(make_hidden());
    for (const auto& file : files) add(file);
    // Expected values are only in data files that runs are compared with.
    if (plan_.assertions == 0) HYDRA_CHECK(add_data());
    plan_.reason = plan_.assertions > 0 ? "" : "no_assertions";
    for (const auto& wish : wishes) {
      model::TwinRun run{{}, wish.commit, wish.copy};
      run.run.result = wish.owner;
      if (plan_.reason.empty()) HYDRA_CHECK(fill(run));
      plan_.runs.push_back(std::move(run));
    }
    return std::move(plan_);
  }

 private:
  // Returns the base's tests and the scripts of its checks, as restored in a gating run.
  Result<std::vector<TestFile>> test_files(bool code) {
    std::vector<std::string> chosen, names;
    for (const auto& path : paths_) {
      const auto protection = rules_.paths.of(path);
      if (!protection || protection->on_change != integrity::RestoreAction::base) continue;
      const bool test = protection->kind == integrity::ProtectedKind::test_file ||
                        protection->kind == integrity::ProtectedKind::check_script ||
                        protection->kind == integrity::ProtectedKind::user;
      if (!test || source::is_code(path) != code || chosen.size() == kMostTestFiles) continue;
      chosen.push_back(path);
      names.push_back(spec_.repository.base + ":" + path);
    }
    HYDRA_TRY(const auto blobs, store_.blobs(names, kMostTestBytes));
    std::vector<TestFile> files;
    for (std::size_t i = 0; i < blobs.size(); ++i)
      if (blobs[i])
        files.push_back({chosen[i], *blobs[i]});
      else if (code)
        untouched(chosen[i]);
    return files;
  }

  /// Leaves the files of the sample, and files without tests, such as helpers.
  void take_sample(std::vector<TestFile>& files) {
    if (spec_.config.evaluation.verify == model::Verify::strict) return;
    const auto test = checks::test_command_of(rules_, spec_.config.scoring);
    std::vector<std::string> paths;
    for (const auto& file : files) paths.push_back(file.path);
    const auto asked = checks::askable(test, paths);
    std::vector<TestFile> pool;
    for (const auto& file : files)
      if (asked.empty() ? tests_in(file) > 0 : asked.contains(file.path)) pool.push_back(file);
    const auto sample =
        sample_of(pool, needed_, spec_.token, [this](const TestFile& file) { return tests_in(file); });
    if (!sample || !(asked.empty() || name_files(test, *sample, pool))) return;
    std::set<std::string> left_out;
    for (const auto& file : pool)
      if (!sample->contains(file.path)) left_out.insert(file.path);
    std::erase_if(files, [&](const auto& file) { return left_out.contains(file.path); });
    plan_.left_out = static_cast<std::int64_t>(left_out.size());
    for (const auto& path : *sample) sample_ += "\n" + path;
  }

  [[nodiscard]] std::size_t tests_in(const TestFile& file) const {
    const auto twin = source::twin(file.path, file.text, seed_);
    return twin && twin->assertions > 0 ? std::max<std::size_t>(1, twin->tests.size()) : 0;
  }

  /// Makes the runs' command name these files and hidden tests. Returns false for a runner that takes no
  /// names.
  bool name_files(const checks::TestCommand& test, const std::set<std::string>& sample,
                  const std::vector<TestFile>& pool) {
    std::vector<std::string> named(sample.begin(), sample.end());
    for (const auto& path : spec_.hidden_tests)
      if (source::is_code(path)) named.push_back(path);
    const auto text_of = [&](std::string_view path) -> std::optional<std::string> {
      for (const auto& file : pool)
        if (file.path == path) return copy_of(file.path, file.text).value_or(file.text);
      auto hidden = read_file(places_.hidden / path, kMostTestBytes);
      if (!hidden.ok()) return std::nullopt;
      return copy_of(std::string(path), *hidden).value_or(*hidden);
    };
    auto command = checks::cross_command(test, named, text_of);
    if (!command.whole) command_ = std::move(command.command);
    return !command.whole;
  }

  Result<void> add_data() {
    HYDRA_TRY(const auto files, test_files(false));
    for (const auto& file : files) {
      if (file.text.find('\0') != std::string::npos || base_name(file.path).find('.') == std::string::npos)
        continue;
      plan_.files.push_back(file.path);
      ++plan_.assertions;
      const auto mode = file.text.starts_with("#!") ? "100755" : "100644";
      twins_.push_back(
          {file.path, mode, {}, file.text + fingerprint(plan_.seed + file.path).substr(0, 9) + "\n"});
    }
    return {};
  }

  void untouched(const std::string& path) {
    if (plan_.untouched.size() < model::kMostTwinFiles) plan_.untouched.push_back(path);
  }

  void note(const std::string& path, const std::optional<source::Twin>& twin) {
    if (!twin || twin->assertions == 0) return untouched(path);
    plan_.assertions += twin->assertions;
    for (const auto& test : twin->tests)
      if (plan_.tests.size() < model::kMostTwinTests) plan_.tests.push_back(source::plain_name(test, seed_));
    if (plan_.files.size() < model::kMostTwinFiles) plan_.files.push_back(path);
  }

  [[nodiscard]] std::optional<std::string> copy_of(const std::string& path, const std::string& text) const {
    return source::moved_copy(path, text, seed_, asked_for_);
  }

  // The twin is made from the moved copy: names, lines and times equal the copy's, so that only the values
  // distinguish it from a test that must pass.
  void add(const TestFile& file) {
    const auto mode = file.text.starts_with("#!") ? "100755" : "100644";
    auto copy = copy_of(file.path, file.text);
    auto twin = source::twin(file.path, copy ? *copy : file.text, seed_);
    note(file.path, twin);
    if (twin && twin->assertions > 0)
      twins_.push_back({file.path, mode, {}, std::move(twin->text)});
    else if (copy)
      twins_.push_back({file.path, mode, {}, *copy});
    if (copy) copies_.push_back({file.path, mode, {}, std::move(*copy)});
  }

  // Writes all hidden tests, with changes in known languages, outside any store that an agent could see.
  Result<void> make_hidden() {
    for (const auto& path : spec_.hidden_tests) {
      HYDRA_TRY(const auto text, read_file(places_.hidden / path, 64u << 20));
      const bool code = source::is_code(path);
      auto copy = code ? copy_of(path, text).value_or(text) : text;
      const auto twin = code ? source::twin(path, copy, seed_) : std::nullopt;
      if (code) note(path, twin);
      // Values of hidden tests are unknown, so nothing else may tell copy and twin apart.
      if (twin) copy = twin->framed;
      HYDRA_CHECK(put(places_.hidden_twins / "twin" / path, twin ? twin->text : copy, path));
      HYDRA_CHECK(put(places_.hidden_twins / "copy" / path, copy, path));
    }
    return {};
  }

  [[nodiscard]] Result<void> put(const fs::path& to, const std::string& text, const std::string& path) const {
    std::error_code ec;
    const auto permissions = fs::status(places_.hidden / path, ec).permissions();
    const bool runs = (permissions & fs::perms::owner_exec) != fs::perms::none;
    HYDRA_CHECK(make_dirs(to.parent_path(), 0700));
    return write_file(to, text, runs ? 0700 : 0600);
  }

  Result<void> fill(model::TwinRun& run) {
    HYDRA_TRY(const auto tree, store_.tree_of(run.of));
    // A constant name, so that a commit does not tell its author.
    HYDRA_TRY(run.run.commit, store_.edited(run.of, run.copy ? copies_ : twins_, "cross"));
    run.run.command = command_;
    const auto kind =
        "twins " + std::string(kTwinsVersion) + " " + plan_.seed + (run.copy ? " copy" : "") + sample_;
    run.run.subject =
        Subject::run(Kind::cross, spec_.token + "\n" + run.run.commit + "\n" + run.run.command + "\n" + kind);
    run.run.key = fingerprint(tree + "\n" + run.run.command + "\n" + kind);
    return {};
  }

  const integrity::RaceRules& rules_;
  const git::Store& store_;
  const model::RaceSpec& spec_;
  const std::vector<std::string>& needed_;
  const TwinPlaces& places_;
  std::uint64_t seed_ = 1;
  model::TwinPlan plan_;
  std::vector<std::string> paths_;  // of the base
  std::string asked_for_;           // texts that may name single tests
  std::string command_;             // of the runs
  std::string sample_;              // paths of a sample; empty: all files
  std::vector<git::TreeEdit> twins_, copies_;
};

}  // namespace

Result<model::TwinPlan> plan_twin_runs(integrity::KnownRules& known, const git::Store& store,
                                       const model::RaceSpec& spec, const std::vector<TwinWish>& wishes,
                                       const std::vector<std::string>& needed, const TwinPlaces& places) {
  HYDRA_TRY(const auto rules, known.get(store, spec));
  return TwinPlanner(*rules, store, spec, needed, places).plan(wishes);
}

}  // namespace hydra::race
