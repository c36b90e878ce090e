#include "adapters/text_reader.hpp"

#include "adapters/json_rules.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace hydra::adapters {
namespace {

/// Parses a count "1,234", "1.2k", "3M".
std::optional<double> spoken_number(std::string_view text) {
  std::string digits = replace_all(std::string(trim(text)), ",", "");
  if (digits.empty() || digits.size() > 40) return std::nullopt;
  double scale = 1;
  const char unit = digits.back();
  if (unit == 'k' || unit == 'K') scale = 1e3;
  if (unit == 'm' || unit == 'M') scale = 1e6;
  if (scale > 1) digits.pop_back();
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !(value >= 0) || value * scale > 1e15)
    return std::nullopt;
  return value * scale;
}

}  // namespace

TextReader::TextReader(const model::TextRules& rules)
    : usage_re_(pattern(rules.usage)),
      error_re_(pattern(rules.error)),
      progress_re_(pattern(rules.progress)),
      session_re_(pattern(rules.session)),
      tool_re_(pattern(rules.tool)),
      sum_tokens_(rules.sum_tokens),
      input_includes_cache_(rules.input_includes_cache) {
  if (usage_re_) groups_ = usage_re_->NamedCapturingGroups();
}

bool TextReader::count(std::string_view line) {
  if (!usage_re_) return false;
  const int n = usage_re_->NumberOfCapturingGroups();
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(n) + 1);
  const re2::StringPiece piece(line.data(), line.size());
  if (!usage_re_->Match(piece, 0, piece.size(), RE2::UNANCHORED, found.data(), n + 1)) return false;
  const auto number = [&](const char* name) -> std::optional<double> {
    const auto it = groups_.find(name);
    if (it == groups_.end()) return std::nullopt;
    const auto& text = found[static_cast<std::size_t>(it->second)];
    return spoken_number({text.data(), text.size()});
  };
  const auto tokens = [&](const char* name) -> std::optional<std::int64_t> {
    const auto value = number(name);
    if (!value) return std::nullopt;
    return std::llround(*value);
  };
  model::Usage now;
  now.input = tokens("input");
  now.output = tokens("output");
  now.cache_read = tokens("cache_read");
  now.cache_write = tokens("cache_write");
  if (input_includes_cache_ && now.input)
    now.input =
        std::max<std::int64_t>(0, *now.input - now.cache_read.value_or(0) - now.cache_write.value_or(0));
  const auto cost = number("cost");
  const auto before = usage_.cost_usd;
  if (sum_tokens_)
    add_usage(usage_, now);
  else
    usage_ = now;
  // The agent's own output may imitate such a line, so a cost can only grow.
  usage_.cost_usd = before;
  if (cost && (!before || *before < *cost)) usage_.cost_usd = cost;
  return true;
}

void TextReader::line(std::string_view begin, std::string_view end, Tally& tally) {
  auto& sum = tally.sum;
  // `begin` and `end` of a short line are equal.
  auto lead = lead_of(begin).size;
  if (trim(begin.substr(0, lead)).empty()) lead = 0;  // indentation is meaningful in plain text
  if (begin.size() == end.size()) end.remove_prefix(lead);
  begin.remove_prefix(lead);
  ++sum.events;
  if (!progress_re_ || matches(progress_re_, begin)) tally.made_progress();
  sum.final_text += tail(end, kTextLimit);
  sum.final_text += '\n';
  if (sum.final_text.size() > 4 * kTextLimit) sum.final_text = tail(sum.final_text, kTextLimit);
  if (sum.final_head.size() < kTextLimit)
    sum.final_head += head(begin, kTextLimit - sum.final_head.size()) + "\n";
  // Progress bars overwrite their line by CR, so only the text after the last CR is visible.
  if (const auto shown = one_line(end.substr(end.rfind('\r') + 1)); !shown.empty()) tally.last_line = shown;
  if (sum.session.empty()) sum.session = head(sanitize(first_group(session_re_, begin)), kLineLimit);
  if (const auto tool = first_group(tool_re_, begin); !tool.empty()) tally.tool = one_line(tool);
  if (count(begin)) {
    ++tally.turns_counted;
    sum.error = false;  // the failed call was repeated and answered
    sum.error_text.clear();
  }
  // The first of several lines names the error; later ones are comments.
  if (!sum.error && matches(error_re_, begin)) {
    sum.error = true;
    sum.error_text = to_utf8(head(trim(begin), kTextLimit));
  }
}

}  // namespace hydra::adapters
