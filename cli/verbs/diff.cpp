#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/pager.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/diff_views.hpp"
#include "cli/render/result_block.hpp"
#include "wire/details.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <tuple>
#include <unistd.h>

namespace hydra::cli {
namespace {

struct DiffArgs {
  std::string agent, other;
  bool json = false, stat = false, words = false, columns = false, no_pager = false, behaviour = false,
       since_review = false;
};

constexpr std::size_t kColumnsElsewhere = 160;  // width of two columns if the output's width is unknown

// Returns links to files in the agent's workspace, if it exists.
FileLink link_of(const Context& context, const AgentRef& ref) {
  const auto paths = context.paths();
  if (!paths || ::isatty(1) == 0 || !shows_links(context.env())) return {};
  const auto root = paths->state / "races" / ref.race / "work" / replace_all(ref.agent, "#", ".");
  std::array<char, 256> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  return [root, host = std::string(host.data())](const std::string& path) {
    std::error_code ec;
    const auto file = root / path;
    return std::filesystem::exists(std::filesystem::symlink_status(file, ec))
               ? file_address(host, file.string())
               : std::string();
  };
}

// Resolves the other result; a plain name means the same race.
Result<AgentRef> other_result(client::Client& client, const AgentRef& ref, const std::string& name) {
  const bool plain = name.find('/') == std::string::npos;
  auto other = resolve_agent(client, plain ? ref.race + "/" + name : name);
  if (!other && plain) other = resolve_agent(client, name);
  if (other && other->race != ref.race)
    return Error{
        Errc::usage, "two results can be compared that are of one race", {}, "RACE/AGENT RACE/AGENT"};
  return other;
}

Result<std::string> stat_of(client::Client& client, const std::string& target, const Style& style,
                            const FileLink& link) {
  HYDRA_TRY(const auto found,
            get<wire::DiffFiles>(
                client, target + (target.find('?') == std::string::npos ? "?" : "&") + "format=json"));
  std::vector<FileStat> files;
  for (const auto& file : found.files) files.push_back({file.path, file.added, file.removed, file.binary});
  return diff_stat(files, style, style.width, link);
}

// A terminal gets colours and no control characters; other outputs get the bytes, for `git apply`.
Result<std::string> diff_text(const DiffArgs& args, client::Client& client, const std::string& target,
                              const Style& style, const FileLink& link) {
  if (args.stat) return stat_of(client, target, style, link);
  HYDRA_TRY(auto body, client.call("GET", target));
  if (args.words) return diff_words(body, style, link);
  if (args.columns)
    return diff_columns(body, style, style.width == 0 ? kColumnsElsewhere : style.width, link);
  if (style.width == 0 && !style.colour) return body;
  return diff_lines(body, style, link);
}

Result<int> diff_json(const DiffArgs& args, client::Client& client, const std::string& target,
                      const AgentRef& ref) {
  const auto more = target.find('?') == std::string::npos ? "?format=utf8" : "&format=utf8";
  HYDRA_TRY(const auto answer, client.request("GET", target + more));
  if (answer.status != 200) return client::error_of(answer);
  const auto cut = answer.headers.find("x-hydra-cut");
  OrderedJson out{{"schema", 1}, {"race", ref.race}, {"agent", ref.agent}};
  if (!args.other.empty()) out["against"] = to_utf8(args.agent);
  out["diff"] = to_utf8(answer.body);
  out["exact"] = out["diff"] == answer.body && (cut == answer.headers.end() || cut->second != "1");
  return say(one_line(out));
}

std::string behaviour_block(const wire::Behaviour& found, const Style& style) {
  const auto a = style.safe(found.a), b = style.safe(found.b);
  if (found.compared == 0) return "No test tells " + a + " and " + b + " apart: none ran on both by name.\n";
  if (found.differ.empty())
    return fmt::format("{} and {} end alike in all {} tests that ran on both.\n", a, b, found.compared);
  auto out =
      fmt::format("{} of {} tests that ran on both end differently:\n", found.differ.size(), found.compared);
  for (const auto& row : found.differ) {
    out += fmt::format("  {} ({})\n", style.safe(row.test),
                       row.of == "base" ? "of the base" : "of " + style.safe(row.of));
    for (const auto& [who, status, log] : {std::tuple{&a, &row.a, &row.a_log}, {&b, &row.b, &row.b_log}})
      out += fmt::format("    {}: {}{}\n", *who, words(*status),
                         log->empty() ? "" : "   log: " + style.safe(*log));
  }
  return out;
}

// Shows the tests with different outcomes in two results. The comparison does not rank: a person decides.
Result<int> behaviour(const std::string& target, const DiffArgs& args, client::Client& client,
                      Context& context) {
  HYDRA_TRY(const auto body, client.call("GET", target));
  if (args.json) return print_json(body);
  HYDRA_TRY(const auto found, wire::from_json<wire::Behaviour>(body));
  return say(behaviour_block(found, context.out()));
}

Result<int> diff(const DiffArgs& args, Context& context) {
  if (args.stat + args.words + args.columns + args.json > 1)
    return Error{Errc::usage, "--stat, --word-diff, --side-by-side and --json: one of them", {}, {}};
  if (args.since_review && !args.other.empty())
    return Error{Errc::usage, "--since-review is about one result", {}, "hydra diff codex --since-review"};
  if (args.behaviour && args.other.empty())
    return Error{Errc::usage, "--behaviour compares two results", "command line",
                 "hydra diff A B --behaviour"};
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(auto ref, resolve_agent(client, args.agent));
  std::string target = race_path(ref.race, "diff", ref.agent) + (args.since_review ? "?since=retry" : "");
  if (!args.other.empty()) {
    HYDRA_TRY(const auto other, other_result(client, ref, args.other));
    if (args.behaviour)
      return behaviour(
          race_path(ref.race, "behaviour", ref.agent) + "?against=" + client::url_encode(other.agent), args,
          client, context);
    // from the first to the second, as in git
    target = race_path(other.race, "diff", other.agent) + "?against=" + client::url_encode(ref.agent);
    ref = other;
  }
  if (args.json) return diff_json(args, client, target, ref);
  HYDRA_TRY(const auto text, diff_text(args, client, target, context.out(), link_of(context, ref)));
  if (!args.no_pager && ::isatty(1) != 0)
    if (const auto pager = diff_pager(); !pager.empty() && show_by_pager(pager, text)) return kDone;
  print(text);
  return kDone;
}

}  // namespace

Verb diff_verb() {
  return verb_of<DiffArgs>(
      "diff", "Show the changes of an agent, or the difference of two results",
      {"hydra diff codex", "hydra diff codex --stat", "hydra diff --side-by-side codex claude",
       "hydra diff codex --since-review", "hydra diff codex claude --behaviour # tests that end differently",
       "hydra diff codex-1708646400 | git apply --check"},
      [](Options& o, DiffArgs& args) {
        o.positional("agent", args.agent, true, "name in the last race, RACE/AGENT, or a branch");
        o.positional("other", args.other, false, "another result of the race: how it differs from the first");
        o.flag("--since-review", args.since_review, "what has changed since its last `hydra retry`");
        o.flag("--stat", args.stat, "only how much of each file");
        o.flag("--word-diff", args.words, "changed words in their lines");
        o.flag("--side-by-side,-y", args.columns, "in two columns");
        o.flag("--behaviour", args.behaviour,
               "tests that end differently on the two results: the base's, and those of all authors");
        o.flag("--no-pager", args.no_pager, "on a terminal, too, not through git's pager");
        o.flag("--json", args.json, "as one JSON object (docs/api.md)");
      },
      diff);
}

}  // namespace hydra::cli
