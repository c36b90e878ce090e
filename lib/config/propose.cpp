// config: a hydra.toml guessed from a project's files. Every guess names its source; the tools of a
// repository are combined.
#include "config/propose.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::config {

bool ProjectView::is_no_program(std::string_view command) const {
  const auto begin = command.starts_with("./") ? 2u : 0u;
  return files_.no_programs.contains(std::string(command.substr(begin, command.find(' ') - begin)));
}

bool ProjectView::has(std::string_view name) const {
  return std::find(files_.names.begin(), files_.names.end(), name) != files_.names.end() ||
         files_.texts.contains(std::string(name));
}

std::string_view ProjectView::text(std::string_view name) const {
  const auto it = files_.texts.find(std::string(name));
  return it == files_.texts.end() ? std::string_view() : std::string_view(it->second);
}

std::string ProjectView::first_of(std::initializer_list<std::string_view> names) const {
  for (const auto name : names)
    if (has(name)) return std::string(name);
  return {};
}

std::string ProjectView::matching(std::string_view pattern) const {
  if (pattern.find('*') == std::string_view::npos) return has(pattern) ? std::string(pattern) : std::string();
  for (const auto& name : files_.names)
    if (match_path(pattern, name)) return name;
  return {};
}

bool ProjectView::has_program(std::string_view command) const {
  if (!files_.programs) return true;
  const auto& programs = *files_.programs;
  if (command.starts_with("cd ")) command.remove_prefix(command.find(" && ") + 4);
  for (const auto word : split(command, ' ')) {
    if (word.find('=') != std::string_view::npos) continue;  // NAME=value before the program
    // A program of the repository or of the set-up is not in PATH.
    if (word.find('/') != std::string_view::npos) return true;
    return std::find(programs.begin(), programs.end(), word) != programs.end();
  }
  return false;
}

bool ProjectView::has_cache(std::string_view name) const {
  return !files_.caches ||
         std::find(files_.caches->begin(), files_.caches->end(), name) != files_.caches->end();
}

bool ProjectView::has_package(std::string_view name) const {
  return files_.packages &&
         std::find(files_.packages->begin(), files_.packages->end(), name) != files_.packages->end();
}

namespace {

/// The combined proposals of all tools.
struct Combined {
  std::vector<std::string> kinds, notes;
  std::vector<Guess> build, test, lint, setup, warm, run, outputs, caches, env;
  std::vector<Guess> share, absent;  ///< dependencies that the checkout has, or lacks
  /// Proposals whose program is missing: another tool's rule of that kind would call the same program.
  std::vector<Guess> missing_build, missing_test, missing_lint;
};

void add_unique(std::vector<Guess>& list, const Guess& guess) {
  const bool there =
      std::any_of(list.begin(), list.end(), [&](const Guess& g) { return g.value == guess.value; });
  if (!there) list.push_back(guess);
}

/// Whether the path exists; "**/node_modules" at the top level, or below if that was checked.
bool is_there(const ProjectView& files, std::string_view path) {
  if (path.starts_with("**/")) path.remove_prefix(3);
  return files.has(path);
}

/// Adds a command; a command whose program, or whose set-up's program, is missing becomes a note.
void add_command(const ProjectView& files, const std::optional<Guess>& guess, std::vector<Guess>& list,
                 Combined& all, std::vector<Guess>* missing = nullptr, bool prepared = true) {
  if (!guess) return;
  const bool there = files.has_program(guess->value);
  if (there && prepared) return add_unique(list, *guess);
  if (missing != nullptr) missing->push_back(*guess);
  all.notes.push_back(fmt::format("Not proposed, because its {}: {} ({}).",
                                  there ? "set-up can't run here" : "program is not in PATH", guess->value,
                                  guess->why));
}

/// Moves what a proposal says of a project in a directory to the root.
void move_up(const std::string& directory, Proposal& p) {
  const auto place = shell_quote(directory),
             back = std::string(directory.find('/') == directory.npos ? ".." : "../..");
  for (auto* command : {&p.build, &p.test, &p.lint, &p.setup, &p.warm, &p.run})
    if (*command) (*command)->value = fmt::format("cd {} && {} && cd {}", place, (*command)->value, back);
  for (auto* paths : {&p.share, &p.outputs})
    for (auto& path : *paths) path.value = directory + "/" + path.value;
  for (auto& note : p.notes) note = directory + ": " + note;
  p.kind = directory + "/" + p.kind;
}

void add(const ProjectView& files, Proposal p, Combined& all) {
  const auto gap = [&](const std::vector<Guess>& list, const std::vector<Guess>& missing) {
    return !p.fills_gaps || (list.empty() && missing.empty());
  };
  const auto absent = std::stable_partition(p.share.begin(), p.share.end(),
                                            [&](const Guess& g) { return is_there(files, g.value); });
  const auto shared = absent - p.share.begin();
  // Without a set-up, its results may exist in the checkout, and the workspace copies them.
  const bool prepared = !p.setup || files.has_program(p.setup->value) || shared > 0;
  if (!files.directory().empty()) move_up(files.directory(), p);
  const auto found = [&] { return all.build.size() + all.test.size() + all.lint.size(); };
  const auto before = found();
  if (gap(all.build, all.missing_build))
    add_command(files, p.build, all.build, all, &all.missing_build, prepared);
  if (gap(all.test, all.missing_test)) add_command(files, p.test, all.test, all, &all.missing_test, prepared);
  if (gap(all.lint, all.missing_lint)) add_command(files, p.lint, all.lint, all, &all.missing_lint, prepared);
  // A tool that has nothing to add needs no set-up.
  if (p.fills_gaps && found() == before && !all.kinds.empty()) return;
  add_command(files, p.setup, all.setup, all);
  add_command(files, p.warm, all.warm, all);
  add_command(files, p.run, all.run, all);
  for (auto it = p.share.begin(); it != p.share.end(); ++it)
    add_unique(it - p.share.begin() < shared ? all.share : all.absent, *it);
  for (const auto& guess : p.outputs) add_unique(all.outputs, guess);
  for (const auto& guess : p.caches) add_unique(all.caches, guess);
  for (const auto& guess : p.env) add_unique(all.env, guess);
  if (p.is_tool()) all.kinds.push_back(p.kind);
  all.notes.insert(all.notes.end(), p.notes.begin(), p.notes.end());
}

std::string reasons(const std::vector<Guess>& guesses) {
  std::vector<std::string> list;
  for (const auto& guess : guesses)
    if (std::find(list.begin(), list.end(), guess.why) == list.end()) list.push_back(guess.why);
  return sanitize(join(list, "; "));
}

std::string joined(const std::vector<Guess>& guesses) {
  std::vector<std::string> list;
  for (const auto& guess : guesses) list.push_back(guess.value);
  // Nothing follows in the directory to which the last command goes back.
  if (auto& last = list.back(); last.ends_with("&& cd ..") || last.ends_with("&& cd ../.."))
    last.resize(last.rfind(" && cd "));
  return join(list, " && ");
}

std::string setting(std::string_view key, const std::vector<Guess>& guesses, std::string_view sample) {
  if (guesses.empty())
    return fmt::format("#{} = {}   # nothing found; the dimension is left out without it\n", key,
                       in_quotes(sample));
  return fmt::format("{} = {}   # from {}\n", key, in_quotes(joined(guesses)), reasons(guesses));
}

std::string list_of(const std::vector<Guess>& guesses) {
  std::string list;
  for (const auto& guess : guesses) list += (list.empty() ? "" : ", ") + in_quotes(guess.value);
  return "[" + list + "]";
}

std::string render(const Combined& all) {
  std::string out =
      all.kinds.empty()
          ? std::string("# No build system was recognised: fill in the commands of your project.\n")
          : fmt::format("# Guessed from {}: review it, then run `hydra check`.\n",
                        sanitize(join(all.kinds, ", ")));
  for (const auto& note : all.notes) out += fmt::format("# {}\n", sanitize(note));
  out += "\n[scoring]\nweights = { build = 30, tests = 30, lint = 15, diff_size = 15, speed = 10 }\n";
  out += setting("build_command", all.build, "make");
  out += setting("test_command", all.test, "make test");
  // The output counts, too, where one of several commands writes no report.
  if (!all.test.empty() && std::all_of(all.test.begin(), all.test.end(), [](const Guess& g) {
        return g.value.find("HYDRA_REPORTS") != std::string::npos;
      }))
    out += "test_reports = [\"{reports}/*\"]   # written by the test command: names the tests\n";
  out += setting("lint_command", all.lint, "make lint");
  out += "timeout_per_check_seconds = 120   # a check that takes longer counts as failed\n\n[workspace]\n";
  if (!all.setup.empty())
    out += fmt::format("setup = {}   # {}\nsetup_network = true   # to install; the checks have no network\n",
                       in_quotes(joined(all.setup)), reasons(all.setup));
  if (!all.share.empty())
    out +=
        fmt::format("share = {}   # {}: copied from your checkout\n", list_of(all.share), reasons(all.share));
  if (!all.absent.empty())
    out += fmt::format("#share = {}   # {}: uncomment once it exists\n", list_of(all.absent),
                       reasons(all.absent));
  if (!all.outputs.empty())
    out += fmt::format("outputs = {}   # {}: kept warm, removed where sources go away\n",
                       list_of(all.outputs), reasons(all.outputs));
  else if (!all.build.empty() && all.warm.empty())  // `warm` fills a directory outside of the tree
    out +=
        "#outputs = []   # build results, not known: name them and checks start warm; without them every "
        "build is cold\n";
  if (!all.warm.empty())
    out += fmt::format("warm = {}   # {}\n", in_quotes(joined(all.warm)), reasons(all.warm));
  if (!all.run.empty())
    out += fmt::format("run = {}   # {}: for `hydra try`, on $PORT\n", in_quotes(all.run.front().value),
                       sanitize(all.run.front().why));
  if (!all.env.empty()) out += fmt::format("env = {}   # {}\n", list_of(all.env), reasons(all.env));
  if (!all.caches.empty())
    out += fmt::format("caches = {}   # {}\n", list_of(all.caches), reasons(all.caches));
  out += "#copy = [\".env\"]   # files that the project needs and git does not hold; never guessed\n";
  return out;
}

}  // namespace

std::string recognised_by(const ProjectFiles& project) {
  const ProjectView files(project);
  std::vector<std::string> kinds;
  for (auto& proposal : proposals(files))
    if (proposal.is_tool()) kinds.push_back(std::move(proposal.kind));
  return sanitize(join(kinds, ", "));
}

bool recognises(const ProjectFiles& project) { return !recognised_by(project).empty(); }

std::string propose(const ProjectFiles& project, const std::vector<ProjectFiles>& below) {
  Combined all;
  const auto take = [&](const ProjectFiles& one) {
    const ProjectView files(one);
    for (auto& proposal : proposals(files)) add(files, std::move(proposal), all);
  };
  take(project);
  for (const auto& one : below) take(one);
  return render(all);
}

bool proposes_tests(const ProjectFiles& project) {
  const auto list = proposals(ProjectView(project));
  return std::any_of(list.begin(), list.end(), [](const Proposal& p) { return p.test.has_value(); });
}

}  // namespace hydra::config
