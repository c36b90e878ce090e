// adapters: argv and environment of a run. Placeholders are replaced within arguments; no shell parses them.
#include "adapters/adapters.hpp"
#include "adapters/secret_names.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::adapters {
namespace {

/// Linux's MAX_ARG_STRLEN without the NUL.
constexpr std::size_t kMaxArgument = 128 * 1024 - 1;

constexpr std::array<std::string_view, 22> kAllowed{"PATH",          "HOME",         "LANG",
                                                    "LC_ALL",        "USER",         "LOGNAME",
                                                    "SHELL",         "TMPDIR",       "HTTP_PROXY",
                                                    "HTTPS_PROXY",   "ALL_PROXY",    "NO_PROXY",
                                                    "FTP_PROXY",     "http_proxy",   "https_proxy",
                                                    "all_proxy",     "no_proxy",     "ftp_proxy",
                                                    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
                                                    "LC_CTYPE"};

// Variables that would point the agent's git at the user's repository, or suggest a nested agent.
constexpr std::array<std::string_view, 8> kNever{
    "GIT_DIR",        "GIT_WORK_TREE",         "GIT_INDEX_FILE",
    "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "CLAUDECODE",     "CLAUDE_CODE_ENTRYPOINT"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kFixed{{{"TERM", "dumb"},
                                                                               {"NO_COLOR", "1"},
                                                                               {"CI", "1"},
                                                                               {"GIT_TERMINAL_PROMPT", "0"},
                                                                               {"GIT_EDITOR", "true"},
                                                                               {"PAGER", "cat"}}};

std::optional<std::string> value_of(const LaunchContext& c, std::string_view name) {
  if (name == "prompt") return c.prompt;
  if (name == "prompt_file") return c.prompt_file;
  if (name == "worktree") return c.worktree;
  if (name == "model") return c.model;
  if (name == "run_dir") return c.run_dir;
  if (name == "home") return c.private_home;
  if (name == "session_uuid") return c.session_uuid;
  if (name == "session") return c.session;
  if (name == "timeout_s") return std::to_string(c.timeout_seconds);
  return std::nullopt;
}

/// Substitutes in one pass from left to right, so inserted text is never expanded.
std::string substitute(std::string_view text, const LaunchContext& context) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 1 < text.size() && text[i + 1] == '{') {
      out += '{';
      ++i;
      continue;
    }
    const auto close = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
    const auto value =
        close == std::string_view::npos ? std::nullopt : value_of(context, text.substr(i + 1, close - i - 1));
    if (value) {
      out += *value;
      i = close;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Returns an argument; nullopt if its condition does not hold: "{?model:--model}", "{?model}".
std::optional<std::string> expand(std::string_view text, const LaunchContext& context) {
  if (!text.starts_with("{?") || !text.ends_with('}')) return substitute(text, context);
  const auto inner = text.substr(2, text.size() - 3);
  const auto colon = inner.find(':');
  const auto value = value_of(context, inner.substr(0, colon));
  if (!value) return substitute(text, context);
  if (value->empty()) return std::nullopt;
  if (colon == std::string_view::npos) return value;
  return substitute(inner.substr(colon + 1), context);
}

bool mentions(const std::vector<std::string>& argv, std::string_view placeholder) {
  return std::any_of(argv.begin(), argv.end(),
                     [&](const std::string& a) { return a.find(placeholder) != std::string::npos; });
}

struct Command {
  std::vector<std::string> argv;
  bool prompt_on_stdin = false;
  bool too_long = false;
  bool looks_like_option = false;
};

Command build(const std::vector<std::string>& command, model::PromptVia via, const LaunchContext& context) {
  Command built;
  std::vector<std::string> parts = command;
  if (!mentions(parts, "{prompt}") && !mentions(parts, "{prompt_file}")) {
    if (via == model::PromptVia::argument) parts.emplace_back("{prompt}");
    if (via == model::PromptVia::file) parts.emplace_back("{prompt_file}");
    built.prompt_on_stdin = via == model::PromptVia::standard_input;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto argument = expand(parts[i], context);
    if (!argument) continue;
    built.too_long = built.too_long || argument->size() > kMaxArgument;
    if (parts[i] == "{prompt}" && i > 0 && parts[i - 1] != "--" && argument->starts_with('-'))
      built.looks_like_option = true;
    built.argv.push_back(std::move(*argument));
  }
  return built;
}

/// Applies the difference between command and long_command to the resume command, so that its prompt is
/// passed the other way. nullopt: the resume command lacks the differing part.
std::optional<std::vector<std::string>> long_resume(const model::AgentDescriptor& d) {
  const auto& a = d.command;
  const auto& b = d.long_command;
  std::size_t begin = 0, end = 0;
  const auto most = std::min(a.size(), b.size());
  while (begin < most && a[begin] == b[begin]) ++begin;
  while (end < most - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  const auto at = [](const auto& list, std::size_t i) {
    return list.begin() + static_cast<std::ptrdiff_t>(i);
  };
  const std::vector<std::string> out(at(a, begin), at(a, a.size() - end)),
      in(at(b, begin), at(b, b.size() - end));
  auto resume = d.resume_command;
  const auto found = std::search(resume.begin(), resume.end(), out.begin(), out.end());
  if (out.empty() || found == resume.end()) return std::nullopt;
  const auto place = resume.erase(found, found + static_cast<std::ptrdiff_t>(out.size()));
  resume.insert(place, in.begin(), in.end());
  return resume;
}

bool matches_name(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == name;
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return matches_name(p, name); });
}

template <class List>
bool listed(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Whether a variable of the user's environment is passed on. A literal name in env_pass or auth_env
/// overrides a pattern of env_unset.
bool passed(const model::AgentDescriptor& d, std::string_view name) {
  if (listed(kNever, name) || listed(d.env_unset, name)) return false;
  if (listed(d.env_pass, name) || listed(d.auth_env, name)) return true;
  if (any_matches(d.env_unset, name)) return false;
  if (d.home == model::HomePolicy::shared && !d.home_variable.empty() && name == d.home_variable) return true;
  return listed(kAllowed, name) || any_matches(d.env_pass, name);
}

bool secret_name(std::string_view name) {
  static constexpr std::array<std::string_view, 8> ends{"_KEY",        "_TOKEN", "_SECRET", "_CREDENTIALS",
                                                        "_PASSPHRASE", "_PAT",   "APIKEY",  "_AUTH"};
  const std::string upper = [&] {
    std::string u(name);
    for (char& c : u)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return u;
  }();
  if (upper == "TOKEN" || upper == "KEY" || upper == "SECRET" || upper.find("PASSWORD") != std::string::npos)
    return true;
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view e) { return upper.ends_with(e); });
}

/// Whether the value is a URL with a password, as of a proxy: "http://user:word@host".
bool secret_value(std::string_view value) {
  const auto scheme = value.find("://");
  return scheme != std::string_view::npos && value.find('@', scheme) != std::string_view::npos;
}

std::map<std::string, std::string> environment(const model::AgentDescriptor& d,
                                               const LaunchContext& context) {
  std::map<std::string, std::string> env;
  for (const auto& [name, value] : context.user_env)
    if (passed(d, name)) env[name] = value;
  env.try_emplace("LANG", "C.UTF-8");
  for (const auto& [name, value] : kFixed) env[std::string(name)] = value;
  const auto put = [&](const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values)
      if (auto text = expand(value, context)) env[name] = std::move(*text);
  };
  put(d.env);
  if (context.root) put(d.env_if_root);
  if (d.home == model::HomePolicy::per_run && !d.home_variable.empty())
    env[d.home_variable] = context.private_home;
  env["HYDRA_RUN_ID"] = context.attempt;
  return env;
}

}  // namespace

bool is_secret_variable(std::string_view name, std::string_view value) {
  return secret_name(name) || secret_value(value);
}

Result<Launch> plan_launch(const model::AgentDescriptor& descriptor, const LaunchContext& context) {
  if (descriptor.command.empty())
    return Error{Errc::config,
                 fmt::format("agent '{}' has no command", descriptor.id),
                 {},
                 "set its command in hydra.toml"};
  if (context.prompt.find('\0') != std::string::npos)
    return Error{Errc::usage, "the task contains a NUL byte", {}, "remove it"};
  const bool resume = !context.session.empty();
  if (resume && descriptor.resume_command.empty())
    return Error{Errc::usage,
                 fmt::format("agent '{}' can't go on with an earlier session", descriptor.id),
                 {},
                 "race again, or set its resume_command in hydra.toml"};
  Command command =
      build(resume ? descriptor.resume_command : descriptor.command, descriptor.prompt, context);
  if ((command.too_long || command.looks_like_option) && !descriptor.long_command.empty()) {
    if (!resume)
      command = build(descriptor.long_command, model::PromptVia::standard_input, context);
    else if (const auto longer = long_resume(descriptor))
      command = build(*longer, model::PromptVia::standard_input, context);
  }
  if (command.too_long)
    return Error{Errc::usage,
                 fmt::format("the task is too long for an argument of '{}' ({} bytes, at most {})",
                             descriptor.id, context.prompt.size(), kMaxArgument),
                 {},
                 "shorten it, or set prompt = \"stdin\" or use {prompt_file} in the agent's command"};
  Launch launch;
  launch.argv = std::move(command.argv);
  launch.prompt_on_stdin = command.prompt_on_stdin;
  for (auto& [name, value] : environment(descriptor, context)) {
    if (listed(descriptor.auth_env, name) || is_secret_variable(name, value)) launch.secrets.push_back(name);
    launch.env.emplace_back(name, value);
  }
  return launch;
}

}  // namespace hydra::adapters
