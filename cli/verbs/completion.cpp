#include "cli/completion.hpp"

#include "base/strings.hpp"
#include "cli/context.hpp"

namespace hydra::cli {
namespace {

// Each script calls `hydra __complete`, so races, results and agents complete too; without a candidate the
// shell offers files.
constexpr std::string_view kBash = R"(# bash completion for hydra: source <(hydra completion bash)
_hydra() {
  local IFS=$'\n'
  COMPREPLY=($("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  case ${COMPREPLY[0]-} in *, | *= | */) compopt -o nospace ;; esac
}
complete -o default -F _hydra hydra
)";

constexpr std::string_view kZsh = R"(#compdef hydra
# zsh completion for hydra: hydra completion zsh > "${fpath[1]}/_hydra"
_hydra() {
  local -a found
  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(${found:#})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _hydra hydra
)";

constexpr std::string_view kFish =
    R"(# fish completion for hydra: hydra completion fish > ~/.config/fish/completions/hydra.fish
function __hydra_complete
  set -l words (commandline -opc)
  set -l found ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c hydra -f -a '(__hydra_complete)'
)";

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  if (shell == "fish") return std::string(kFish);
  return Error{Errc::usage,
               "no completion for \"" + sanitize(shell) + "\"",
               {},
               "there is one for bash, zsh and fish"};
}

namespace {

Result<int> completion(const std::string& shell, Context&) {
  HYDRA_TRY(const auto script, completion_script(shell));
  return say(script);
}

}  // namespace

Verb completion_verb() {
  return verb_of<std::string>(
      "completion", "Completion for bash, zsh or fish",
      {"source <(hydra completion bash)", "hydra completion fish > ~/.config/fish/completions/hydra.fish"},
      [](Options& o, std::string& shell) { o.positional("shell", shell, true, "bash, zsh or fish"); },
      completion);
}

}  // namespace hydra::cli
