// Marks that a wrapper prints before every line of its runner. A mark is removed only if most of the log has
// the mark: a single line that looks marked is text.
#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/input.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace hydra::parsers {
namespace {

struct Mark {
  std::string_view stream;  ///< lines of a stream belong together
  std::string_view rest;
};
using Reader = std::optional<Mark> (*)(std::string_view line);

bool digits(std::string_view& s, std::size_t n) {
  if (s.size() < n) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!is_digit(s[i])) return false;
  s.remove_prefix(n);
  return true;
}

/// Drops "2024-01-02T03:04:05.1234567Z", with any fraction.
bool eat_instant(std::string_view& s) {
  if (!digits(s, 4) || !eat(s, "-") || !digits(s, 2) || !eat(s, "-") || !digits(s, 2)) return false;
  if ((!eat(s, "T") && !eat(s, " ")) || !digits(s, 2) || !eat(s, ":") || !digits(s, 2) || !eat(s, ":") ||
      !digits(s, 2))
    return false;
  if (eat(s, ".") && !eat_number(s)) return false;
  return eat(s, "Z") || eat(s, "+00:00");
}

bool is_name(char c) {
  return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
}

/// Accepts the text behind a mark: a blank and text, or nothing.
std::optional<Mark> marked(std::string_view stream, std::string_view rest) {
  if (!rest.empty() && !eat(rest, " ")) return std::nullopt;
  return Mark{stream, rest};
}

/// GitHub Actions, Azure, Jenkins' timestamper.
std::optional<Mark> timestamp(std::string_view line) {
  const bool bracket = eat(line, "[");
  if (!eat_instant(line) || (bracket && !eat(line, "]"))) return std::nullopt;
  return marked("", line);
}

/// "[web] text" of concurrently, npm-run-all -l, kubectl --prefix; "[1/3] text".
std::optional<Mark> label(std::string_view line) {
  if (!eat(line, "[")) return std::nullopt;
  const auto close = line.substr(0, 120).find(']');
  if (close == std::string_view::npos || close == 0) return std::nullopt;
  const auto name = trim_end(line.substr(0, close));
  for (const char c : name)
    if (!is_name(c) && c != '/' && c != ':' && c != '@') return std::nullopt;
  // Runners and build tools print these words in brackets at the begin of a line.
  if (among<"bracket_words">(to_lower(name)) ||
      (name.starts_with("gw") && name.size() > 2 && is_digit(name[2])))
    return std::nullopt;
  // "[a.proto:1:5] text" is a linter's place.
  if (const auto colon = name.find(':'); colon != std::string_view::npos) {
    auto place = name.substr(colon + 1);
    if (contains(name.substr(0, colon), ".") && eat_number(place) && eat(place, ":") && eat_number(place) &&
        place.empty())
      return std::nullopt;
  }
  auto rest = line.substr(close + 1);
  eat(rest, ":");
  return marked(name, rest);
}

struct Prefix {
  Reader read;
  int share;                  ///< percent of the lines that must have the mark
  std::string_view evidence;  ///< text that must occur in the log; empty: none
};
constexpr std::array<Prefix, 3> kPrefixes{
    {{timestamp, 40, {}}, {label, 50, " exited with code "}, {label, 90, {}}}};
constexpr std::size_t kWrappersSample = 1000, kMostStreams = 256;

/// Copies lines evenly spaced over the log, as many bytes of each as a mark could need. A view would keep a
/// page of the log per line.
std::vector<std::string> sample_of(const Lines& lines) {
  constexpr std::size_t kMost = 1024, kAtOnce = 64;
  std::vector<std::string> out;
  const auto step = std::max<std::size_t>(1, lines.size() / kWrappersSample);
  for (std::size_t i = 0; i < lines.size(); i += step) {
    if (const auto line = lines[i].substr(0, kMost); !is_blank(line)) out.emplace_back(line);
    if (i / step % kAtOnce == kAtOnce - 1) lines.let_go();
  }
  return out;
}

/// Returns whether enough lines of the sample have the mark.
bool rules(const Prefix& kind, const std::vector<std::string>& sample, const Lines& lines) {
  const auto seen = sample.size();
  const auto with = static_cast<std::size_t>(std::count_if(
      sample.begin(), sample.end(), [&](const auto& line) { return kind.read(line).has_value(); }));
  if (with < 3 || with * 100 < seen * static_cast<std::size_t>(kind.share)) return false;
  return kind.evidence.empty() || lines.contains(kind.evidence);
}

struct Part {
  std::string_view text;
  std::size_t line;
};

std::optional<Unwrapped> take_off(Reader read, const Lines& lines) {
  // Unmarked lines are the wrapper's own and come first.
  std::map<std::string_view, std::size_t> number{{"", 0}};
  std::vector<std::vector<Part>> streams(1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    const auto mark = read(line);
    const auto [at, fresh] = number.try_emplace(mark ? mark->stream : "", streams.size());
    if (fresh) streams.emplace_back();
    if (streams.size() > kMostStreams) return std::nullopt;
    streams[at->second].push_back({mark ? mark->rest : line, i});
  }
  Unwrapped out;
  for (const auto& stream : streams)
    for (const auto& part : stream) {
      out.text += part.text;
      out.text += '\n';
      out.origin.push_back(part.line);
    }
  return out;
}

}  // namespace

std::optional<Unwrapped> unwrap(const Lines& lines) {
  const auto sample = sample_of(lines);
  for (const auto& kind : kPrefixes)
    if (rules(kind, sample, lines))
      if (auto out = take_off(kind.read, lines)) return out;
  return std::nullopt;
}

}  // namespace hydra::parsers
