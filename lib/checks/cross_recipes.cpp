#include "checks/cross_recipes.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "checks/cross_words.hpp"
#include "config/command_words.hpp"
#include "config/toolchains.hpp"
#include "integrity/protect/makefile.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::checks {
namespace {

using Text = std::string_view;
constexpr int kMostScriptDepth = 4;  // scripts that call scripts

Text stem(Text path) {
  const auto own = base_name(path);
  return own.substr(0, own.find('.'));
}

using config::BrokenFile;
using config::FilesAs;
using config::TestRunner;

bool contains(const config::Texts& list, Text word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Words that may precede a runner: "env", "npx", "poetry run", "timeout 10s", "python3 -m".
bool stands_before_runner(Text word) {
  if (contains(config::toolchains().wrappers, word)) return true;
  const bool number = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == 's' || c == 'm';
  });
  const auto own = base_name(word);
  return number || word.starts_with('-') || own.starts_with("python") || own == "pypy3";
}

/// Position of the runner in the configured command.
struct Place {
  std::string before;  ///< preceding shell text, with its "&&"
  std::string directory;
  ShellPart words;
  std::size_t at = 0;  ///< index of the runner's name
  const TestRunner* runner = nullptr;
};

class Finder {
 public:
  Finder(const trees::BaseTree& base, const TextOf& base_text) : base_(base), base_text_(base_text) {}

  std::optional<Place> find(Text command, Place place, int depth) const {
    auto parts = and_parts(command);
    if (!parts || depth > kMostScriptDepth) return std::nullopt;
    for (auto& part : *parts) {
      if (part.front().value == "cd" && part.size() == 2) {
        auto directory = config::path_below(place.directory, part[1].value);
        if (!directory) return std::nullopt;
        place.directory = std::move(*directory);
      } else if (auto found = in_part(part, place, depth)) {
        return found;
      }
      place.before += raw_text(part) + " && ";
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<Place> in_part(const ShellPart& part, const Place& place, int depth) const {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto& word = part[i].value;
      if (const auto* runner = runner_at(part, i)) {
        auto found = place;
        found.words = part;
        found.at = i;
        found.runner = runner;
        return found;
      }
      if (auto found = through_script(part, i, place, depth)) return found;
      const auto equals = word.find('=');
      const bool assignment = equals != std::string::npos && equals > 0;
      if (!assignment && !stands_before_runner(word)) return std::nullopt;
    }
    return std::nullopt;
  }

  static const TestRunner* runner_at(const ShellPart& part, std::size_t i) {
    for (const auto& runner : config::toolchains().runners) {
      if (!contains(runner.programs, base_name(part[i].value))) continue;
      if (runner.as == FilesAs::discover && (i == 0 || part[i - 1].value != "-m")) continue;
      if (runner.verb.empty()) return &runner;
      for (auto j = i + 1; j < part.size(); ++j) {
        const auto& word = part[j].value;
        if (word == runner.verb) return &runner;
        if (runner.verb.starts_with('-') || word.starts_with('-') || word.starts_with('+')) continue;
        break;
      }
    }
    return nullptr;
  }

  // "npm test" and "make check": follows the base's definition of the script or target.
  [[nodiscard]] std::optional<Place> through_script(const ShellPart& part, std::size_t i, Place place,
                                                    int depth) const {
    const auto calls =
        config::command_calls(raw_text({part.begin() + static_cast<std::ptrdiff_t>(i), part.end()}));
    if (calls.size() != 1) return std::nullopt;
    const auto& call = calls.front();
    const auto at = [&](Text name) {
      return config::path_below(place.directory, name).value_or(std::string(name));
    };
    std::string command;
    if (call.package_scripts.size() == 1) {
      const auto text = base_text_(at("package.json"));
      if (!text) return std::nullopt;
      const auto commands = config::package_commands(*text, call.package_scripts.front());
      if (commands.empty()) return std::nullopt;
      place.before += "export PATH=\"$PWD/node_modules/.bin:$PATH\" && ";
      command = join(commands, " && ");
    } else if (call.targets.size() == 1) {
      for (const auto* name : {"GNUmakefile", "makefile", "Makefile"}) {
        if (!base_.tracks(at(name))) continue;
        const auto text = base_text_(at(name));
        if (text) command = join(integrity::make_recipes(*text, call.targets), " && ");
        break;
      }
    }
    return command.empty() ? std::nullopt : find(command, std::move(place), depth + 1);
  }

  const trees::BaseTree& base_;
  const TextOf& base_text_;
};

/// The runner's own words, without those that select tests.
class RunnerWords {
 public:
  RunnerWords(const Place& place, const trees::BaseTree& base, Naming naming)
      : place_(place), base_(base), naming_(naming) {
    const auto& runner = *place.runner;
    bool rest = false, verb_seen = runner.verb.empty();
    for (auto i = place.at + 1; i < place.words.size(); ++i) {
      const auto& word = place.words[i];
      if (rest) {
        after_.push_back(word.raw);
      } else if (word.value == "--") {
        rest = true;
      } else if (!verb_seen && word.value == runner.verb) {
        verb_seen = true;
        kept_.push_back(word.raw);
      } else if (contains(runner.valued, word.value) && i + 1 < place.words.size()) {
        if (!chooses(word.value)) kept_.insert(kept_.end(), {word.raw, place.words[i + 1].raw});
        ++i;
      } else if (word.value.starts_with('-') || word.value.starts_with('+')) {
        const bool dropped = contains(runner.drop, word.value) || word.value.starts_with("--maxfail") ||
                             word.value.starts_with("--cov");
        if (!dropped && !chooses(word.value.substr(0, word.value.find('=')))) kept_.push_back(word.raw);
      } else if (!is_target(word.value)) {
        kept_.push_back(word.raw);
      }
    }
  }
  /// All words up to the runner, its options, and the option that makes it name every test.
  [[nodiscard]] std::string head() const {
    std::vector<std::string> words;
    const bool names = naming_ == Naming::by_runner;
    if (names && !place_.runner->before.empty()) words.emplace_back(place_.runner->before);
    for (std::size_t i = 0; i <= place_.at; ++i) words.push_back(place_.words[i].raw);
    words.insert(words.end(), kept_.begin(), kept_.end());
    // Some runners refuse a repeated option.
    for (const auto add : {names ? place_.runner->add : Text(), place_.runner->select})
      if (!add.empty() && std::find(words.begin(), words.end(), add) == words.end()) words.emplace_back(add);
    return join(words, " ");
  }
  [[nodiscard]] std::string tail() const { return after_.empty() ? "" : " -- " + join(after_, " "); }

 private:
  [[nodiscard]] bool chooses(Text option) const {
    // Only one reporter prints the names.
    if (option.starts_with("--test-reporter")) return naming_ == Naming::by_runner;
    const auto as = place_.runner->as;
    if (as == FilesAs::go) return option == "-run" || option == "-bench" || option == "-skip";
    if (as == FilesAs::cargo)
      return option == "-p" || option == "--package" || option == "--test" || option == "--manifest-path";
    return as == FilesAs::discover &&
           (option == "-s" || option == "--start-directory" || option == "-p" || option == "--pattern");
  }
  [[nodiscard]] bool is_target(Text word) const {
    if (word.find_first_of("*?") != Text::npos || word.ends_with("...")) return true;
    if (place_.runner->as == FilesAs::cargo) return true;  // a filter of names
    const auto path = config::path_below(place_.directory, word.substr(0, word.find("::")));
    return path && (path->empty() || base_.tracks(*path) || base_.tracks_below(*path) ||
                    std::any_of(place_.runner->files.begin(), place_.runner->files.end(),
                                [&](Text pattern) { return match_component(pattern, base_name(*path)); }));
  }

  const Place& place_;
  const trees::BaseTree& base_;
  Naming naming_;
  std::vector<std::string> kept_, after_;
};

/// Runs all commands; the exit code is 1 if any fails.
std::string all_of(const std::vector<std::string>& commands) {
  if (commands.size() == 1) return commands.front();
  std::string text = "(r=0; ";
  for (const auto& command : commands) text += command + " || r=1; ";
  return text + "exit $r)";
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += " " + shell_quote(word);
  return text;
}

// A panic ends the whole binary, so each test also gets a separate command.
std::optional<CrossCommand> go_command(const RunnerWords& words, const std::vector<std::string>& files,
                                       const std::string& directory, const TextOf& text_of) {
  constexpr std::size_t kMostApart = 50;
  std::set<std::string> names, packages;
  for (const auto& file : files) {
    const auto text = text_of(config::path_below(directory, file).value_or(file));
    if (!text) return std::nullopt;
    for (const auto line : lines(*text)) {
      if (!line.starts_with("func ")) continue;
      const auto name = line.substr(5, line.find_first_of("(["));
      const auto end = name.find_first_of("([ ");
      const auto own = name.substr(0, end);
      if (own.starts_with("Test") || own.starts_with("Example") || own.starts_with("Fuzz"))
        names.emplace(own);
    }
    packages.insert("./" + std::string(directory_of(file)));
  }
  if (names.empty()) return std::nullopt;
  const auto only = [&](const std::vector<std::string>& list) {
    return words.head() + " -run '^(" + join(list, "|") + ")$'" + quoted({packages.begin(), packages.end()});
  };
  CrossCommand out{only({names.begin(), names.end()})};
  std::vector<std::string> each;
  for (const auto& name : names) each.push_back(only({name}));
  if (each.size() > 1 && each.size() <= kMostApart) out.apart = all_of(each);
  return out;
}

std::optional<std::string> cargo_command(const RunnerWords& words, const std::vector<std::string>& files,
                                         const std::string& directory, const trees::BaseTree& base) {
  std::map<std::string, std::vector<std::string>> crates;
  for (const auto& file : files) {
    const auto at = ("/" + file).rfind("/tests/");
    if (at == std::string::npos) continue;
    const auto crate = at == 0 ? std::string() : file.substr(0, at - 1);
    const auto rest = Text(file).substr(at + 6);
    const bool main = rest.ends_with("/main.rs") && std::count(rest.begin(), rest.end(), '/') == 1;
    if (!main && rest.find('/') != Text::npos) continue;  // a module of another test file
    const auto manifest = config::path_below(directory, crate.empty() ? "Cargo.toml" : crate + "/Cargo.toml");
    if (manifest && base.tracks(*manifest))
      crates[crate].emplace_back(main ? directory_of(rest) : stem(rest));
  }
  if (crates.empty()) return std::nullopt;
  std::vector<std::string> commands;
  for (const auto& [crate, names] : crates) {
    auto command = words.head();
    if (!crate.empty()) command += quoted({"--manifest-path", crate + "/Cargo.toml"});
    for (const auto& name : names) command += quoted({"--test", name});
    commands.push_back(command + words.tail());
  }
  return all_of(commands);
}

// A discovery takes one pattern of file names. Its start directory decides the names of modules.
std::string unittest_command(const Place& place, const RunnerWords& words,
                             const std::vector<std::string>& files) {
  bool discovers = false;
  std::string start = ".";
  for (auto i = place.at + 1; i < place.words.size(); ++i) {
    const auto& word = place.words[i].value;
    const bool named = word == "-s" || word == "--start-directory";
    if (named && i + 1 < place.words.size()) start = place.words[i + 1].raw;
    if (i > place.at + 1 && place.words[i - 1].value == "discover" && !word.starts_with('-'))
      start = place.words[i].raw;
    discovers = discovers || word == "discover";
  }
  if (!discovers) return words.head() + quoted(files);
  std::vector<std::string> commands;
  for (const auto& file : files)
    commands.push_back(words.head() + " -s " + start + " -p" + quoted({std::string(base_name(file))}));
  return all_of(commands);
}

std::string classes_command(const TestRunner& runner, const RunnerWords& words,
                            const std::vector<std::string>& files) {
  std::string list;
  for (const auto& file : files)
    list += (list.empty() ? "" : std::string(runner.between)) +
            replace_all(std::string(runner.each), "{}", stem(file));
  return words.head() + " " + replace_all(std::string(runner.around), "{}", list);
}

bool plain(Text file) {
  return !file.starts_with('-') && std::all_of(file.begin(), file.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 32 && byte != 127 && Text("'\"\\`$&|;<>(){}*?[]!#~").find(c) == Text::npos;
  });
}

/// The files that the runner accepts, relative to its directory.
std::optional<std::vector<std::string>> runnable(const std::vector<std::string>& files, const Place& place) {
  std::vector<std::string> found;
  const auto inside = place.directory.empty() ? std::string() : place.directory + "/";
  for (const auto& file : files) {
    const auto& patterns = place.runner->files;
    const auto own = base_name(file);
    if (std::none_of(patterns.begin(), patterns.end(), [&](Text p) { return match_component(p, own); }))
      continue;
    if (!file.starts_with(inside) || !plain(file)) return std::nullopt;
    found.push_back(file.substr(inside.size()));
  }
  return found;
}

std::optional<Place> place_of(const TestCommand& test) {
  return Finder(test.base, test.base_text).find(test.configured, {}, 0);
}

}  // namespace

CrossCommand cross_command(const TestCommand& test, const std::vector<std::string>& files,
                           const TextOf& text_of) {
  const CrossCommand whole{test.configured, true};
  const auto place = place_of(test);
  if (!place) return whole;
  const auto chosen = runnable(files, *place);
  if (!chosen || chosen->empty()) return whole;
  const RunnerWords words(*place, test.base, test.naming);
  std::optional<std::string> command;
  switch (place->runner->as) {
    case FilesAs::words:
      command = words.head() + quoted(*chosen);
      break;
    case FilesAs::discover:
      command = unittest_command(*place, words, *chosen);
      break;
    case FilesAs::classes:
      command = classes_command(*place->runner, words, *chosen);
      break;
    case FilesAs::go:
      if (auto found = go_command(words, *chosen, place->directory, text_of)) {
        for (auto* text : {&found->command, &found->apart})
          if (!text->empty()) *text = place->before + *text;
        return *found;
      }
      break;
    case FilesAs::cargo:
      command = cargo_command(words, *chosen, place->directory, test.base);
      break;
  }
  return command ? CrossCommand{place->before + *command, false} : whole;
}

std::string naming_advice(const std::string& command) {
  const trees::BaseTree none({});
  const auto place = place_of({command, none, [](auto) { return std::nullopt; }});
  if (!place || place->runner->as == FilesAs::classes || place->runner->as == FilesAs::cargo) return {};
  const Text add = place->runner->add;
  const auto& words = place->words;
  const auto has = [&](const auto& word) { return word.value == add; };
  if (add.empty() || std::any_of(words.begin(), words.end(), has)) return {};
  return "`" + words[place->at].value + "` names its tests with `" + std::string(add) + "`";
}

std::set<std::string> askable(const TestCommand& test, const std::vector<std::string>& files) {
  const auto place = place_of(test);
  std::set<std::string> found;
  for (const auto& file : files)
    if (const auto named = place ? runnable({file}, *place) : std::nullopt; named && !named->empty())
      found.insert(file);
  return found;
}

std::string repeat_command(const TestCommand& test, const std::vector<std::string>& names) {
  // Runners that name files put them first: "tests/test_a.py::test_b[1]".
  const auto file_of = [&](std::string_view name) {
    for (auto end = name.size(); end != std::string_view::npos && end > 0;
         end = name.find_last_of(": [>", end - 1))
      if (test.base.tracks(name.substr(0, end))) return std::string(name.substr(0, end));
    return std::string();
  };
  std::set<std::string> files;
  for (const auto& name : names) files.insert(file_of(name));
  if (files.contains("")) return test.configured;
  const std::vector<std::string> asked(files.begin(), files.end());
  if (askable(test, asked) != files) return test.configured;
  const auto command = cross_command(test, asked, test.base_text);
  return command.whole ? test.configured : command.command;
}

std::string one_by_one(const TestCommand& test, const std::vector<std::string>& files) {
  constexpr std::size_t kMostBytes = 60'000;  // below the 128 KiB limit of one argument
  const auto place = place_of(test);
  if (!place || place->runner->broken_file == BrokenFile::nothing) return {};
  const auto chosen = runnable(files, *place);
  if (!chosen || chosen->empty()) return {};
  const RunnerWords words(*place, test.base, Naming::by_runner);
  std::vector<std::string> commands;
  if (place->runner->broken_file == BrokenFile::option) {
    commands.push_back(words.head() + quoted(*chosen));
  } else if (place->runner->as == FilesAs::cargo) {
    for (const auto* units : {"--lib", "--bins", "--doc"})
      commands.push_back(words.head() + " " + units + words.tail());
    for (const auto& file : *chosen)
      if (auto command = cargo_command(words, {file}, place->directory, test.base))
        commands.push_back(std::move(*command));
  } else {
    for (const auto& file : *chosen) commands.push_back(words.head() + quoted({file}));
  }
  auto command = place->before + all_of(commands);
  return command.size() > kMostBytes ? std::string() : command;
}

}  // namespace hydra::checks
