#include "parsers/signs.hpp"

#include "parsers/scan.hpp"

#include <algorithm>
#include <vector>

namespace hydra::parsers {
namespace {

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

/// " 2/6 bad  FAIL  0.02s": meson's, with the words by which it fails.
bool meson_failure(std::string_view line) {
  eat_blanks(line);
  if (!eat_number(line) || !eat(line, "/") || !eat_number(line)) return false;
  for (const std::string_view word : {" FAIL ", " TIMEOUT ", " ERROR ", " UNEXPECTEDPASS "})
    if (contains(line, word)) return true;
  return false;
}

struct Failure {
  std::string_view format;
  bool (*shows)(std::string_view line);
};
constexpr Failure kShaped[] = {{"rspec", rspec_failure}, {"hspec", hspec_failure}, {"meson", meson_failure}};

/// Whether this format is one of the report's.
bool reads(const model::TestReport& r, std::string_view format) {
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

bool hspec_failure(std::string_view line) { return line.ends_with(']') && numbered(line, " FAILED ["); }

void require_end(model::TestReport& r, const Input& in) {
  if (r.complete && reads(r, "ant-junit") && !in.lines.contains("BUILD SUCCESSFUL") &&
      !in.lines.contains("BUILD FAILED"))
    r.complete = false;
}

void hold_against_shown(model::TestReport& r, const Input& in) {
  const auto bad = r.counts.failed.value_or(0) + r.counts.errors.value_or(0);
  if (!r.complete || !r.outcome.empty() || bad > 0 || in.exit.exit_code.value_or(0) != 0) return;
  std::vector<Sign> signs;
  std::vector<Failure> shaped;
  for (const auto& sign : test_data().failure_signs)
    if (reads(r, sign.format)) signs.push_back(sign);
  for (const auto& failure : kShaped)
    if (reads(r, failure.format)) shaped.push_back(failure);
  if (signs.empty() && shaped.empty()) return;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    const bool shown =
        std::any_of(signs.begin(), signs.end(), [&](const auto& sign) { return shows(sign, line); }) ||
        std::any_of(shaped.begin(), shaped.end(), [&](const auto& f) { return f.shows(line); });
    if (!shown) continue;
    r.suspicious.push_back("line " + std::to_string((i < in.origin.size() ? in.origin[i] : i) + 1) +
                           " tells of a failed test, the summary of none");
    return;
  }
}

}  // namespace hydra::parsers
