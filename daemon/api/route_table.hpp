// daemon/api: every operation of docs/openapi.json, as data.
#pragma once

#include <string_view>

namespace hydra::api {

enum class Operation {
  health,
  openapi,
  shutdown,
  templates,
  clean,
  merge,
  combine,
  agents,
  doctor,
  create,
  list,
  events,
  status,
  results,
  tests,
  test,
  lint,
  attempts,
  explain,
  verification,
  race_events,
  log,
  log_lines,
  diff,
  report,
  rescore,
  approve,
  rate,
  measure,
  behaviour,
  leaderboard,
  history,
  rebuild_history,
  forget_history,
  verify,
  cancel,
  retry,
  restore,
  open_ui,
  show_ui,
  close_ui,
  end_session,
  metrics,
};

struct Route {
  std::string_view method;
  std::string_view path;  ///< "{race}": an id, a unique prefix or `last`; another name in braces: one segment
  Operation operation;
  /// Members that a body may have. One with '!' is taken on the unix socket only: whoever looks at the
  /// scoreboard names neither a path nor a configuration nor an environment.
  std::string_view members = {};
  bool door = true;  ///< answered through the loopback listener, too
};

inline constexpr Route kRoutes[] = {
    {"GET", "/v1/health", Operation::health},
    {"GET", "/v1/openapi.json", Operation::openapi},
    {"POST", "/v1/shutdown", Operation::shutdown, "drain", false},
    {"GET", "/v1/templates", Operation::templates},
    {"POST", "/v1/clean", Operation::clean,
     "apply wait race repository! older_than_ms keep_ms min_bytes only uncaptured"},
    {"POST", "/v1/merge", Operation::merge,
     "race agent target! directory! dry_run squash ff ff_only message expected_ref allow parts! "
     "accept_changes "
     "repair_changes repair_only! undo wait environment! preview"},
    {"POST", "/v1/combine", Operation::combine, "parts directory", false},
    {"POST", "/v1/agents", Operation::agents, "environment! config! probe only"},
    {"POST", "/v1/doctor", Operation::doctor, "environment! directory!"},
    {"POST", "/v1/races", Operation::create,
     "directory task agents config base include_dirty fresh_baseline check_only auto_merge environment "
     "rounds until "
     "kind labels id",
     false},
    {"GET", "/v1/races", Operation::list},
    {"GET", "/v1/events", Operation::events},
    {"GET", "/v1/leaderboard", Operation::leaderboard},
    {"GET", "/v1/history", Operation::history},
    {"POST", "/v1/history/rebuild", Operation::rebuild_history},
    {"POST", "/v1/history/forget", Operation::forget_history, "race", false},
    {"GET", "/v1/races/{race}", Operation::status},
    {"GET", "/v1/races/{race}/results", Operation::results},
    {"GET", "/v1/races/{race}/tests", Operation::tests},
    {"GET", "/v1/races/{race}/tests/{agent}", Operation::test},
    {"GET", "/v1/races/{race}/lint/{agent}", Operation::lint},
    {"GET", "/v1/races/{race}/attempts", Operation::attempts},
    {"GET", "/v1/races/{race}/explain/{agent}", Operation::explain},
    {"GET", "/v1/races/{race}/verification", Operation::verification},
    {"GET", "/v1/races/{race}/events", Operation::race_events},
    {"GET", "/v1/races/{race}/logs/{subject}", Operation::log},
    {"GET", "/v1/races/{race}/logs/{subject}/lines", Operation::log_lines},
    {"GET", "/v1/races/{race}/diff/{agent}", Operation::diff},
    {"GET", "/v1/races/{race}/behaviour/{agent}", Operation::behaviour},
    {"GET", "/v1/races/{race}/report", Operation::report},
    {"POST", "/v1/races/{race}/rescore", Operation::rescore, "weights"},
    {"POST", "/v1/races/{race}/approve", Operation::approve, "tests deleted accept! unprotected! author!"},
    {"POST", "/v1/races/{race}/rate", Operation::rate, "agent rating note author!"},
    {"POST", "/v1/races/{race}/measure", Operation::measure, "agent mutants coverage"},
    {"POST", "/v1/races/{race}/verify", Operation::verify},
    {"POST", "/v1/races/{race}/cancel", Operation::cancel, "agent"},
    {"POST", "/v1/races/{race}/retry", Operation::retry,
     "agent message budget_usd budget_tokens environment!"},
    {"POST", "/v1/races/{race}/restore", Operation::restore, "wait"},
    {"POST", "/v1/ui", Operation::open_ui, "port allow_ports race environment", false},
    {"GET", "/v1/ui", Operation::show_ui, {}, false},
    {"DELETE", "/v1/ui", Operation::close_ui, {}, false},
    {"DELETE", "/v1/ui/{session}", Operation::end_session, {}, false},
    {"GET", "/metrics", Operation::metrics, {}, false},
};

}  // namespace hydra::api
