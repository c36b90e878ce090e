#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/diff_views.hpp"
#include "cli/json_fields.hpp"
#include "cli/pager.hpp"
#include "cli/race_ref.hpp"

#include <array>
#include <filesystem>
#include <unistd.h>

namespace hydra::cli {
namespace {

struct DiffArgs {
  std::string agent, other;
  bool json = false, stat = false, words = false, columns = false, no_pager = false;
};

constexpr std::size_t kColumnsElsewhere = 160;  // of two columns where nobody knows how wide the place is

// The file in the workspace of the agent, while that is there.
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

Result<std::string> diff_target(client::Client& client, const DiffArgs& args, AgentRef& ref) {
  HYDRA_TRY(ref, resolve_agent(client, args.agent));
  std::string query;
  if (!args.other.empty()) {
    HYDRA_TRY(const auto other, resolve_agent(client, args.other));
    if (other.race != ref.race)
      return Error{
          Errc::usage, "two results can be compared that are of one race", {}, "RACE/AGENT RACE/AGENT"};
    query = "?against=" + client::url_encode(ref.agent);
    ref = other;
  }
  return "/v1/races/" + client::url_encode(ref.race) + "/diff/" + client::url_encode(ref.agent) + query;
}

Result<std::string> stat_of(client::Client& client, const std::string& target, const Style& style,
                            const FileLink& link) {
  HYDRA_TRY(const auto body,
            client.call("GET", target + (target.find('?') == std::string::npos ? "?" : "&") + "format=json"));
  const auto json = nlohmann::json::parse(body, nullptr, false);
  std::vector<FileStat> files;
  for (const auto& file : member(json, "files")) {
    FileStat stat{text(file, "path"), 0, 0, member(file, "binary") == true};
    if (const auto& added = member(file, "added"); added.is_number_integer())
      stat.added = added.get<std::int64_t>();
    if (const auto& removed = member(file, "removed"); removed.is_number_integer())
      stat.removed = removed.get<std::int64_t>();
    files.push_back(std::move(stat));
  }
  return diff_stat(files, style, style.width, link);
}

// A terminal gets colours and no control characters; anything else gets the bytes, so that `git apply` takes
// them.
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

int diff_json(const DiffArgs& args, Context& context, client::Client& client, const std::string& target,
              const AgentRef& ref) {
  const auto body = client.call("GET", target);
  if (!body) return context.fail(body.error());
  std::string against;
  if (!args.other.empty()) against = ",\"against\":" + json_string(args.agent);
  print_line("{\"schema\":1,\"race\":" + json_string(ref.race) + ",\"agent\":" + json_string(ref.agent) +
             against + ",\"diff\":" + json_string(*body) + "}");
  return kDone;
}

int diff(const DiffArgs& args, Context& context) {
  if (args.stat + args.words + args.columns + args.json > 1)
    return context.fail({Errc::usage, "--stat, --word-diff, --side-by-side and --json: one of them", {}, {}});
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  AgentRef ref;
  const auto target = diff_target(*client, args, ref);
  if (!target) return context.fail(target.error());
  if (args.json) return diff_json(args, context, *client, *target, ref);
  const auto text = diff_text(args, *client, *target, context.out(), link_of(context, ref));
  if (!text) return context.fail(text.error());
  if (!args.no_pager && ::isatty(1) != 0)
    if (const auto pager = diff_pager(); !pager.empty() && show_by_pager(pager, *text)) return kDone;
  print(*text);
  return kDone;
}

}  // namespace

Verb diff_verb() {
  auto args = std::make_shared<DiffArgs>();
  return {"diff",
          "What an agent changed, or how two results differ",
          {"hydra diff codex", "hydra diff codex --stat", "hydra diff --side-by-side codex claude",
           "hydra diff codex-1708646400 | git apply --check"},
          [args](Options& o) {
            o.positional("agent", args->agent, true, "name in the last race, RACE/AGENT, or a branch");
            o.positional("other", args->other, false,
                         "another result of the race: how it differs from the first");
            o.flag("--stat", args->stat, "only how much of each file");
            o.flag("--word-diff", args->words, "changed words in their lines");
            o.flag("--side-by-side,-y", args->columns, "in two columns");
            o.flag("--no-pager", args->no_pager, "on a terminal, too, not through git's pager");
            o.flag("--json", args->json, "as one JSON object (docs/results.md)");
          },
          [args](Context& context) { return diff(*args, context); },
          {}};
}

}  // namespace hydra::cli
