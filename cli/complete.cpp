#include "cli/complete.hpp"

#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "model/dimension.hpp"
#include "parsers/parsers.hpp"

#include <algorithm>
#include <optional>

namespace hydra::cli {
namespace {

using Words = std::vector<std::string>;

// Completion must answer at once, so a slow daemon counts as absent.
constexpr std::chrono::milliseconds kPatience{1000};

// Returns the kind of an option's values, for options whose name tells it.
std::optional<WordKind> kind_of_value(const Option& option) {
  for (const auto name : split(option.names, ',')) {
    if (name == "--agents") return WordKind::known_agent;
    if (name == "--agent") return WordKind::result;
    if (name == "--format") return WordKind::format;
    if (name == "--weights") return WordKind::weight;
  }
  return std::nullopt;
}

bool takes_nothing(const Option& option) { return option.kind == Option::Kind::flag; }

// Returns the options that every verb has.
Options common_options() {
  static bool help = false;
  static std::string colour;
  Options options;
  options.flag("--help", help, {});
  options.choice("--color", colour, {"auto", "always", "never"}, {});
  return options;
}

Words names_of(const std::vector<Verb>& verbs) {
  Words names;
  for (const auto& verb : verbs) names.push_back(verb.name);
  return names;
}

Words with_prefix(Words all, std::string_view typed, const std::string& before = {}) {
  Words fitting;
  for (auto& each : all)
    if (each.starts_with(typed)) fitting.push_back(before + each);
  return fitting;
}

Words values(const Option& option, const std::string& typed, const Lookup& lookup,
             const std::string& before = {}) {
  if (!option.choices.empty()) return with_prefix(option.choices, typed, before);
  const auto kind = kind_of_value(option);
  if (!kind) return {};
  // Only the last part of a list is being typed.
  const auto start = option.placeholder == "LIST" ? typed.find_last_of(',') + 1 : 0;
  return with_prefix(lookup(*kind), std::string_view(typed).substr(start), before + typed.substr(0, start));
}

Words positional_values(const std::string& name, bool of_agents, const std::string& typed,
                        const Lookup& lookup) {
  if (name == "shell") return with_prefix({"bash", "zsh", "fish"}, typed);
  if (name == "rating") return with_prefix({"1", "2", "3", "4", "5"}, typed);
  if (name == "system") return with_prefix({"hydra", "arena", "reward", "term"}, typed);
  if (name == "race") return with_prefix(lookup(WordKind::race), typed);
  if (name == "target") {
    auto all = lookup(WordKind::race);
    for (auto& agent : lookup(WordKind::result)) all.push_back(std::move(agent));
    return with_prefix(std::move(all), typed);
  }
  if (name == "agent" && of_agents) return with_prefix(lookup(WordKind::known_agent), typed);
  if (name.starts_with("check|race")) return with_prefix({"check", "race"}, typed);
  if (name != "agent" && name != "subject" && name != "branch" && name != "other" && name != "result")
    return {};
  auto all = lookup(WordKind::result);
  if (name == "subject") all.emplace_back("baseline");
  return with_prefix(std::move(all), typed);
}

// bash splits "--color=al" into three words and expects only the value back.
void without_equals(Words& words) {
  if (words.back() == "=") words.emplace_back();
  std::erase(words, "=");
}

Words of_daemon(const std::function<std::optional<Words>(client::Client&)>& ask) {
  const auto paths = resolve_paths(process_env(), ::getuid());
  if (!paths) return {};
  auto client = client::Client::connect(*paths);
  if (!client) return {};
  client->set_timeout(kPatience);
  return ask(*client).value_or(Words{});
}

std::optional<std::vector<wire::RaceRow>> races(client::Client& client) {
  std::string target = "/v1/races";
  if (const auto root = find_repository(working_directory()))
    target += "?repository=" + client::url_encode(root->string());
  auto list = get<wire::RaceList>(client, target);
  if (!list) return std::nullopt;
  return std::move(list->races);
}

Words known_words(WordKind kind) {
  switch (kind) {
    case WordKind::race:
      return of_daemon([](client::Client& client) -> std::optional<Words> {
        const auto rows = races(client);
        if (!rows) return std::nullopt;
        Words ids;
        for (const auto& row : *rows) ids.push_back(row.race);
        return ids;
      });
    case WordKind::result:
      return of_daemon([](client::Client& client) -> std::optional<Words> {
        const auto rows = races(client);
        if (!rows || rows->empty()) return std::nullopt;
        return rows->front().agents;
      });
    case WordKind::known_agent: {
      const auto checked = check_config(Context(ColourMode::never));
      return config::known_agents(checked.config);
    }
    case WordKind::format: {
      Words names{"auto"};
      for (const auto& list : {parsers::test_formats(), parsers::lint_formats()})
        for (const auto name : list) names.emplace_back(name);
      return names;
    }
    case WordKind::weight: {
      Words names;
      for (const auto dimension : model::kDimensions)
        names.push_back(std::string(model::name(dimension)) + "=");
      names.emplace_back("judges=");
      return names;
    }
  }
  return {};
}

/// The state of the command line before its last word.
struct Line {
  const std::vector<Verb>* level = nullptr;  ///< verbs that may follow
  const Verb* verb = nullptr;                ///< innermost verb; null: none yet
  Options taken = common_options();          ///< options of that verb
  std::size_t positionals = 0;
  const Option* open = nullptr;  ///< option of `taken` whose value comes next
  bool only_words = false;       ///< whether "--" was seen
  bool of_agents = false;        ///< whether the verb belongs to `hydra agents`

  void read(const std::string& word) {
    if (open != nullptr) {
      open = nullptr;
    } else if (!only_words && word == "--") {
      only_words = true;
    } else if (!only_words && word.size() > 1 && word.front() == '-') {
      const auto equals = word.find('=');
      const auto* option = find(word.substr(0, equals));
      if (option != nullptr && !takes_nothing(*option) && equals == std::string::npos) open = option;
    } else if (!enter(word)) {
      ++positionals;
    }
  }

  [[nodiscard]] const Option* find(std::string_view name) const {
    for (const auto& option : taken.rows()) {
      const auto names = split(option.names, ',');
      if (!option.positional() && std::find(names.begin(), names.end(), name) != names.end()) return &option;
    }
    return nullptr;
  }

 private:
  bool enter(const std::string& word) {
    const auto next =
        std::find_if(level->begin(), level->end(), [&](const Verb& each) { return each.name == word; });
    if (positionals > 0 || next == level->end()) return false;
    of_agents = verb != nullptr && verb->name == "agents";
    verb = &*next;
    level = &verb->children;
    taken = common_options();
    if (verb->options) verb->options(taken);
    return true;
  }
};

Words option_candidates(const Line& line, const std::string& typed, const Lookup& lookup) {
  if (const auto equals = typed.find('='); equals != std::string::npos) {
    const auto* option = line.find(typed.substr(0, equals));
    if (option == nullptr || takes_nothing(*option)) return {};
    return values(*option, typed.substr(equals + 1), lookup, typed.substr(0, equals + 1));
  }
  Words names;
  for (const auto& option : line.taken.rows())
    if (!option.positional())
      for (const auto name : split(option.names, ','))
        if (name.starts_with("--") || typed == "-") names.emplace_back(name);
  if (line.verb == nullptr) names.emplace_back("--version");
  return with_prefix(std::move(names), typed);
}

Words word_candidates(const Line& line, const std::string& typed, const Lookup& lookup) {
  Words all;
  if (line.positionals == 0 && !line.only_words) all = with_prefix(names_of(*line.level), typed);
  std::vector<const Option*> options;
  for (const auto& option : line.taken.rows())
    if (option.positional()) options.push_back(&option);
  if (options.empty()) return all;
  const auto& option = *options[std::min(line.positionals, options.size() - 1)];
  if (line.positionals >= options.size() && option.kind != Option::Kind::words) return all;
  for (auto& each : positional_values(option.names, line.of_agents, typed, lookup))
    all.push_back(std::move(each));
  return all;
}

}  // namespace

Words candidates(const std::vector<Verb>& verbs, Words words, const Lookup& lookup) {
  if (words.empty()) words.emplace_back();
  without_equals(words);
  const auto typed = words.back();
  words.pop_back();
  Line line;
  line.level = &verbs;
  for (const auto& word : words) line.read(word);
  if (line.open != nullptr) return values(*line.open, typed, lookup);
  if (!line.only_words && typed.starts_with("-")) return option_candidates(line, typed, lookup);
  return word_candidates(line, typed, lookup);
}

int print_candidates(int argc, const char* const* argv) {
  for (const auto& each : candidates(all_verbs(), Words(argv, argv + argc), known_words))
    // The daemon's names come from a repository: they must not split a line or contain shell or terminal
    // characters.
    if (sanitize(each) == each && each.find_first_of(" \t\n'\"\\$`;&|<>()*?[]~") == std::string::npos &&
        !each.starts_with("#"))
      print_line(each);
  return kDone;
}

}  // namespace hydra::cli
