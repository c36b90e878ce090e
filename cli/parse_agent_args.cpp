#include "cli/parse_agent_args.hpp"

#include "adapters/adapters.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/parse_agent.hpp"
#include "cli/project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>

namespace hydra::cli {
namespace {

std::optional<int> number(std::string_view text, int low, int high) {
  const bool negative = text.starts_with('-');
  const auto value = parse_int(negative ? text.substr(1) : text);
  if (!value || *value > high) return std::nullopt;
  const int n = static_cast<int>(negative ? -*value : *value);
  return n < low ? std::nullopt : std::optional(n);
}

Error not_a(std::string_view option, std::string_view what) {
  return {Errc::usage, fmt::format("{} takes {}", option, what), {}, {}};
}

}  // namespace

void ParseAgentArgs::declare(Options& o) {
  o.value("--signal", signal, "N", "of an agent: the signal that ended it, instead of --exit-code");
  o.value("--stderr", stderr_file, "FILE", "of an agent: what it wrote to standard error");
  o.value("--usage-file", usage_file, "FILE", "of an agent: the file that it wrote its usage to");
  o.value("--model", model, "NAME",
          "of an agent: its model, to estimate the cost where the output names none");
  o.value("--duration", seconds, "TIME", "of an agent: how long it ran, as 90s");
  o.choice("--changed", changed, {"yes", "no", "unknown"}, "of an agent: whether it changed anything");
  o.flag("--timed-out", timed_out, "of an agent: it was stopped because its time was up");
  o.flag("--cancelled", cancelled, "of an agent: it was cancelled");
  o.flag("--over-budget", over_budget, "of an agent: it was stopped because of its budget");
}

std::optional<Error> contradiction(const ParseAgentArgs& args, const std::string& exit_code) {
  if (!exit_code.empty() && !args.signal.empty())
    return Error{Errc::usage, "--exit-code and --signal exclude each other", {}, {}};
  const bool stops[] = {args.timed_out, args.cancelled, args.over_budget};
  if (std::count(std::begin(stops), std::end(stops), true) > 1)
    return Error{Errc::usage, "--timed-out, --cancelled and --over-budget exclude each other", {}, {}};
  return std::nullopt;
}

Result<int> parse_agent_output(const ParseAgentArgs& args, const std::string& format,
                               const std::string& exit_code, Context& context) {
  if (format.empty() || format == "auto")
    return Error{Errc::usage,
                 "--kind agent needs --format NAME",
                 {},
                 "as claude; `hydra parse --list` prints all names"};
  if (const auto error = contradiction(args, exit_code)) return *error;
  ParseAgentOptions options;
  options.format = format;
  options.stderr_file = args.stderr_file;
  options.usage_file = args.usage_file;
  options.model = args.model;
  options.timed_out = args.timed_out;
  options.cancelled = args.cancelled;
  options.over_budget = args.over_budget;
  if (args.changed != "unknown") options.changed = args.changed == "yes";
  if (!exit_code.empty()) {
    const auto code = number(exit_code, -64, 255);
    if (!code) return not_a("--exit-code", "0 to 255, or a negative signal");
    options.exit_code = *code;
  }
  if (!args.signal.empty()) {
    const auto signal = number(args.signal, 1, 64);
    if (!signal) return not_a("--signal", "1 to 64");
    options.signal = *signal;
  }
  if (!args.seconds.empty()) {
    HYDRA_TRY(const auto seconds, parse_duration(args.seconds));
    options.seconds = seconds;
  }
  // Without a home directory no user configuration exists, but the built-in agents do.
  options.agents = adapters::builtin();
  if (context.paths()) {
    HYDRA_TRY(auto config, load_config(context));
    options.agents = std::move(config.agents);
    options.prices = std::move(config.prices);
  }
  std::ios::sync_with_stdio(false);
  return parse_agent(options, std::cin, std::cout);
}

}  // namespace hydra::cli
