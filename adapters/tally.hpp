// adapters, inside the room: what readers of events and of text add up, and how they cut texts.
#pragma once

#include "adapters/adapters.hpp"

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>

namespace hydra::adapters {

constexpr std::size_t kTextLimit = 4096;
constexpr std::size_t kLineLimit = 200;

/// What is known of a run so far, but its usage.
struct Tally {
  StreamSummary sum;
  std::string last_line, tool;
  std::int64_t progress = 0;
  std::int64_t turns_counted = 0;
  int retries = 0, auth_retries = 0;

  /// Something happened that a stall clock should see.
  void made_progress();
  void log(std::string_view line);
};

/// What stands before a line and is no part of it, as an editor or a terminal's driver leaves it there:
/// blanks, a byte order mark, control sequences (ECMA-48, CSI).
struct Lead {
  std::size_t size = 0;  ///< bytes that are no part of the line
  bool open = false;     ///< what follows them may be the begin of more
};
/// Of a line's first bytes.
Lead lead_of(std::string_view text);

/// The end of `text`, at most `limit` bytes of whole characters.
std::string tail(std::string_view text, std::size_t limit);
/// Its begin.
std::string head(std::string_view text, std::size_t limit);
/// Fit to be shown: sanitised, trimmed, at most kLineLimit bytes.
std::string one_line(std::string_view text);
/// A compiled pattern over foreign bytes; null for an empty or broken one.
std::unique_ptr<RE2> pattern(std::string_view text);
bool matches(const std::unique_ptr<RE2>& re, std::string_view text);
/// What its first group matched; empty: nothing, or it has no group.
std::string first_group(const std::unique_ptr<RE2>& re, std::string_view text);
/// Where the first match begins; npos: none.
std::size_t match_at(const std::unique_ptr<RE2>& re, std::string_view text);

}  // namespace hydra::adapters
