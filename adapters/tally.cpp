#include "adapters/tally.hpp"

#include "base/strings.hpp"

namespace hydra::adapters {

void Tally::made_progress() {
  ++progress;
  retries = auth_retries = 0;
  sum.retry_status.reset();
  sum.retry_text.clear();
  sum.complaint.clear();
}

void Tally::log(std::string_view line) {
  ++sum.log_lines;
  const auto shown = head(trim(line), 500);
  if (sum.log_text.size() + shown.size() < kTextLimit && !shown.empty()) sum.log_text += shown + "\n";
}

std::string tail(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  text.remove_prefix(text.size() - limit);
  while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xC0u) == 0x80u) text.remove_prefix(1);
  return std::string(text);
}

std::string head(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0u) == 0x80u) --limit;
  return std::string(text.substr(0, limit));
}

std::string one_line(std::string_view text) {
  return head(sanitize(trim(head(text, 4 * kLineLimit))), kLineLimit);
}

std::unique_ptr<RE2> pattern(std::string_view text) {
  if (text.empty()) return nullptr;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);  // input need not be valid UTF-8
  auto re = std::make_unique<RE2>(re2::StringPiece(text.data(), text.size()), options);
  return re->ok() ? std::move(re) : nullptr;
}

bool matches(const std::unique_ptr<RE2>& re, std::string_view text) {
  return re != nullptr && RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *re);
}

std::string first_group(const std::unique_ptr<RE2>& re, std::string_view text) {
  std::string found;
  if (re == nullptr || re->NumberOfCapturingGroups() < 1) return {};
  if (!RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *re, &found)) return {};
  return found;
}

std::size_t match_at(const std::unique_ptr<RE2>& re, std::string_view text) {
  const re2::StringPiece piece(text.data(), text.size());
  re2::StringPiece found;
  if (re == nullptr || !re->Match(piece, 0, piece.size(), RE2::UNANCHORED, &found, 1))
    return std::string_view::npos;
  return static_cast<std::size_t>(found.data() - piece.data());
}

}  // namespace hydra::adapters
