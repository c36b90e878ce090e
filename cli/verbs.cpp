#include "cli/app.hpp"

namespace hydra::cli {

std::vector<Verb> all_verbs() {
  return {race_verb(),    status_verb(),      watch_verb(),   list_verb(),   results_verb(),   explain_verb(),
          rescore_verb(), leaderboard_verb(), history_verb(), export_verb(), standings_verb(), bench_verb(),
          verify_verb(),  logs_verb(),        diff_verb(),    merge_verb(),  retry_verb(),     rate_verb(),
          report_verb(),  ui_verb(),          cancel_verb(),  agents_verb(), doctor_verb(),    init_verb(),
          check_verb(),   config_verb(),      parse_verb(),   score_verb(),  demo_verb(),      clean_verb(),
          daemon_verb(),  completion_verb(),  mcp_verb(),     ci_verb(),     pr_verb()};
}

}  // namespace hydra::cli
