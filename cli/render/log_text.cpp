#include "cli/render/log_text.hpp"

#include "base/strings.hpp"

namespace hydra::cli {
namespace {

constexpr std::size_t kLongLine = 64u << 10;

// Returns the start of the last, possibly incomplete, UTF-8 character or escape sequence of `text`.
std::size_t safe_cut(std::string_view text) {
  std::size_t cut = text.size();
  for (std::size_t back = 1; back <= 4 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    if (byte >= 0xC0) cut = text.size() - back;
    break;
  }
  const auto escape = text.rfind('\x1b', cut);
  if (escape != std::string_view::npos && cut - escape < 64) cut = escape;
  return cut == 0 ? text.size() : cut;
}

}  // namespace

std::string LogText::feed(std::string_view bytes) {
  pending_ += bytes;
  const auto newline = pending_.rfind('\n');
  std::size_t cut = newline == std::string::npos ? 0 : newline + 1;
  if (pending_.size() - cut > kLongLine) cut += safe_cut(std::string_view(pending_).substr(cut));
  auto out = sanitize(std::string_view(pending_).substr(0, cut), true);
  pending_.erase(0, cut);
  return out;
}

std::string LogText::finish() {
  auto out = sanitize(pending_, true);
  pending_.clear();
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

}  // namespace hydra::cli
