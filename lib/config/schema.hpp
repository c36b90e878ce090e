// config, inside the room: the one table of keys. load(), its complaints, example() and the hints all read
// it, so a key that is not in the table does not exist. Each row leads from a key to the struct member that
// it sets.
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

/// An enumeration member, as its names and an index into them.
struct Choice {
  std::span<const std::string_view> names;
  void* member = nullptr;
  int (*get)(const void*) = nullptr;
  void (*set)(void*, int) = nullptr;
};

/// Where a value goes. The alternative decides which TOML type is expected.
using Target =
    std::variant<bool*, int*, double*, std::uint64_t*, std::string*, std::optional<std::string>*,
                 std::optional<double>*, std::vector<std::string>*, std::map<std::string, std::string>*,
                 std::map<int, std::string>*, std::vector<int>*, std::vector<model::StopStep>*,
                 model::JsonWhen*, std::vector<model::JsonWhen>*, std::vector<model::UsageRule>*, Choice>;

/// What texts must look like beyond their type.
enum class Form {
  any,
  shell_command,   ///< not empty, no NUL
  relative_paths,  ///< inside the repository: no "..", not absolute, not .git
  reports,         ///< "{reports}/" and a relative path, '*' in the last component
  output_globs,    ///< as relative_paths, with globs that don't match everything
  paths,           ///< relative or absolute
  host_paths,      ///< absolute, or under ~
  home_paths,      ///< "SOURCE?" or "SOURCE? -> TARGET", both relative
  argv,            ///< known placeholders only
  path_template,   ///< known placeholders, `*` and {session}, or empty
  resume_argv,     ///< known placeholders and {session}, or empty
  argv_or_empty,
  env_values,    ///< NAME = text with known placeholders
  env_names,     ///< NAME
  env_patterns,  ///< NAME or PREFIX_*
  pointer,       ///< JSON pointer or empty
  regex,         ///< RE2 or empty
  relative_path_or_empty,
  file_regexes,  ///< relative path = RE2
  exit_classes,  ///< exit code = auth | rate_limit | provider | agent_error | launch_error
  agent_list,
  judge_name,  ///< as an agent's
  http_url,    ///< http:// or https://, a host, nothing that ends a request line; or empty
  caches,      ///< names of config/ecosystem.hpp, or "~/…"
};

struct Rule {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  ///< min itself is not allowed
  Form form = Form::any;
};

/// A row of which nothing is asked but its type.
inline constexpr Rule kAny{};

/// A row's rule of form alone.
inline Rule form(Form f) {
  Rule rule;
  rule.form = f;
  return rule;
}

/// A row's enumeration.
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
  std::string_view sample{};  ///< TOML value for example() where the default is "none"
};

std::span<const Key<model::Config>> config_keys();
std::span<const Key<model::AgentDescriptor>> agent_keys();
/// One table of stream.usage_fallback.
std::span<const Key<model::UsageRule>> usage_keys();
/// One table of [prices].
std::span<const Key<model::Price>> price_keys();

/// One table of [[judges]].
std::span<const Key<model::JudgeConfig>> judge_keys();

/// The value of a member as TOML; empty for an absent optional.
std::string to_toml(const Target& target);
/// A TOML basic string.
std::string in_quotes(std::string_view text);

/// Names of signals in `stop`, without SIG.
std::optional<int> signal_from_name(std::string_view name);
std::string signal_name(int signal);

/// Complaint about an argv template: unknown placeholder, prompt inside a shell script. Nothing: fine.
std::optional<std::string> check_template(const std::vector<std::string>& argv, bool resume = false);
/// Complaint about one text with placeholders.
std::optional<std::string> check_placeholders(std::string_view text, bool resume = false);
/// [a-z0-9-]{1,32}, no hyphen at the ends.
bool valid_agent_id(std::string_view id);

}  // namespace hydra::config
