// cli/tui: the full-screen view of a race: combines model, picture and terminal, and sends the requests of
// keys. follow.cpp reports events of the race.
#pragma once

#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "cli/tui/model.hpp"
#include "cli/tui/terminal.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace hydra::cli::tui {

/// Whether standard input and output are a terminal of at least 40 columns with cursor addressing, and
/// HYDRA_PLAIN is not set.
bool has_room(const EnvLookup& env);

class RaceScreen {
 public:
  /// Opens the screen; null if ncurses does not know the terminal.
  static std::unique_ptr<RaceScreen> open(const Style& style, const std::string& race);

  void status(client::Client& client, wire::Status status);
  /// Shows a sentence in the note line: a race's reason to wait, a lost daemon.
  void say(std::string note);
  /// Repaints the screen, since a restarted daemon may have written on the terminal.
  void connected_again();
  /// Advances clocks and reads on in a log.
  void tick(client::Client& client);
  /// Handles keys; false: the user leaves.
  bool input(client::Client& client);

  enum class Left { quit, resumed, interrupted };
  /// Runs after the race's end until the user leaves, a signal comes, or the race resumes (`hydra retry`).
  Left browse(client::Client& client, Interrupts& interrupts);
  /// Whether a key was pressed: the screen then stays after the end of the race.
  [[nodiscard]] bool touched() const { return model_.touched; }
  /// Whether the last status showed an ended race; the event stream may end later.
  [[nodiscard]] bool over() const { return is_over(model_.status.state); }
  /// Returns the last event id before the retry, after Left::resumed.
  std::int64_t take_resumed() { return std::exchange(resumed_after_, std::nullopt).value_or(0); }

 private:
  RaceScreen(std::unique_ptr<Terminal> terminal, const Style& style, const std::string& race);
  void draw();
  void carry_out(client::Client& client, const Requests& requests);
  Result<Answer> ask_daemon(client::Client& client, const Request& request);
  Result<Answer> read_log(client::Client& client, const Request& request) const;
  void ask_usual_time(client::Client& client);

  std::unique_ptr<Terminal> terminal_;
  Model model_;
  std::optional<std::int64_t> resumed_after_;  ///< last event id before a retry that is not yet followed
  bool asked_usual_ = false;
};

}  // namespace hydra::cli::tui
