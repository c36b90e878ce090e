#include "cli/app.hpp"

#include "base/paths.hpp"
#include "base/read_files.hpp"
#include "base/strings.hpp"
#include "cli/complete.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/man_page.hpp"
#include "cli/standing.hpp"
#include "config/config.hpp"
#include "parsers/parsers.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <sstream>
#include <unistd.h>

namespace hydra::cli {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kVersion = "hydra " HYDRA_VERSION;

constexpr std::string_view kHelp = R"(hydra - race coding agents on one task, keep the best result

  hydra race "implement JWT auth"                       all signed-in agents
  hydra race --agents claude,codex:2 "fix issue 42"     choose them; codex twice
  hydra results                                         the last race of this repository
  hydra merge                                           merge its winner

Racing
  race        give a task to several agents, then build, test, lint and rank their results
  watch       follow a race on the whole terminal: its logs, diffs and tests
  status      show the status of a race
  cancel      stop a race or one agent
  retry       resume an agent that ended

Looking at results
  results     points, ranks and the winner
  list        races of this repository
  diff        show the changes of an agent
  worktree    print an agent's working directory
  logs        output of agents and checks
  explain     show why a result got its score
  verify      run a race's checks again and compare
  try         run a result, or two beside each other
  rescore     rank with other weights, from stored evidence
  merge       merge a result into your branch
  rate        rate a result from 1 to 5
  ui          races, results, diffs and merges on a page in your browser
  report      a race as one page that needs no Hydra

Measuring
  leaderboard which agent is best over all races, how sure that is, and what it costs
  standings   a running competition: scores by stake, weights, decay
  bench       give agents the tasks of a suite, and say how many each one solves
  export      races as rewards, JSON Lines, CSV or JUnit XML
  import      races of another machine, as it exported them
  score       the scoring formulas alone: JSON Lines in, JSON Lines out
  parse       parse test, lint or agent output into JSON

Setting up
  agents      which agents are installed and signed in; test NAME: one tiny run
  doctor      check this machine for problems; rebuild the history
  init        propose a hydra.toml for this project
  check       run build, tests and lint on the unchanged commit
  config      list the keys of hydra.toml; check or show the configuration
  demo        a real race in a throw-away sample project
  clean       list and delete leftovers of finished races
  daemon      run, start, stop or look at the daemon
  completion  completion for bash, zsh or fish

From other programs
  mcp         serve races to an editor or agent (Model Context Protocol)
  ci          a check or race in a pipeline: JUnit, SARIF, a summary
  pr          open a pull request of a result

`hydra` alone, in a repository, shows its status and a suggested next step.
Options: --help (also after each verb), --version, --color auto|always|never
Exit codes: 0 done, 1 no eligible winner or merge refused, 2 wrong usage or configuration,
3 the daemon or the machine failed, 130 interrupted (the race continues).
)";

/// CLI11's own range says the same in other words in each of its versions.
std::function<std::string(const std::string&)> in_range(int low, int high) {
  return [low, high](const std::string& text) {
    const auto value = parse_int(text);
    return value && *value >= low && *value <= high
               ? std::string()
               : "Value " + text + " not in range " + std::to_string(low) + " to " + std::to_string(high);
  };
}

void add_option(CLI::App& app, const Option& option) {
  using Kind = Option::Kind;
  if (option.kind == Kind::command) {
    auto* words = std::get<std::vector<std::string>*>(option.to);
    app.prefix_command();
    app.description(app.get_description() + "\n  " + option.names + ": " + option.help);
    app.parse_complete_callback([&app, words] { *words = app.remaining(); });
    return;
  }
  if (option.kind == Kind::flag) {
    app.add_flag(option.names, *std::get<bool*>(option.to), option.help);
    return;
  }
  auto* added =
      std::visit([&](auto* to) { return app.add_option(option.names, *to, help_of(option)); }, option.to);
  added->type_name(option.placeholder);
  // Placeholder and help already tell the range and the choices, so CLI11's descriptions are dropped.
  if (option.kind == Kind::number) added->check(in_range(option.low, option.high));
  if (option.kind == Kind::choice) added->check(CLI::IsMember(option.choices).description(""));
  if (option.kind == Kind::repeated) added->allow_extra_args(false);
  if (option.required) added->required();
}

std::string footer(const Verb& verb) {
  if (verb.examples.empty()) return {};
  std::string text = "Examples:";
  for (const auto& example : verb.examples) text += "\n  " + example;
  return text;
}

// The option is accepted before and after the verb, and listed in the general help only.
void add_colour(CLI::App& app, std::string& colour) {
  app.add_option("--color,--colour", colour)->check(CLI::IsMember({"auto", "always", "never"}))->group("");
}

void add(CLI::App& parent, const Verb& verb, const Verb*& chosen, std::string& colour) {
  auto* app = parent.add_subcommand(verb.name, verb.summary);
  app->footer(footer(verb));
  Options options;
  if (verb.options) verb.options(options);
  for (const auto& option : options.rows()) add_option(*app, option);
  add_colour(*app, colour);
  for (const auto& child : verb.children) add(*app, child, chosen, colour);
  // At most one verb per level: later words are arguments even if they look like verbs. A verb with `run` may
  // have children; a child's callback comes first.
  app->require_subcommand(verb.children.empty() || verb.run ? 0 : 1, verb.children.empty() ? 0 : 1);
  if (verb.run)
    app->final_callback([&verb, &chosen] {
      if (chosen == nullptr) chosen = &verb;
    });
}

Words verb_names(const std::vector<Verb>& verbs) {
  Words names;
  for (const auto& verb : verbs) names.push_back(verb.name);
  return names;
}

Words option_names(const Verb& verb) {
  Options taken;
  if (verb.options) verb.options(taken);
  Words names{"--help", "--color"};
  for (const auto& option : taken.rows())
    if (!option.positional())
      for (const auto name : split(option.names, ','))
        if (name.starts_with("--")) names.emplace_back(name);
  return names;
}

/// The part of a command line that could be parsed.
struct Followed {
  const CLI::App* app;
  const Verb* verb = nullptr;  ///< innermost verb; null: none
  const std::vector<Verb>* below;
  std::string path = "hydra";
};

Followed followed_words(const CLI::App& app, const std::vector<Verb>& verbs) {
  Followed at{&app, nullptr, &verbs};
  while (!at.app->get_subcommands().empty()) {
    at.app = at.app->get_subcommands().front();
    at.path += " " + at.app->get_name();
    const auto found = std::find_if(at.below->begin(), at.below->end(),
                                    [&](const Verb& verb) { return verb.name == at.app->get_name(); });
    if (found == at.below->end()) break;
    at.verb = &*found;
    at.below = &found->children;
  }
  return at;
}

/// Returns a suggestion for an unknown word; empty: none.
std::string meant_word(const Followed& at, const std::string& word) {
  if (word.starts_with("--") && at.verb != nullptr) {
    const auto near = nearest(word.substr(0, word.find('=')), option_names(*at.verb));
    return near ? "did you mean `" + *near + "`? " : "";
  }
  constexpr std::size_t kMost = 3;
  Words near;
  for (const auto& verb : nearest(word, verb_names(*at.below), kMost))
    near.push_back("`" + at.path + " " + verb + "`");
  return near.empty() ? "" : "did you mean " + join(near, " or ") + "? ";
}

std::string quoted_words(const Words& words) {
  Words out;
  for (const auto& word : words) out.push_back(shell_quote(word));
  return join(out, " ");
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<Verb>& verbs) {
  const auto at = followed_words(app, verbs);
  std::string what = error.what(), hint;
  // Unknown options come first, in typed order: a word beside an option may be its value.
  auto extras = at.app->remaining();
  std::stable_partition(extras.begin(), extras.end(), [](const auto& word) { return word.starts_with("-"); });
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (code == CLI::ExitCodes::RequiredError && at.verb != nullptr && !at.verb->run) {
    what = "`" + at.path + "` takes one of: " + join(verb_names(*at.below), ", ");
    if (!extras.empty()) what += "; found '" + extras.front() + "'";
  } else if (code == CLI::ExitCodes::ExtrasError && !extras.empty()) {
    const bool option = extras.front().starts_with("-") && extras.front() != "-";
    what = option               ? "unknown option: " + extras.front()
           : at.verb == nullptr ? "no such command: " + quoted_words({extras.front()})
                                : "not expected: " + quoted_words(extras);
    if (at.path == "hydra race" && !option) hint = "put the task into quotes; ";
  } else if (what.starts_with(": ")) {
    what.insert(0, "--color");  // CLI11 has no name for --color here, since the verb's help hides it
  }
  if (hint.empty() && !extras.empty()) hint = meant_word(at, extras.front());
  std::fprintf(stderr, "error: %s\n  hint: %s`%s --help` shows what it takes\n", sanitize(what).c_str(),
               sanitize(hint).c_str(), at.path.c_str());
  return kUsage;
}

// Declaring a verb is a large part of a small command's cost, so only the named verb is made; all verbs if
// none or an unknown one is named.
std::vector<Verb> verbs_for(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--version" || word == "-V") return {};
    if (word == "--color" || word == "--colour") ++i;
    if (word.starts_with("-")) continue;
    auto verb = find_verb(word);
    return verb ? std::vector{std::move(*verb)} : all_verbs();
  }
  return all_verbs();
}

/// Converts "hydra help race" to "hydra race --help".
std::vector<const char*> without_help(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

int dispatch(int given, const char* const* typed) {
  const auto words = without_help(given, typed);
  const auto argc = static_cast<int>(words.size());
  const char* const* argv = words.data();
  const auto verbs = verbs_for(argc, argv);
  CLI::App app("hydra");
  app.name("hydra");
  app.set_version_flag("--version,-V", kVersion);
  std::string colour = "auto";
  add_colour(app, colour);
  const Verb* chosen = nullptr;
  for (const auto& verb : verbs) add(app, verb, chosen, colour);
  app.require_subcommand(0, 1);
  app.fallthrough(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    if (app.get_subcommands().empty()) {
      print(kHelp);
      return kDone;
    }
    std::ostringstream text;
    app.exit(help, text, text);
    print(text.str());
    return kDone;
  } catch (const CLI::CallForVersion&) {
    print_line(kVersion);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, verbs);
  }
  if (chosen == nullptr && (argc > 1 || !find_repository(working_directory()))) {
    print(kHelp);
    return argc > 1 ? kUsage : kDone;
  }
  const auto mode = colour == "always"  ? ColourMode::always
                    : colour == "never" ? ColourMode::never
                                        : ColourMode::automatic;
  Context context(mode);
  return context.exit(chosen == nullptr ? where_you_stand(context) : chosen->run(context));
}

}  // namespace

int exit_code(Errc code) {
  switch (code) {
    case Errc::usage:
    case Errc::config:
    case Errc::not_found:
      return kUsage;
    case Errc::refused:
    case Errc::conflict:
      return kNoWinner;
    case Errc::environment:
    case Errc::git:
    case Errc::io:
    case Errc::timeout:
    case Errc::protocol:
    case Errc::unsupported:
    case Errc::internal:
      return kFailed;
  }
  return kFailed;
}

int run(int argc, const char* const* argv) {
  const auto users = [](const char* directory) {
    return [directory] {
      const auto paths = resolve_paths(process_env(), ::getuid());
      return paths ? toml_files(paths->config / directory) : std::vector<TextFile>();
    };
  };
  parsers::formats_from(users("formats"));
  config::toolchains_from(users("toolchains"));
  // A partial command line for completion is not parsed as a command.
  const bool typing = argc > 1 && std::string_view(argv[1]) == "__complete";
  try {
    if (argc == 3 && std::string_view(argv[1]) == "__man") return write_manual(argv[2], kHelp);
    return finish_output(typing ? print_candidates(argc - 2, argv + 2) : dispatch(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", sanitize(e.what()).c_str());
    return kFailed;
  }
}

}  // namespace hydra::cli
