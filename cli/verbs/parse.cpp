// hydra parse: runs only the parsers, over any text.
#include "adapters/adapters.hpp"
#include "base/regular_file.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/input_file.hpp"
#include "cli/parse_agent_args.hpp"
#include "cli/render/parse_views.hpp"
#include "parsers/parsers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hydra::cli {
namespace {

struct ParseArgs {
  std::string kind = "test", format = "auto", report, root, exit_code;
  bool list = false, json = false;
  ParseAgentArgs agent;
};

constexpr std::size_t kMaxReport = std::size_t{256} << 20;

int list(const ParseArgs& args) {
  const auto tests = parsers::test_formats(), lint = parsers::lint_formats();
  if (args.json) {
    std::vector<std::string_view> agents;
    for (const auto& [id, descriptor] : adapters::builtin()) agents.emplace_back(id);
    return say(formats_json(tests, lint, agents));
  }
  for (const auto& [kind, names] : {std::pair("test", tests), std::pair("lint", lint)}) {
    std::string line = fmt::format("{}: auto", kind);
    for (const auto name : names) line += " " + std::string(name);
    print_line(line);
  }
  std::string line = "agent:";
  for (const auto& [id, descriptor] : adapters::builtin()) line += " " + id;
  return say(line);
}

Error unknown_format(const ParseArgs& args, const std::vector<std::string_view>& known) {
  const std::vector<std::string> names(known.begin(), known.end());
  const auto near = nearest(args.format, names);
  return {Errc::usage,
          fmt::format("no format '{}' of kind {}", args.format, args.kind),
          {},
          near ? fmt::format("did you mean '{}'? `hydra parse --list` prints all", *near)
               : std::string("`hydra parse --list` prints all")};
}

/// An exit code 128+N stays an exit code: whether a signal or the program caused it is unknown.
Result<parsers::ExitFacts> exit_of(const ParseArgs& args) {
  if (args.exit_code.empty()) return parsers::ExitFacts{};
  const auto n = parse_int(args.exit_code);
  if (!n || *n > 255) return Error{Errc::usage, "--exit-code takes 0 to 255", {}, {}};
  return parsers::ExitFacts{static_cast<int>(*n), {}};
}

Result<int> parse(const ParseArgs& args, Context& context) {
  if (args.list) return list(args);
  if (args.kind == "agent") return parse_agent_output(args.agent, args.format, args.exit_code, context);
  // Other kinds have their own readers.
  const bool tests = args.kind == "test";
  const auto known = tests ? parsers::test_formats() : parsers::lint_formats();
  if (args.format != "auto" && std::find(known.begin(), known.end(), args.format) == known.end())
    return unknown_format(args, known);
  HYDRA_TRY(const auto exit, exit_of(args));
  const char* chosen = std::getenv("TMPDIR");
  const std::string temporary = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  HYDRA_TRY(auto input, InputFile::read(0, temporary));
  // A large log with colours or cursor movements is cleaned on disk, not in memory.
  std::optional<Result<InputFile>> clean;
  const auto keep = [&](const auto& write) {
    clean = InputFile::produced(temporary, write);
    return *clean ? (*clean)->text() : std::string_view{};
  };
  const auto left = [&](std::string_view part) {
    input.leave(part);
    if (clean && *clean) (*clean)->leave(part);
  };

  const auto report = [&](const auto& read) -> Result<int> {
    if (clean && !*clean) return clean->error();
    print_report(read);
    return kDone;
  };
  std::vector<parsers::Report> reports;
  std::string text, problem;
  if (!args.report.empty()) {
    auto bytes = read_regular_file(args.report, kMaxReport);
    if (bytes)
      text = std::move(*bytes);
    else
      problem = bytes.error().message;
    reports.push_back({args.report, text, problem});
  }
  parsers::Hints hints{{}, args.format, args.root, {}, {}};
  if (input.mapped()) {
    hints.left_behind = left;
    hints.keep = keep;
  }
  return tests ? report(parsers::parse_tests(input.text(), exit, hints, reports))
               : report(parsers::parse_lint(input.text(), exit, hints, reports));
}

}  // namespace

Verb parse_verb() {
  return verb_of<ParseArgs>(
      "parse", "Parse test, lint or agent output into JSON",
      {"pytest 2>&1 | hydra parse --kind test", "hydra parse --kind lint --exit-code 1 < eslint.log",
       "hydra parse --report build/junit.xml --exit-code 0 < /dev/null",
       "hydra parse --kind agent --format claude --exit-code 1 < claude.jsonl", "hydra parse --list"},
      [](Options& o, ParseArgs& args) {
        o.choice("--kind", args.kind, {"test", "lint", "agent"}, "what the command does");
        o.value("--format", args.format, "NAME", "read as this format only (default: auto)");
        o.value("--exit-code", args.exit_code, "N", "how the command ended; unknown if not given");
        o.value("--report", args.report, "FILE", "a report that the command wrote, used first");
        o.value("--root", args.root, "DIR", "the project's absolute path: taken off the names");
        args.agent.declare(o);
        o.flag("--list", args.list, "the names of all formats");
        o.flag("--json", args.json, "with --list: as JSON; a result always is");
      },
      parse);
}

}  // namespace hydra::cli
