#include "cli/review_file.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace hydra::cli {
namespace {

/// Reads a line's place at its first ":LINE:" or ":FIRST-LAST:"; nullopt: the line has none.
std::optional<wire::ReviewComment> comment_of(std::string_view line) {
  for (auto at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    const auto end = line.find(':', at + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const auto place = line.substr(at + 1, end - at - 1);
    const auto dash = place.find('-');
    const auto first = parse_int(place.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? std::optional<std::int64_t>(0) : parse_int(place.substr(dash + 1));
    if (at == 0 || !first || !last) continue;
    wire::ReviewComment comment;
    comment.path = line.substr(0, at);
    comment.text = trim(line.substr(end + 1));
    comment.line = *first;
    comment.end = *last;
    return comment;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<wire::ReviewComment>> parse_review(std::string_view text, const std::string& name) {
  std::vector<wire::ReviewComment> review;
  const auto wrong = [&](std::size_t line, const char* what) {
    return Error{
        Errc::usage, what, name + ":" + std::to_string(line),
        "begin a comment with `FILE:LINE` or `FILE:FIRST-LAST` and a colon, and indent its further lines"};
  };
  std::size_t number = 0;
  for (const auto line : lines(text)) {
    ++number;
    if (to_utf8(line) != line) return wrong(number, "the line is not valid UTF-8");
    if (trim(line).empty()) continue;
    if (line.front() == ' ' || line.front() == '\t') {
      if (review.empty()) return wrong(number, "an indented line continues no comment");
      auto& words = review.back().text;
      words += (words.empty() ? "" : "\n") + std::string(trim(line));
      continue;
    }
    auto comment = comment_of(line);
    if (!comment) return wrong(number, "the line names no file and line");
    comment->at = name + ":" + std::to_string(number);
    review.push_back(std::move(*comment));
  }
  if (review.empty()) return wrong(1, "the review has no comment");
  return review;
}

}  // namespace hydra::cli
