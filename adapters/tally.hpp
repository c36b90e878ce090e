// adapters, inside the room: sums shared by the readers of events and of text, and functions that cut texts.
#pragma once

#include "adapters/adapters.hpp"

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>

namespace hydra::adapters {

constexpr std::size_t kTextLimit = 4096;
constexpr std::size_t kLineLimit = 200;

/// Facts of a run so far, except its usage.
struct Tally {
  StreamSummary sum;
  std::string last_line, tool, open_name;
  std::int64_t open_tasks = 0;
  std::int64_t progress = 0;
  std::int64_t turns_counted = 0;
  int retries = 0, auth_retries = 0;

  /// Restarts the stall clock.
  void made_progress();
  void log(std::string_view line);
};

/// Blanks, byte order mark and CSI control sequences (ECMA-48) that an editor or terminal driver puts before
/// a line.
struct Lead {
  std::size_t size = 0;  ///< bytes before the line
  bool open = false;     ///< whether the following bytes may continue the lead
};
/// Parses the lead from a line's first bytes.
Lead lead_of(std::string_view text);

/// Returns the last `limit` bytes of `text`, cut at a character boundary.
std::string tail(std::string_view text, std::size_t limit);
/// Returns the first `limit` bytes of `text`, cut at a character boundary.
std::string head(std::string_view text, std::size_t limit);
/// Returns the text sanitised and trimmed, at most kLineLimit bytes.
std::string one_line(std::string_view text);
/// Compiles a pattern over untrusted bytes; null if the pattern is empty or invalid.
std::unique_ptr<RE2> pattern(std::string_view text);
bool matches(const std::unique_ptr<RE2>& re, std::string_view text);
/// Returns the text of the first group; empty: no match, or no group.
std::string first_group(const std::unique_ptr<RE2>& re, std::string_view text);
/// Returns the start of the first match; npos: none.
std::size_t match_at(const std::unique_ptr<RE2>& re, std::string_view text);

}  // namespace hydra::adapters
