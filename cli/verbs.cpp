#include "cli/app.hpp"

namespace hydra::cli {

namespace {

struct NamedVerb {
  std::string_view name;
  Verb (*make)();
};

constexpr NamedVerb kVerbs[] = {
    {"race", race_verb},
    {"status", status_verb},
    {"watch", watch_verb},
    {"list", list_verb},
    {"results", results_verb},
    {"explain", explain_verb},
    {"rescore", rescore_verb},
    {"leaderboard", leaderboard_verb},
    {"history", history_verb},
    {"export", export_verb},
    {"standings", standings_verb},
    {"bench", bench_verb},
    {"verify", verify_verb},
    {"logs", logs_verb},
    {"diff", diff_verb},
    {"merge", merge_verb},
    {"retry", retry_verb},
    {"rate", rate_verb},
    {"report", report_verb},
    {"ui", ui_verb},
    {"cancel", cancel_verb},
    {"agents", agents_verb},
    {"doctor", doctor_verb},
    {"init", init_verb},
    {"check", check_verb},
    {"config", config_verb},
    {"parse", parse_verb},
    {"score", score_verb},
    {"demo", demo_verb},
    {"clean", clean_verb},
    {"daemon", daemon_verb},
    {"completion", completion_verb},
    {"mcp", mcp_verb},
    {"ci", ci_verb},
    {"pr", pr_verb},
};

}  // namespace

std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs;
  for (const auto& entry : kVerbs) verbs.push_back(entry.make());
  return verbs;
}

std::optional<Verb> find_verb(std::string_view name) {
  for (const auto& entry : kVerbs)
    if (entry.name == name) return entry.make();
  return std::nullopt;
}

}  // namespace hydra::cli
