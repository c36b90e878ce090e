// config, inside the room: the one table of keys, which load(), example() and the hints read. A key that is
// not in the table does not exist. Each row maps a key to a struct member.
#pragma once

#include "model/config.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hydra::config {

/// An enumeration member as its names and an index into them.
struct Choice {
  std::span<const std::string_view> names;
  void* member = nullptr;
  int (*get)(const void*) = nullptr;
  void (*set)(void*, int) = nullptr;
};

/// The destination of a value; its alternative decides the expected TOML type.
using Target =
    std::variant<bool*, int*, double*, std::uint64_t*, std::string*, std::optional<std::string>*,
                 std::optional<double>*, std::vector<std::string>*, std::map<std::string, std::string>*,
                 std::map<int, std::string>*, std::vector<int>*, std::vector<model::StopStep>*,
                 model::JsonWhen*, std::vector<model::JsonWhen>*, std::vector<model::UsageRule>*, Choice>;

/// Required form of a text beyond its type.
enum class Form {
  any,
  shell_command,    ///< not empty, without NUL
  relative_paths,   ///< paths inside the repository: no "..", not absolute, not .git
  reports,          ///< "{reports}/" and a relative path; '*' only in the last component
  output_globs,     ///< as relative_paths, also globs that do not match everything
  protected_globs,  ///< output_globs, with "!" in front for exceptions
  paths,            ///< relative or absolute
  host_paths,       ///< absolute paths, or under ~
  home_paths,       ///< "SOURCE?" or "SOURCE? -> TARGET", both relative
  argv,             ///< words with known placeholders only
  path_template,    ///< known placeholders, `*` and {session}; or empty
  resume_argv,      ///< known placeholders and {session}; or empty
  argv_or_empty,
  env_values,    ///< NAME = text with known placeholders
  env_names,     ///< NAME
  env_settings,  ///< NAME or NAME=VALUE
  env_patterns,  ///< NAME or PREFIX_*
  pointer,       ///< JSON pointer or empty
  regex,         ///< RE2 or empty
  relative_path_or_empty,
  file_regexes,  ///< relative path = RE2
  exit_classes,  ///< exit code = auth | rate_limit | provider | agent_error | launch_error
  agent_list,
  judge_name,      ///< as an agent's name
  http_url,        ///< http:// or https:// with a host and nothing that ends a request line; or empty
  sbatch_options,  ///< "--partition=NAME" and the like
  caches,          ///< names of config/ecosystem.hpp, or "~/…"
};

struct Rule {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  ///< whether `min` itself is not allowed
  Form form = Form::any;
};

/// A rule that allows every value of the type.
inline constexpr Rule kAny{};

/// Returns a rule of form only.
inline Rule form(Form f) {
  Rule rule;
  rule.form = f;
  return rule;
}

/// Returns the choice for an enumeration member.
template <model::Worded E>
Choice choice(E& member) {
  return {model::kWords<E>.all, &member,
          [](const void* p) { return static_cast<int>(*static_cast<const E*>(p)); },
          [](void* p, int i) { *static_cast<E*>(p) = static_cast<E>(i); }};
}

template <class Root>
struct Key {
  std::string_view path;  ///< "scoring.thresholds.fail_maximum"
  Target (*at)(Root&) = nullptr;
  Rule rule = kAny;
  std::string_view unit{};    ///< "s", "bytes", "points", …; may be empty
  std::string_view doc{};     ///< one sentence
  std::string_view sample{};  ///< TOML value for example() if the default is "none"
};

std::span<const Key<model::Config>> config_keys();
std::span<const Key<model::AgentDescriptor>> agent_keys();
/// Keys of one table of stream.usage_fallback.
std::span<const Key<model::UsageRule>> usage_keys();
/// Keys of one table of [prices].
std::span<const Key<model::Price>> price_keys();

/// Keys of one table of [[judges]].
std::span<const Key<model::JudgeConfig>> judge_keys();

/// Returns the member's value as TOML; empty for an absent optional.
std::string to_toml(const Target& target);
/// Returns the text as a TOML basic string.
std::string in_quotes(std::string_view text);

/// Converts names of signals in `stop`, without "SIG".
std::optional<int> signal_from_name(std::string_view name);
std::string signal_name(int signal);

/// Returns the complaint about an argv template: unknown placeholder, or prompt inside a shell script.
std::optional<std::string> check_template(const std::vector<std::string>& argv, bool resume = false);
/// Returns the complaint about one text with placeholders.
std::optional<std::string> check_placeholders(std::string_view text, bool resume = false);
/// Whether the id matches [a-z0-9-]{1,32}, without a hyphen at either end.
bool valid_agent_id(std::string_view id);

}  // namespace hydra::config
