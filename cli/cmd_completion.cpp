#include "base/strings.hpp"
#include "cli/completion.hpp"
#include "cli/context.hpp"

#include <algorithm>

namespace hydra::cli {
namespace {

// Collects the names of a verb's options.
class Names final : public Options {
 public:
  std::vector<std::string> names{"--help", "--color"};
  void flag(const std::string& name, bool&, const std::string&) override { take(name); }
  void value(const std::string& name, std::string&, const std::string&, const std::string&) override {
    take(name);
  }
  void number(const std::string& name, int&, int, int, const std::string&) override { take(name); }
  void choice(const std::string& name, std::string&, const std::vector<std::string>&,
              const std::string&) override {
    take(name);
  }
  void positional(const std::string&, std::string&, bool, const std::string&) override {}
  void words(const std::string& name, std::vector<std::string>&, const std::string&,
             const std::string&) override {
    take(name);
  }

 private:
  void take(const std::string& list) {
    for (const auto name : split(list, ','))
      if (name.starts_with("--")) names.emplace_back(name);
  }
};

std::string words_of(const Verb& verb) {
  Names names;
  if (verb.options) verb.options(names);
  std::vector<std::string> words;
  for (const auto& child : verb.children) words.push_back(child.name);
  words.insert(words.end(), names.names.begin(), names.names.end());
  return join(words, " ");
}

std::string all_names(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const auto& verb : verbs) names.push_back(verb.name);
  return join(names, " ") + " --help --version";
}

std::string cases(const std::vector<Verb>& verbs) {
  std::string out;
  for (const auto& verb : verbs) out += "    " + verb.name + ") words=\"" + words_of(verb) + "\" ;;\n";
  return out;
}

std::string bash(const std::vector<Verb>& verbs) {
  return "# bash completion for hydra: source <(hydra completion bash)\n"
         "_hydra() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words\n"
         "  case \"${COMP_CWORD}:${COMP_WORDS[1]}\" in\n"
         "    1:*) words=\"" +
         all_names(verbs) +
         "\" ;;\n"
         "    *) case \"${COMP_WORDS[1]}\" in\n" +
         cases(verbs) +
         "    esac ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _hydra hydra\n";
}

std::string zsh(const std::vector<Verb>& verbs) {
  return "#compdef hydra\n"
         "# zsh completion for hydra: hydra completion zsh > \"${fpath[1]}/_hydra\"\n"
         "_hydra() {\n"
         "  local words_of_verb words\n"
         "  if (( CURRENT == 2 )); then\n"
         "    words=\"" +
         all_names(verbs) +
         "\"\n"
         "  else\n"
         "    case \"${${(z)BUFFER}[2]}\" in\n" +
         cases(verbs) +
         "    esac\n"
         "  fi\n"
         "  compadd -- ${=words}\n"
         "  _files\n"
         "}\n"
         "compdef _hydra hydra\n";
}

std::string fish(const std::vector<Verb>& verbs) {
  std::string out =
      "# fish completion for hydra: hydra completion fish > ~/.config/fish/completions/hydra.fish\n";
  for (const auto& verb : verbs) {
    out += "complete -c hydra -n __fish_use_subcommand -a " + verb.name + " -d " + shell_quote(verb.summary) +
           "\n";
    out +=
        "complete -c hydra -n '__fish_seen_subcommand_from " + verb.name + "' -a '" + words_of(verb) + "'\n";
  }
  return out;
}

}  // namespace

Result<std::string> completion_script(std::string_view shell, const std::vector<Verb>& verbs) {
  if (shell == "bash") return bash(verbs);
  if (shell == "zsh") return zsh(verbs);
  if (shell == "fish") return fish(verbs);
  return Error{Errc::usage,
               "no completion for \"" + sanitize(shell) + "\"",
               {},
               "there is one for bash, zsh and fish"};
}

Verb completion_verb() {
  auto shell = std::make_shared<std::string>();
  return {
      "completion",
      "Completion for bash, zsh or fish",
      {"source <(hydra completion bash)", "hydra completion fish > ~/.config/fish/completions/hydra.fish"},
      [shell](Options& o) { o.positional("shell", *shell, true, "bash, zsh or fish"); },
      [shell](Context& context) {
        const auto script = completion_script(*shell, all_verbs());
        if (!script) return context.fail(script.error());
        print(*script);
        return static_cast<int>(kDone);
      },
      {}};
}

}  // namespace hydra::cli
