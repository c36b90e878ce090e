#include "config/forms.hpp"

#include "base/strings.hpp"
#include "config/ecosystem.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::config {
namespace {

constexpr std::array<std::string_view, 8> kPlaceholders{
    "prompt", "prompt_file", "worktree", "model", "run_dir", "home", "session_uuid", "timeout_s"};
constexpr std::array<std::pair<std::string_view, int>, 7> kSignals{
    {{"HUP", 1}, {"INT", 2}, {"QUIT", 3}, {"KILL", 9}, {"USR1", 10}, {"USR2", 12}, {"TERM", 15}}};
constexpr std::array<std::string_view, 5> kClasses{"auth", "rate_limit", "provider", "agent_error",
                                                   "launch_error"};

bool word_char(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

bool known_placeholder(std::string_view name, bool resume) {
  if (resume && name == "session") return true;
  return std::find(kPlaceholders.begin(), kPlaceholders.end(), name) != kPlaceholders.end();
}

std::string placeholder_error(std::string_view name, bool resume) {
  std::vector<std::string> all(kPlaceholders.begin(), kPlaceholders.end());
  if (resume) all.emplace_back("session");
  const auto near = nearest(name, all);
  return fmt::format("unknown placeholder {{{}}}; {}write {{{{{}}} for a literal brace", sanitize(name),
                     near ? fmt::format("did you mean {{{}}}? or ", *near) : std::string(), sanitize(name));
}

bool env_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 || u == 0x7f;
  });
}

Complaint check_path(std::string_view text) {
  if (text.empty()) return "a path must not be empty";
  if (has_control(text)) return "a path must not contain control characters";
  return std::nullopt;
}

Complaint check_url(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto scheme = text.starts_with("https://") ? 8u : text.starts_with("http://") ? 7u : 0u;
  if (scheme == 0) return "expected an address that begins with https:// or http://";
  if (has_control(text) || text.find(' ') != std::string_view::npos)
    return "an address must not contain blanks or control characters";
  if (text.size() == scheme || text[scheme] == '/') return "the address names no host";
  const auto authority = text.substr(scheme, text.find_first_of("/?#", scheme) - scheme);
  if (authority.find('@') != std::string_view::npos) return "an address must not hold a user or a password";
  return std::nullopt;
}

Complaint check_relative(std::string_view text) {
  if (auto bad = check_path(text)) return bad;
  if (text[0] == '/') return "expected a path relative to the repository, not an absolute one";
  if (text[0] == '~') return "expected a path inside the repository, not one under ~";
  bool names_something = false;
  for (const auto part : split(text, '/')) {
    if (part == "..") return "\"..\" is not allowed: the path must stay inside the repository";
    if (part == ".git") return ".git can't be copied or shared";
    names_something = names_something || (!part.empty() && part != ".");
  }
  if (!names_something) return "expected a path below the repository's root";
  return std::nullopt;
}

/// The pattern must name a file, because matches are removed before a cold build.
Complaint check_report(std::string_view text) {
  constexpr std::string_view kPlace = "{reports}/";
  if (!text.starts_with(kPlace)) return "expected {reports}/ and the name of a file, as {reports}/junit.xml";
  text.remove_prefix(kPlace.size());
  const auto slash = text.rfind('/');
  if (slash != std::string_view::npos && text.substr(0, slash).find('*') != std::string_view::npos)
    return "'*' is for the name of the file only";
  return check_relative(std::string(text));
}

// Options that say what a job gets; the rest of a job's command line is Hydra's.
Complaint check_sbatch(std::string_view text) {
  constexpr std::array<std::string_view, 12> kOptions{
      "--account=",  "--comment=", "--constraint=", "--cpus-per-task=", "--exclude=",     "--gres=",
      "--licenses=", "--mem=",     "--partition=",  "--qos=",           "--reservation=", "--time="};
  for (const auto option : kOptions)
    if (text.starts_with(option) && text.size() > option.size()) return std::nullopt;
  return fmt::format("expected one of {}, each with its value", fmt::join(kOptions, " "));
}

Complaint check_outputs(std::string_view text) {
  if (auto bad = check_relative(text)) return bad;
  bool names_something = false;
  for (const auto part : split(text, '/')) {
    if (part.find("**") != std::string_view::npos && part != "**")
      return "\"**\" must stand alone between slashes, as in \"**/dist\"";
    names_something =
        names_something || (part != "." && part.find_first_not_of("*?") != std::string_view::npos);
  }
  if (!names_something) return "the pattern would match every file; name a directory or file";
  return std::nullopt;
}

Complaint check_host_path(std::string_view text) {
  if (auto bad = check_path(text)) return bad;
  if (text[0] == '/' || text == "~" || text.starts_with("~/")) return std::nullopt;
  return "expected an absolute path or one that begins with ~/";
}

Complaint check_home_path(std::string_view text) {
  const auto arrow = text.find(" -> ");
  auto source = text.substr(0, arrow);
  if (source.ends_with('?')) source.remove_suffix(1);
  if (auto bad = check_relative(source)) return bad;
  if (arrow == std::string_view::npos) return std::nullopt;
  auto target = text.substr(arrow + 4);
  if (target.starts_with("~/")) target.remove_prefix(2);  // relative to the private home
  return check_relative(target);
}

Complaint check_env_pattern(std::string_view text) {
  if (text.ends_with('*')) {
    text.remove_suffix(1);
    if (text.empty()) return "\"*\" alone would pass all your secrets on; name a prefix";
  }
  if (!env_name(text)) return "expected the name of a variable, or PREFIX_*";
  return std::nullopt;
}

Complaint check_regex(std::string_view text) {
  if (text.empty()) return std::nullopt;
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 re(re2::StringPiece(text.data(), text.size()), options);
  if (re.ok()) return std::nullopt;
  return "bad regular expression (RE2 syntax): " + sanitize(re.error());
}

/// Whether this program executes the word after `flag` as code.
bool runs_code(std::string_view program, std::string_view flag) {
  if (flag.size() < 2 || flag[0] != '-' || flag[1] == '-') return false;
  const auto slash = program.rfind('/');
  if (slash != std::string_view::npos) program.remove_prefix(slash + 1);
  if (program == "sh" || program == "bash" || program == "dash" || program == "zsh" || program == "ksh" ||
      program == "fish" || program.starts_with("python"))
    return flag.back() == 'c';
  return (program == "perl" || program == "ruby" || program == "node") && flag.back() == 'e';
}

/// Whether an interpreter before it executes the argument ("env", "bash", "-lc", SCRIPT).
bool is_script(const std::vector<std::string>& argv, std::size_t index) {
  if (index < 2) return false;
  return std::any_of(argv.begin(), argv.begin() + static_cast<std::ptrdiff_t>(index) - 1,
                     [&](const std::string& a) { return runs_code(a, argv[index - 1]); });
}

}  // namespace

std::optional<int> signal_from_name(std::string_view name) {
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (const auto& [n, value] : kSignals)
    if (n == name) return value;
  return std::nullopt;
}

std::string signal_name(int signal) {
  for (const auto& [n, value] : kSignals)
    if (value == signal) return std::string(n);
  return std::to_string(signal);
}

std::optional<std::string> check_placeholders(std::string_view text, bool resume) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') continue;
    if (i + 1 < text.size() && text[i + 1] == '{') {
      ++i;
      continue;
    }
    std::size_t begin = i + 1;
    const bool conditional = begin < text.size() && text[begin] == '?';
    if (conditional) ++begin;
    std::size_t end = begin;
    while (end < text.size() && word_char(text[end])) ++end;
    const auto name = text.substr(begin, end - begin);
    if (conditional) {
      if (i != 0 || text.back() != '}') return "{?NAME:TEXT} must be a whole argument";
      if (!known_placeholder(name, resume)) return placeholder_error(name, resume);
      if (end < text.size() && text[end] != ':' && text[end] != '}')
        return "expected {?NAME} or {?NAME:TEXT}";
      if (text[end] == '}') return end + 1 == text.size() ? Complaint() : "{?NAME} must be a whole argument";
      return check_placeholders(text.substr(end + 1, text.size() - end - 2), resume);
    }
    if (name.empty() || end == text.size() || text[end] != '}') continue;  // a literal brace
    if (!known_placeholder(name, resume)) return placeholder_error(name, resume);
    i = end;
  }
  return std::nullopt;
}

std::optional<std::string> check_template(const std::vector<std::string>& argv, bool resume) {
  if (argv.empty()) return "expected at least the program's name";
  if (trim(argv[0]).empty()) return "the program's name is empty";
  for (std::size_t i = 0; i < argv.size(); ++i) {
    if (argv[i].find('\0') != std::string::npos) return "an argument can't contain NUL";
    if (auto bad = check_placeholders(argv[i], resume)) return bad;
    if (is_script(argv, i) && argv[i].find("{prompt}") != std::string::npos)
      return "{prompt} inside a script would be run as code; pass it as an argument: "
             "[\"sh\", \"-c\", \"my-agent \\\"$1\\\"\", \"sh\", \"{prompt}\"]";
  }
  return std::nullopt;
}

Complaint check_text(Form form, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return "NUL is not allowed";
  switch (form) {
    case Form::shell_command:
      if (trim(text).empty()) return "must not be empty; leave the key out if there is none";
      return std::nullopt;
    case Form::relative_paths:
      return check_relative(text);
    case Form::reports:
      return check_report(text);
    case Form::output_globs:
      return check_outputs(text);
    case Form::protected_globs:
      return check_outputs(text.starts_with('!') ? text.substr(1) : text);
    case Form::judge_name:
      return valid_agent_id(text) ? Complaint()
                                  : Complaint("expected 1 to 32 of a-z, 0-9 and -, with no - at the ends");
    case Form::http_url:
      return check_url(text);
    case Form::caches:
      return check_cache(text);
    case Form::sbatch_options:
      return check_sbatch(text);
    case Form::paths:
      return check_path(text);
    case Form::host_paths:
      return check_host_path(text);
    case Form::home_paths:
      return check_home_path(text);
    case Form::env_settings:
      return env_name(text.substr(0, text.find('='))) ? Complaint()
                                                      : Complaint("expected NAME or NAME=VALUE");
    case Form::env_names:
      return env_name(text) ? Complaint() : Complaint("expected the name of a variable");
    case Form::env_patterns:
      return check_env_pattern(text);
    case Form::pointer:
      for (const auto part : split(text, '|'))
        if (!text.empty() && !part.starts_with('/')) return "expected a JSON pointer, which begins with /";
      return std::nullopt;
    case Form::path_template:
      return check_placeholders(text, true);
    case Form::regex:
      return check_regex(text);
    case Form::relative_path_or_empty:
      return text.empty() ? std::nullopt : check_relative(text);
    default:
      return std::nullopt;
  }
}

Complaint check_list(Form form, const std::vector<std::string>& list) {
  if (form == Form::argv) return check_template(list);
  if (form == Form::argv_or_empty && !list.empty()) return check_template(list);
  if (form == Form::resume_argv && !list.empty()) return check_template(list, true);
  return std::nullopt;
}

Complaint check_pair(Form form, std::string_view key, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return "NUL is not allowed";
  if (form == Form::env_values) {
    if (!env_name(key)) return fmt::format("'{}' is no name of a variable", sanitize(key));
    return check_placeholders(text);
  }
  if (form == Form::exit_classes) {
    const auto code = parse_int(key);
    if (!code || *code > 255) return "expected an exit code from 0 to 255 as key";
    if (std::find(kClasses.begin(), kClasses.end(), text) == kClasses.end())
      return "expected one of auth, rate_limit, provider, agent_error, launch_error";
    return std::nullopt;
  }
  if (form == Form::file_regexes)
    if (auto bad = check_regex(text)) return bad;
  return check_relative(key);  // home.write is checked the same way
}

bool valid_agent_id(std::string_view id) {
  if (id.empty() || id.size() > 32 || id.front() == '-' || id.back() == '-') return false;
  return std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::string_view canonical_agent(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kOtherNames{
      {{"cursor", "cursor-agent"},
       {"claude-code", "claude"},
       {"codex-cli", "codex"},
       {"openai-codex", "codex"},
       {"gemini-cli", "gemini"},
       {"qwen-code", "qwen"},
       {"opencode-ai", "opencode"},
       {"copilot-cli", "copilot"},
       {"github-copilot", "copilot"},
       {"pi-coding-agent", "pi"},
       {"continue", "cn"},
       {"continue-cli", "cn"},
       {"ampcode", "amp"},
       {"factory", "droid"},
       {"augment", "auggie"},
       {"block-goose", "goose"},
       {"kiro", "kiro-cli"},
       {"agy", "antigravity"},
       {"antigravity-cli", "antigravity"},
       {"open-hands", "openhands"},
       {"kilo", "kilocode"},
       {"kilo-code", "kilocode"},
       {"charm-crush", "crush"},
       {"devin-cli", "devin"}}};
  for (const auto& [other, id] : kOtherNames)
    if (name == other) return id;
  return name;
}

}  // namespace hydra::config
