// cli/tui: the state of the full-screen view, and its change by keys and the daemon's answers. Pure: requests
// to the daemon are returned, and race_screen.cpp sends them.
#pragma once

#include "base/result.hpp"
#include "cli/render/log_text.hpp"
#include "cli/render/style.hpp"
#include "cli/render/views.hpp"
#include "cli/tui/picture.hpp"
#include "wire/requests.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli::tui {

enum class Page { race, log, diff, tests, explain, results, compare, merge, help };

enum class Want { log, diff, tests, explain, results, compare, merge_preview, merge, cancel, retry };

/// A request to the daemon.
struct Request {
  Want want = Want::log;
  std::string agent{};    ///< agent; empty: the race
  std::string other{};    ///< agent to compare with; kind of a log; which tests; preview of a merge
  std::string message{};  ///< message of a retry; branch that a merge expects
  std::vector<std::string> allow{};           ///< kinds of changes that the user accepted
  std::vector<wire::ReviewComment> review{};  ///< comments of a retry
  std::int64_t offset = -1;                   ///< offset in a log; -1: its end
};
using Requests = std::vector<Request>;

struct Answer {
  std::string body{};
  std::int64_t next_offset = 0;  ///< offset of the log's next byte
  bool ended = false;            ///< whether the log is complete
};

/// The lines of a page, safe to show, with colours of Style::paint().
struct Text {
  std::string body;  ///< answer behind the lines; empty for a log
  std::vector<std::string> lines;
  std::size_t top = 0, left = 0;
  bool follow = false;  ///< whether the page stays at the end while lines arrive
  std::string find;
  std::size_t found = 0;  ///< line of the last match of `find`
};

/// A question on the second last line, answered by y or N, or by a line of text.
struct Ask {
  std::string question;
  bool line = false;  ///< whether the answer is a line of text
  std::string text{};
  std::optional<Request> yes{};  ///< request after yes; absent: the answer is a search word or a comment
  bool comment = false;          ///< whether the answer is a comment on lines
};

struct Model {
  std::string race;
  Style style;  ///< style with the terminal's width
  Size size;

  wire::Status status;
  bool known = false, ended = false;
  std::int64_t status_ms = 0;  ///< arrival of the status, by the caller's clock
  std::int64_t usual_ms = 0;   ///< usual duration of races here; 0: unknown
  std::size_t usual_of = 0;    ///< number of races behind `usual_ms`

  std::size_t row = 0;
  std::string marked;  ///< agent marked for comparison
  Page page = Page::race;
  Page before_help = Page::race;
  Text text;
  std::string agent, other;  ///< agents of the page
  std::string variant;       ///< kind of the log, which tests, form of the diff
  LogText log;
  std::int64_t log_next = -1;
  bool log_ended = false;

  std::map<std::string, std::vector<wire::ReviewComment>> review;  ///< comments by agent, not sent yet
  std::optional<Ask> ask;
  std::string note;      ///< last event, shown until the next key
  bool touched = false;  ///< whether a key was pressed
  bool mouse = false, quit = false;
};

/// Replaces the status; facts that are reported only during an agent's run (growth) stay.
void take_status(Model& model, wire::Status status, std::int64_t now_ms);
/// Sets the size of the terminal.
void resize(Model& model, Size size);
Requests press(Model& model, const std::string& key);
/// Returns requests that need no key: more of the shown log.
Requests wanted_now(const Model& model);
void take_answer(Model& model, const Request& request, const Result<Answer>& answer);

/// Returns the agent under the cursor; null before the first status.
const wire::AgentStatus* chosen(const Model& model);
const wire::AgentStatus* find_agent(const Model& model, const std::string& name);
/// Returns the number of lines between the title and the two bottom lines.
std::size_t page_rows(const Model& model);

/// Keys as named by the bottom line and the help.
struct KeyText {
  const char* keys;
  const char* brief;  ///< text of the bottom line; empty: only in the help
  const char* what;
};
std::vector<KeyText> keys_of(Page page);

/// Returns the median duration of the newest `most` completed races in an answer of /v1/history, and their
/// number.
std::pair<std::int64_t, std::size_t> usual_time(std::string_view history, std::size_t most = 20);

}  // namespace hydra::cli::tui
