#include "cli/render/man_page.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/completion.hpp"
#include "config/config.hpp"

#include <cstdio>
#include <filesystem>

namespace hydra::cli {
namespace {

// Escapes text for roff, so that no part is a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string man_title(std::string name, char section) {
  for (auto& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return ".TH \"" + name + "\" " + section + " \"\" \"hydra " HYDRA_VERSION "\" \"Hydra\"\n";
}

std::string sentence(std::string_view text) {
  return roff(text) + (text.ends_with('.') || text.ends_with(')') ? "" : ".") + "\n";
}

// Returns an option's names and value.
std::string man_head(const Option& option) {
  std::string head;
  for (const auto name : split(option.names, ','))
    head += (head.empty() ? "" : ", ") + ("\\fB" + roff(trim(name)) + "\\fR");
  auto placeholder = option.placeholder;
  if (option.kind == Option::Kind::words) placeholder += " …";
  return placeholder.empty() ? head : head + " \\fI" + roff(placeholder) + "\\fR";
}

// The arguments of a verb as lines of a page.
struct ManVerb {
  std::string synopsis, options;
};

ManVerb taken_by(const Verb& verb, const std::string& path) {
  Options taken;
  if (verb.options) verb.options(taken);
  std::string arguments, text;
  for (const auto& option : taken.rows()) {
    if (!option.positional()) {
      text += ".TP\n" + man_head(option) + "\n" + sentence(help_of(option));
      continue;
    }
    const auto* const end = option.kind == Option::Kind::words ? "…]" : option.required ? "" : "]";
    const auto name = "\\fI" + roff(option.names) + "\\fR";
    arguments += " " + std::string(*end == '\0' ? "" : "[") + name + end;
    text = ".TP\n" + name + "\n" + sentence(option.help) + text;
  }
  const auto some = text.find("\\fB") != std::string::npos ? " [\\fIOPTIONS\\fR]" : "";
  return {"\\fB" + roff(path) + "\\fR" + some + arguments, text};
}

std::string examples_of(const Verb& verb) {
  if (verb.examples.empty()) return {};
  std::string out = ".SH EXAMPLES\n.nf\n";
  for (const auto& example : verb.examples) out += roff(example) + "\n";
  return out + ".fi\n";
}

constexpr std::string_view kExitCodes = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
No eligible winner, a check failed, or a merge was refused.
.TP
2
Wrong usage or configuration.
.TP
3
The daemon or the machine failed.
.TP
130
Interrupted; the race continues.
)";

// Pages of the two programs that users do not call.
constexpr std::string_view kDaemonPage = R"(.SH NAME
hydrad \- daemon of Hydra
.SH SYNOPSIS
\fBhydrad\fR [\fB\-\-foreground\fR]
.SH DESCRIPTION
Carries out races, one daemon for each user and state directory.
.BR hydra (1)
starts it when it is needed; with \fB\-\-foreground\fR it runs under a service manager, as in the user unit
\fIhydra.service\fR. Running agents continue when it ends, and the next daemon adopts them.
.SH SEE ALSO
.BR hydra (1),
.BR hydra\-daemon (1)
)";
constexpr std::string_view kShimPage = R"(.SH NAME
hydra\-shim \- supervisor of one agent or check of Hydra
.SH DESCRIPTION
Started by
.BR hydrad (8)
beside every agent and every check, and as process 1 of their sandbox. Not for use by hand.
.SH SEE ALSO
.BR hydra (1),
.BR hydrad (8)
)";

// Converts a line of the example: "#key = value", a comment "# text", or a table.
void config_line(std::string_view line, std::string& out, std::string& about) {
  if (line.starts_with('[')) {
    const bool first = out.find("\n.SH [") == std::string::npos;  // the introduction comes first
    out += ".SH " + roff(line) + "\n";
    if (!about.empty() && !first) out += roff(about) + "\n";
    about.clear();
  } else if (line.starts_with("# ") || line == "#") {
    about += (about.empty() ? "" : " ") + std::string(trim(line.substr(1)));
  } else if (line.starts_with('#') && line.find('=') != std::string_view::npos) {
    out += ".TP\n\\fB" + roff(line.substr(1)) + "\\fR\n" + (about.empty() ? "\\&" : roff(about)) + "\n";
    about.clear();
  } else if (line.starts_with('#') && !line.substr(1).empty()) {
    out += ".PP\n\\fB" + roff(line.substr(1)) + "\\fR\n";
  }
}

}  // namespace

std::string man_of_verb(const Verb& verb) {
  const auto name = "hydra " + verb.name;
  const auto own = taken_by(verb, name);
  auto out = man_title("hydra-" + verb.name, '1') + ".SH NAME\n" + roff("hydra-" + verb.name) + " \\- " +
             roff(verb.summary) + "\n.SH SYNOPSIS\n";
  if (verb.run || verb.children.empty()) out += own.synopsis + "\n";
  std::string children;
  for (const auto& child : verb.children) {
    const auto taken = taken_by(child, name + " " + child.name);
    out += ".br\n" + taken.synopsis + "\n";
    children += ".SS " + roff(name + " " + child.name) + "\n" + sentence(child.summary) + taken.options;
    for (const auto& example : child.examples) children += ".PP\n.nf\n" + roff(example) + "\n.fi\n";
  }
  out += ".SH DESCRIPTION\n" + sentence(verb.summary);
  if (!own.options.empty()) out += ".SH OPTIONS\n" + own.options;
  if (!children.empty()) out += ".SH COMMANDS\n" + children;
  return out + examples_of(verb) + std::string(kExitCodes) +
         ".SH SEE ALSO\n.BR hydra (1),\n.BR hydra.toml (5)\n";
}

std::string man_of_hydra(const std::vector<Verb>& verbs, std::string_view help) {
  auto out = man_title("hydra", '1') +
             ".SH NAME\nhydra \\- race coding agents on one task, keep the best result\n.SH SYNOPSIS\n"
             "\\fBhydra\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n.nf\n";
  const auto begin = help.find('\n');  // the first line is the name, printed above
  for (const auto line : lines(help.substr(begin == std::string_view::npos ? 0 : begin + 1)))
    out += roff(line) + "\n";
  out += ".fi\n.SH COMMANDS\n";
  for (const auto& verb : verbs)
    out += ".TP\n.BR " + roff("hydra-" + verb.name) + " (1)\n" + sentence(verb.summary);
  return out + std::string(kExitCodes) +
         ".SH FILES\n.TP\n\\fIhydra.toml\\fR\nConfiguration of a project; see\n.BR hydra.toml (5).\n"
         ".TP\n\\fI~/.config/hydra/config.toml\\fR\nThe user's own defaults.\n"
         ".TP\n\\fI~/.local/state/hydra\\fR\nRaces, logs and evidence.\n.SH SEE ALSO\n.BR git (1),\n.BR "
         "hydra.toml (5)\n";
}

std::string man_of_config(std::string_view example) {
  auto out =
      man_title("hydra.toml", '5') +
      ".SH NAME\nhydra.toml \\- configuration of Hydra\n.SH DESCRIPTION\n"
      "Every key with its default. The same keys work in \\fI~/.config/hydra/config.toml\\fR; a project's "
      "file "
      "wins over it, the command line over both. \\fBhydra config check\\fR says what is wrong with a file, "
      "\\fBhydra init\\fR proposes one.\n";
  std::string about;
  for (const auto line : lines(example)) config_line(line, out, about);
  return out + ".SH SEE ALSO\n.BR hydra (1),\n.BR hydra\\-init (1),\n.BR hydra\\-config (1)\n";
}

int write_manual(const std::string& directory, std::string_view help) {
  const fs::path root(directory);
  const auto put = [&](const std::string& name, const std::string& text) {
    const auto written = write_file(root / name, text);
    if (!written) std::fprintf(stderr, "error: %s\n", describe(written.error()).c_str());
    return written.ok();
  };
  bool good = make_dirs(root).ok();
  const auto verbs = all_verbs();
  for (const auto& verb : verbs) good = put("hydra-" + verb.name + ".1", man_of_verb(verb)) && good;
  good = put("hydra.1", man_of_hydra(verbs, help)) && good;
  good = put("hydra.toml.5", man_of_config(config::all_keys())) && good;
  good = put("hydrad.8", man_title("hydrad", '8') + std::string(kDaemonPage)) && good;
  good = put("hydra-shim.8", man_title("hydra-shim", '8') + std::string(kShimPage)) && good;
  for (const auto* shell : {"bash", "zsh", "fish"})
    good = put(std::string("completion.") + shell, completion_script(shell).value_or("")) && good;
  return good ? kDone : kFailed;
}

}  // namespace hydra::cli
