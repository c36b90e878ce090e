#include "parsers/signs.hpp"

#include "parsers/scan.hpp"

#include <algorithm>
#include <vector>

namespace hydra::parsers {
namespace {

using model::TestOutcome;

using enum Sign::Where;

bool numbered(std::string_view line, std::string_view before) {
  line = trim_end(line);
  if (line.empty()) return false;
  const char close = line.back();
  line.remove_suffix(1);
  const auto at = line.rfind(before);
  if ((close != ')' && close != ']') || at == std::string_view::npos) return false;
  auto digits = line.substr(at + before.size());
  return eat_number(digits) && digits.empty();
}

/// Returns whether the report's format, names joined by '+', contains `format`.
bool reads(const model::ParsedTests& r, std::string_view format) {
  for (std::string_view rest = r.format; !rest.empty();) {
    const auto plus = std::min(rest.find('+'), rest.size());
    if (rest.substr(0, plus) == format) return true;
    rest.remove_prefix(std::min(plus + 1, rest.size()));
  }
  return false;
}

}  // namespace

bool shows(const Sign& sign, std::string_view line) {
  switch (sign.where) {
    case begins:
      return line.starts_with(sign.text);
    case ends:
      return line.ends_with(sign.text);
    case whole:
      return line == sign.text;
    case within:
      return contains(line, sign.text);
    case both:
      return line.size() >= sign.text.size() + sign.end.size() && line.starts_with(sign.text) &&
             line.ends_with(sign.end);
  }
  return false;
}

bool rspec_failure(std::string_view line) { return numbered(line, " (FAILED - "); }

void hold_against_shown(model::ParsedTests& r, const Input& in) {
  const auto bad = r.counts.failed.value_or(0) + r.counts.errors.value_or(0);
  if (!r.complete || r.outcome != TestOutcome::passed || bad > 0 || in.exit.exit_code.value_or(0) != 0)
    return;
  std::vector<Sign> signs;
  for (const auto& sign : test_data().failure_signs)
    if (reads(r, sign.format)) signs.push_back(sign);
  const bool rspec = reads(r, "rspec");
  if (signs.empty() && !rspec) return;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    const bool shown =
        (rspec && rspec_failure(line)) ||
        std::any_of(signs.begin(), signs.end(), [&](const auto& sign) { return shows(sign, line); });
    if (!shown) continue;
    r.suspicious.push_back("line " + std::to_string((i < in.origin.size() ? in.origin[i] : i) + 1) +
                           " tells of a failed test, the summary of none");
    return;
  }
}

}  // namespace hydra::parsers
