// cli/tui: the state of the full-screen view, and what a key or an answer of the daemon makes of it. Pure:
// what shall be asked of the daemon comes out as Requests, which race_screen.cpp carries out.
#pragma once

#include "base/result.hpp"
#include "cli/render/log_text.hpp"
#include "cli/render/style.hpp"
#include "cli/render/views.hpp"
#include "cli/tui/picture.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli::tui {

enum class Page { race, log, diff, tests, explain, results, compare, merge, help };

enum class Want { log, diff, tests, explain, results, compare, merge_preview, merge, cancel, retry };

/// Something to ask the daemon for.
struct Request {
  Want want = Want::log;
  std::string agent{};    ///< empty: the race
  std::string other{};    ///< agent to compare with; kind of a log; which tests; preview of a merge
  std::string message{};  ///< of a retry; branch that a merge expects
  std::vector<std::string> allow{};  ///< kinds of changes that the user agreed to
  std::int64_t offset = -1;          ///< of a log; -1: its end
};
using Requests = std::vector<Request>;

struct Answer {
  std::string body{};
  std::int64_t next_offset = 0;  ///< of a log
  bool ended = false;            ///< of a log: nothing more will come
};

/// The lines of a page, safe to show, with colours of Style::paint().
struct Text {
  std::string body;  ///< the answer that they are made of; empty of a log
  std::vector<std::string> lines;
  std::size_t top = 0, left = 0;
  bool follow = false;  ///< stays at the end while lines come
  std::string find;
  std::size_t found = 0;  ///< line where `find` was found last
};

/// A question on the last but one line: for y or N, or for a line of text.
struct Ask {
  std::string question;
  bool line = false;  ///< of text
  std::string text{};
  std::optional<Request> yes{};  ///< without one: the word to search for
};

struct Model {
  std::string race;
  Style style;  ///< width: as wide as the terminal
  Size size;

  wire::Status status;
  bool known = false, ended = false;
  std::int64_t status_ms = 0;  ///< when the status came, by the clock of whoever calls
  std::int64_t usual_ms = 0;   ///< how long races here take, 0: not known
  std::size_t usual_of = 0;    ///< races that says

  std::size_t row = 0;
  std::string marked;  ///< agent to compare with
  Page page = Page::race;
  Page before_help = Page::race;
  Text text;
  std::string agent, other;  ///< whose page it is
  std::string variant;       ///< kind of the log, which tests, form of the diff
  LogText log;
  std::int64_t log_next = -1;
  bool log_ended = false;

  std::optional<Ask> ask;
  std::string note;      ///< what last happened, until the next key
  bool touched = false;  ///< a key was pressed
  bool mouse = false, quit = false;
};

/// A newer picture of the race. What is only told while an agent runs (growth) stays.
void take_status(Model& model, wire::Status status, std::int64_t now_ms);
/// The terminal has this size now.
void resize(Model& model, Size size);
Requests press(Model& model, const std::string& key);
/// What to ask for without a key: more of the log that is shown.
Requests wanted_now(const Model& model);
void take_answer(Model& model, const Request& request, const Result<Answer>& answer);

/// The agent under the cursor; nothing before the first status.
const wire::AgentStatus* chosen(const Model& model);
const wire::AgentStatus* find_agent(const Model& model, const std::string& name);
/// Lines of a page of text between its title and the two lines at the bottom.
std::size_t page_rows(const Model& model);

/// Keys as the bottom line and the help name them.
struct KeyText {
  const char* keys;
  const char* brief;  ///< for the bottom line; empty: only in the help
  const char* what;
};
std::vector<KeyText> keys_of(Page page);

/// The median of how long the newest `most` races of an answer of /v1/history took that came to their end,
/// and how many there were.
std::pair<std::int64_t, std::size_t> usual_time(std::string_view history, std::size_t most = 20);

}  // namespace hydra::cli::tui
