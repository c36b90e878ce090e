// Builds templates of check workspaces, once per base and set-up, by the first race that needs them. Steps
// survive a restart: finished steps are marked, running commands are adopted by their key.
#include "race/checks/templates.hpp"

#include "base/fd.hpp"
#include "base/strings.hpp"
#include "checks/evidence.hpp"
#include "race/agents/secrets.hpp"
#include "race/checks/checks.hpp"
#include "race/endings.hpp"
#include "race/jobs.hpp"
#include "race/upkeep.hpp"
#include "race/variables.hpp"
#include "trees/layered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace hydra::race {
namespace {

constexpr std::uint64_t kKept = 10ull << 30;  ///< bytes of templates between races

std::string template_tag(const Race& race) { return race.state.spec.id + "/template"; }

fs::path mark(const trees::TemplatePaths& paths, const std::string& step) {
  return paths.root / "steps" / step;
}

// Attempts of an earlier template of the same race must not be mistaken for this template's.
int attempts_number(const trees::TemplatePaths& paths, const Layout& layout) {
  const auto file = paths.root / "number";
  if (const auto text = read_file(file, 16); text.ok()) return static_cast<int>(parse_int(*text).value_or(1));
  int number = 1;
  std::error_code ec;
  const auto baseline = Subject::baseline();
  const auto taken = [&](const char* kind) { return fs::exists(layout.attempt(baseline, kind, number), ec); };
  while (taken("setup") || taken("template") || taken("warm")) ++number;
  (void)write_file(file, std::to_string(number), 0600);
  return number;
}

wire::Templates templates_view(const std::vector<trees::TemplateInfo>& templates,
                               const std::set<std::string>& in_use) {
  wire::Templates out;
  for (const auto& t : templates)
    out.templates.push_back({t.digest, t.meta.bytes, t.meta.used_ms, t.meta.warm, in_use.contains(t.digest)});
  return out;
}

}  // namespace

Templates::Templates(Engine& engine_, Checks& checks_, Upkeep& upkeep_)
    : Owner(engine_),
      checks(checks_),
      upkeep(upkeep_),
      templates(options.paths.state / "templates", options.paths.state / "trash"),
      machines_(options.paths.state, options.shim) {}

void Templates::list(std::function<void(Result<wire::Templates>)> done) const {
  background([templates = templates] { return templates.list(); },
             [this, done](const Result<std::vector<trees::TemplateInfo>>& found) {
               if (!found.ok()) return done(found.error());
               done(templates_view(*found, in_use()));
             });
}

void Templates::clean(std::function<void(Result<wire::Templates>)> done,
                      const std::optional<std::set<std::string>>& only) {
  background(
      [templates = templates, used = in_use(), only] {
        auto found = templates.list();
        if (only) std::erase_if(found, [&](const auto& info) { return !only->contains(info.digest); });
        auto kept = used;
        for (const auto& info : templates.list())
          if (only && !only->contains(info.digest)) kept.insert(info.digest);
        templates.evict(0, kept);
        return found;
      },
      [this, done, used = in_use()](const Result<std::vector<trees::TemplateInfo>>& found) {
        if (!found.ok()) return done(found.error());
        done(templates_view(*found, used));
        upkeep.empty_trash();
      });
}

std::set<std::string> Templates::in_use() const {
  std::set<std::string> digests;
  for (const auto& [id, race] : races)
    if (!race->template_digest.empty()) digests.insert(race->template_digest);
  for (const auto& guest : guests)
    if (const auto race = guest.lock(); race && !race->template_digest.empty())
      digests.insert(race->template_digest);
  return digests;
}

void Templates::with_template(const RacePtr& race, Race::OnTemplate then) {
  if (race->workspaces && race->tools_known) return then({});
  race->template_waiters.push_back(std::move(then));
  if (race->template_waiters.size() > 1) return;
  struct Found {
    config::EcosystemSet tools;
    trees::TemplateKey key;
    std::optional<trees::TemplateMeta> meta;
  };
  background(
      [spec = race->state.spec, store_copy = *race->store, templates_copy = templates, now = clock.now(),
       surroundings = race->surroundings] {
        Found found;
        if (const auto paths = store_copy.base_paths(); paths.ok())
          found.tools = config::detect_ecosystems(*paths);
        if (spec.tree_rung == model::TreeRung::unshared) return found;
        found.key = trees::template_key(spec, surroundings->of(spec));
        found.meta = templates_copy.find(found.key, now);
        return found;
      },
      [this, race](Result<Found> made) {
        if (!made.ok()) return answer_waiters(race, SubjectProblem{describe(made.error()), {}, {}});
        auto& found = *made;
        race->tools = std::move(found.tools);
        race->tools_known = true;
        if (race->workspaces) return answer_waiters(race, {});
        const auto& key = found.key;
        if (found.meta)
          return use_template(race, key, *found.meta,
                              {key.digest, true, found.meta->warm, {}, found.meta->notes});
        race->template_digest = key.digest;
        if (const auto building = builds.find(key.digest); building != builds.end())
          building->second.waiting.push_back(race);
        else
          build_template(race, key);
      });
}

void Templates::answer_waiters(const RacePtr& race, const std::optional<SubjectProblem>& problem) {
  for (const auto& then : std::exchange(race->template_waiters, {})) then(problem);
}

void Templates::use_template(const RacePtr& race, const trees::TemplateKey& key,
                             const trees::TemplateMeta& meta, const model::TemplateReady& how) {
  race->template_digest = key.digest;
  race->workspaces = trees::layered_workspaces(*race->store, race->state.spec, templates.at(key.digest), meta,
                                               race->layout.checks(), race->layout.trash());
  if (!race->state.checks_template && lives(race)) emit(race->state.spec.id, how);
  answer_waiters(race, {});
}

void Templates::build_template(const RacePtr& race, const trees::TemplateKey& key) {
  auto& build = builds[key.digest];
  build.key = key;
  build.builder = race;
  build.steps.clear();
  build.notes.clear();
  struct Begun {
    std::vector<model::TemplateStep> steps;
    std::vector<std::string> notes;
    int number = 1;
  };
  background(
      [templates_copy = templates, key, store_copy = *race->store, spec = race->state.spec,
       layout = race->layout, from_nothing = build.from_nothing]() -> Result<Begun> {
        Begun begun;
        auto steps = templates_copy.begin(key, store_copy, spec, begun.notes, from_nothing);
        if (!steps.ok()) return std::move(steps).error();
        begun.steps = std::move(*steps);
        begun.number = attempts_number(templates_copy.unfinished(key.digest), layout);
        const auto paths = templates_copy.unfinished(key.digest);
        const auto made = trees::make_template_mounts(
            spec, paths, trees::template_workspace(store_copy, spec, paths, false));
        if (!made.ok()) return made.error();
        return begun;
      },
      [this, digest = key.digest](Result<Begun> begun) {
        if (!begun.ok()) return template_failed(digest, {describe(begun.error()), {}, {}});
        auto& build_now = builds.at(digest);
        build_now.steps = std::move(begun->steps);
        build_now.notes = std::move(begun->notes);
        build_now.number = begun->number;
        template_set_up(digest);
      });
}

void Templates::template_step(const std::string& digest, const std::string& kind, const std::string& command,
                              bool warm, std::function<void(const exec::JobResult&)> next) {
  const auto& build = builds.at(digest);
  const auto race = build.builder;
  const auto baseline = Subject::baseline();
  checks.run_in_slot(
      race, baseline, {template_tag(*race)},
      [this, race, baseline, digest, kind, command, warm, number = build.number] {
        const auto workspace =
            trees::template_workspace(*race->store, race->state.spec, templates.unfinished(digest), warm);
        auto job = check_job(race->state.spec, baseline, kind, command, number, workspace, race->layout,
                             agents_alive(*race), race->tools);
        pass_variables(race->state.spec, race->secrets, job);
        builds.at(digest).running = {kind, command, clock.now(), {}, {}};
        builds.at(digest).running_log = job.attempt_dir / "stdout.log";
        return std::optional(std::move(job));
      },
      [this, digest, kind, next = std::move(next)](const exec::JobResult& result, bool) {
        builds.at(digest).running = {};
        builds.at(digest).steps.push_back({kind, result.wall_ms});
        next(result);
      });
}

void Templates::template_set_up(const std::string& digest) {
  const auto& spec = builds.at(digest).builder->state.spec;
  const auto done = mark(templates.unfinished(digest), "setup");
  std::error_code ec;
  if (!spec.config.workspace.setup || fs::exists(done, ec)) return template_warm_up(digest);
  template_step(
      digest, "setup", *spec.config.workspace.setup, false,
      [this, digest, done](const exec::JobResult& result) {
        if (result.end == exec::End::exited && result.code == 0) {
          (void)write_file(done, "", 0600);
          return template_warm_up(digest);
        }
        const auto& build = builds.at(digest);
        SubjectProblem problem{how_it_ended(build.builder->state.spec.config, "the set-up", "setup", result),
                               result.key,
                               {},
                               result.end == exec::End::cancelled};
        const auto log = build.builder->layout.attempt(Subject::baseline(), "setup", build.number);
        problem.advice =
            checks::advice_of_log(log / "stdout.log", result.out, "setup", build.builder->tools, true,
                                  build.builder->state.spec.config.workspace.setup_network ||
                                      build.builder->state.spec.config.sandbox.check_network);
        template_failed(digest, problem);
      });
}

// A base that does not build is not the template's fault: the baseline's own build will show it.
void Templates::template_warm_up(const std::string& digest) {
  const auto race = builds.at(digest).builder;
  const auto& config = race->state.spec.config;
  if (!trees::warms_up(config)) return template_done(digest, false);
  const bool kept = trees::keeps_outputs(config);  // false: only the home's build results stay
  const auto warm = [this, digest, race, kept] {
    const auto& command = race->state.spec.config.workspace.warm;
    if (!command) return template_done(digest, kept);
    template_step(digest, "warm", *command, true, [this, digest, race, kept](const exec::JobResult& result) {
      if (result.end == exec::End::cancelled) return template_failed(digest, {"cancelled", {}, {}, true});
      if (result.end != exec::End::exited || result.code != 0)
        builds.at(digest).notes.push_back(
            how_it_ended(race->state.spec.config, "[workspace] warm", "warm", result));
      template_done(digest, kept);
    });
  };
  background(
      [templates_copy = templates, key = builds.at(digest).key, spec = race->state.spec,
       store_copy = *race->store] {
        auto begun = templates_copy.begin_warm(key, store_copy, spec);
        const auto paths = templates_copy.unfinished(key.digest);
        if (begun.ok())
          begun = trees::make_template_mounts(spec, paths,
                                              trees::template_workspace(store_copy, spec, paths, true));
        return begun;
      },
      [this, digest, race, warm](Result<void> begun) {
        if (!begun.ok()) return template_failed(digest, {describe(begun.error()), {}, {}});
        const auto& command = race->state.spec.config.scoring.build_command;
        if (!command) return warm();
        template_step(
            digest, "template", *command, true, [this, digest, race, warm](const exec::JobResult& result) {
              if (result.end == exec::End::cancelled)
                return template_failed(digest, {"cancelled", {}, {}, true});
              if (result.end == exec::End::exited && result.code == 0) return warm();
              if (!templates.earlier_of(builds.at(digest).key).empty()) return begin_from_nothing(digest);
              builds.at(digest).notes.push_back(
                  how_it_ended(race->state.spec.config, "the build of the base", "template", result));
              template_done(digest, false);
            });
      });
}

// Results of an earlier base can make a build fail that succeeds without them.
void Templates::begin_from_nothing(const std::string& digest) {
  background([templates_copy = templates, key = builds.at(digest).key] { templates_copy.abandon(key); },
             [this, digest] {
               auto& build = builds.at(digest);
               build.from_nothing = true;
               build_template(build.builder, build.key);
             });
}

void Templates::template_done(const std::string& digest, bool warm) {
  const auto& build = builds.at(digest);
  background([templates_copy = templates, key = build.key, store_copy = *build.builder->store,
              spec = build.builder->state.spec, warm, notes = build.notes,
              now = clock.now()] { return templates_copy.finish(key, store_copy, spec, warm, notes, now); },
             [this, digest, warm](Result<trees::TemplateMeta> meta) {
               if (!meta.ok()) return template_failed(digest, {describe(meta.error()), {}, {}});
               auto build_now = std::move(builds.at(digest));
               builds.erase(digest);
               const model::TemplateReady ready{digest, false, warm, build_now.steps, build_now.notes};
               use_template(build_now.builder, build_now.key, *meta, ready);
               for (const auto& race : build_now.waiting)
                 use_template(race, build_now.key, *meta, {digest, true, warm, {}, build_now.notes});
               background([templates_copy = templates,
                           in_use = in_use()] { return templates_copy.evict(kKept, in_use); },
                          [this](const Result<std::vector<std::string>>&) { upkeep.empty_trash(); });
             });
}

// The entry stays until the unfinished directory is gone: a race that arrives meanwhile waits, and builds
// after.
void Templates::template_failed(const std::string& digest, const SubjectProblem& problem) {
  auto& build = builds.at(digest);
  const auto builder = std::exchange(build.builder, nullptr);
  build.running = {};
  // Cancelling one race is no verdict about another race's set-up.
  const auto told = problem.cancelled ? std::vector<RacePtr>() : std::exchange(build.waiting, {});
  builder->template_digest.clear();
  background([templates_copy = templates, key = build.key] { templates_copy.abandon(key); },
             [this, digest, told, problem] {
               const auto left = std::move(builds.extract(digest).mapped());
               if (!left.waiting.empty()) {
                 build_template(left.waiting.front(), left.key);
                 builds.at(digest).waiting.assign(left.waiting.begin() + 1, left.waiting.end());
               }
               for (const auto& race : told) {
                 race->template_digest.clear();
                 answer_waiters(race, problem);
               }
             });
  answer_waiters(builder, problem);
}

// Cancels a template that waits for a slot, when its race is cancelled.
void Templates::drop_template(const RacePtr& race) {
  if (checks.slots_of_checks(*race).drop(template_tag(*race)) == 0) return;
  for (const auto& [digest, build] : builds)
    if (build.builder == race) return template_failed(digest, {"cancelled", {}, {}, true});
}

// Returns the running step of making the base's check workspace, with its last line of output.
WorkspaceStep Templates::step_now(const Race& race) const {
  const auto build = builds.find(race.template_digest);
  auto step = build == builds.end() ? WorkspaceStep{} : build->second.running;
  step.waits = checks.check_waits(race, Subject::baseline());
  constexpr std::uint64_t kTail = 4096;
  if (step.kind.empty()) return step;
  const UniqueFd fd(::open(build->second.running_log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  const auto size = fd ? ::lseek(fd.get(), 0, SEEK_END) : -1;
  if (size <= 0) return step;
  std::string tail(std::min<std::uint64_t>(static_cast<std::uint64_t>(size), kTail), '\0');
  const auto n = ::pread(fd.get(), tail.data(), tail.size(), size - static_cast<off_t>(tail.size()));
  tail.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  for (const auto line : lines(tail))
    if (const auto shown = trim(sanitize(line)); !shown.empty()) step.last_line = ellipsize(shown, 200);
  step.last_line = without_secrets(step.last_line, engine.secrets.of_race(race.state.spec, race.secrets));
  return step;
}

}  // namespace hydra::race
