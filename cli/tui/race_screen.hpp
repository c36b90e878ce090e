// cli/tui: the full-screen view of one race on this terminal: model, picture and terminal together, and the
// requests that keys bring about. Who follows the race (follow.cpp) tells it what happens.
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

/// Standard input and output are a terminal of at least 40 columns that can place its cursor, and HYDRA_PLAIN
/// is not set.
bool has_room(const EnvLookup& env);

class RaceScreen {
 public:
  /// Nothing where ncurses does not know the terminal.
  static std::unique_ptr<RaceScreen> open(const Style& style, const std::string& race);

  void status(client::Client& client, wire::Status status);
  /// A sentence for the line of notes: what a race waits for, a daemon that has gone.
  void say(std::string note);
  /// The daemon was away and another one may have written on the terminal.
  void connected_again();
  /// Time has passed: clocks move on, a log is read on.
  void tick(client::Client& client);
  /// Reads keys. False: the user leaves.
  bool input(client::Client& client);

  enum class Left { quit, resumed, interrupted };
  /// After the end: until the user leaves, a signal comes, or the race goes on (`hydra retry`).
  Left browse(client::Client& client, Interrupts& interrupts);
  /// Somebody is at the keys: the screen stays after the end of the race.
  [[nodiscard]] bool touched() const { return model_.touched; }
  /// The last picture was that of a race that is over, though its stream may not have ended yet.
  [[nodiscard]] bool over() const { return is_over(model_.status.state); }
  /// After Left::resumed: the event before the retry.
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
  std::optional<std::int64_t> resumed_after_;  ///< of a retry that nobody has followed yet
  bool asked_usual_ = false;
};

}  // namespace hydra::cli::tui
