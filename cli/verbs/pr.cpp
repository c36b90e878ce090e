#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/programs.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/ci_files.hpp"
#include "cli/render/result_block.hpp"

#include <algorithm>

namespace hydra::cli {
namespace {

struct PrArgs {
  std::string result, base, title, remote = "origin", with;
  bool draft = false, dry_run = false, yes = false;
};

struct PrPlan {
  std::string branch, title, body;
  std::vector<std::string> push, open;  ///< command lines
  std::string input;                    ///< standard input of `open`
};

// Returns the task's first line as a title.
std::string title_of(const std::string& task) {
  for (const auto line : lines(task))
    if (const auto text = trim(line); !text.empty()) return ellipsize(sanitize(text), 72);
  return "A result of Hydra";
}

Result<AgentRef> winner_of(client::Client& client) {
  HYDRA_TRY(const auto target, race_target("", working_directory(), "/results"));
  HYDRA_TRY(const auto view, get<wire::Results>(client, target));
  if (view.winner.empty())
    return Error{Errc::not_found, "the last race here has no winner", view.race, "name a result"};
  return AgentRef{view.race, view.winner};
}

// Returns the forge's program, by option or by the remote's address.
std::string forge_of(const PrArgs& args, const std::string& address) {
  if (!args.with.empty()) return args.with;
  return to_lower(address).find("gitlab") != std::string::npos ? "glab" : "gh";
}

std::vector<std::string> open_words(const PrArgs& args, const std::string& forge, const PrPlan& plan) {
  std::vector<std::string> words;
  if (forge == "gh")
    words = {"gh", "pr", "create", "--head", plan.branch, "--title", plan.title, "--body-file", "-"};
  else
    words = {"glab",    "mr",       "create",        "--source-branch", plan.branch,
             "--title", plan.title, "--description", plan.body,         "--yes"};
  if (!args.base.empty()) {
    words.emplace_back(forge == "gh" ? "--base" : "--target-branch");
    words.push_back(args.base);
  }
  if (args.draft) words.emplace_back("--draft");
  return words;
}

Result<PrPlan> plan_of(const PrArgs& args, client::Client& client) {
  HYDRA_TRY(const auto ref, args.result.empty() ? winner_of(client) : resolve_agent(client, args.result));
  HYDRA_TRY(const auto view, get<wire::Results>(client, race_path(ref.race, "results")));
  const auto row = std::find_if(view.agents.begin(), view.agents.end(),
                                [&](const auto& agent) { return agent.agent == ref.agent; });
  if (row == view.agents.end() || row->branch.empty())
    return Error{Errc::refused, ref.agent + " has no branch", ref.race,
                 row == view.agents.end() || row->branch_refused.empty()
                     ? "`hydra results` shows which results have one"
                     : row->branch_refused};
  HYDRA_TRY(const auto address,
            run_captured({"git", "remote", "get-url", "--", args.remote}, working_directory()));
  if (address.exit != 0)
    return Error{Errc::usage,
                 "there is no remote `" + args.remote + "`",
                 {},
                 "`git remote -v` shows them; --remote NAME"};
  PrPlan plan;
  plan.branch = row->branch;
  plan.title = args.title.empty() ? title_of(view.task) : args.title;
  plan.body = "The task:\n\n" + fenced(sanitize(view.task, true)) +
              "\nHow the results of the race compare; this is " + "the one of `" +
              replace_all(sanitize(row->agent), "`", "'") + "`:\n\n" + fenced(result_block(view, Style{}));
  plan.push = {"git", "push", args.remote, "refs/heads/" + plan.branch + ":refs/heads/" + plan.branch};
  const auto forge = forge_of(args, address.out);
  plan.open = open_words(args, forge, plan);
  if (forge == "gh") plan.input = plan.body;
  return plan;
}

std::string shown_words(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const auto& word : words)
    quoted.push_back(word.find('\n') == std::string::npos ? shell_quote(word) : std::string("\"…\""));
  return join(quoted, " ");
}

Result<void> run_step(Context& context, const std::vector<std::string>& words, const std::string& input) {
  HYDRA_TRY(const auto run, run_captured(words, working_directory(), input));
  for (const auto line : lines(run.out)) print_line(context.out().safe(line));
  if (run.exit == 0) return {};
  return Error{Errc::environment,
               "`" + words[0] + " " + words[1] + "` failed with exit code " + std::to_string(run.exit) +
                   (trim(run.err).empty() ? "" : ":\n" + std::string(trim(run.err))),
               {},
               {}};
}

Result<int> pr(const PrArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto plan, plan_of(args, client));
  const auto& style = context.out();
  print_line(style.own("Publishes " + style.safe(plan.branch) + " and opens a pull request:"));
  print_line("  " + style.safe(shown_words(plan.push)));
  print_line("  " + style.safe(shown_words(plan.open)));
  if (args.dry_run) {
    print_line("\nIts text:\n");
    print(sanitize(plan.body, true));
    return say("\nNothing was pushed.");
  }
  if (!args.yes) {
    if (!context.interactive())
      return Error{
          Errc::refused, "no terminal to confirm the push on", {}, "--yes says so, --dry-run only shows"};
    if (!yes_to("Push and open it?")) return say("Nothing was pushed.", kNoWinner);
  }
  HYDRA_CHECK(run_step(context, plan.push, {}));
  auto opened = run_step(context, plan.open, plan.input);
  if (opened) return kDone;
  auto error = opened.error();
  error.hint = "the branch is pushed; `git push " + args.remote + " --delete " + plan.branch + "` deletes it";
  return error;
}

}  // namespace

Verb pr_verb() {
  return verb_of<PrArgs>(
      "pr", "Open a pull request of a result through gh or glab, after asking",
      {"hydra pr --dry-run # what it would do, and its text", "hydra pr codex --draft",
       "hydra pr 01jx4k/codex --base main --title \"Add JWT auth\" --yes"},
      [](Options& o, PrArgs& args) {
        o.positional("result", args.result, false,
                     "name in the last race, RACE/AGENT, or a branch (default: the winner of the last race)");
        o.value("--base,-b", args.base, "BRANCH", "branch to merge into (default: what the forge says)");
        o.value("--title,-t", args.title, "TEXT", "of the pull request (default: the task's first line)");
        o.value("--remote", args.remote, "NAME", "push there (default: origin)");
        o.choice("--with", args.with, {"gh", "glab"},
                 "program that opens it (default: by the remote's address)");
        o.flag("--draft", args.draft, "as a draft");
        o.flag("--dry-run", args.dry_run, "say what it would do, push nothing");
        o.flag("--yes,-y", args.yes, "do not ask");
      },
      pr);
}

}  // namespace hydra::cli
