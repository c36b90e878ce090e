#include "parsers/scrollback.hpp"

#include <algorithm>
#include <cstring>

namespace hydra::parsers {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 16;  ///< bytes that are given away at once

}  // namespace

char* Scrollback::room(std::size_t n) {
  if (room_ - size_ < n) {
    room_ = std::max(size_ + n, 2 * size_);
    // Not set to zero: most of it is written before it is read.
    auto larger = std::make_unique_for_overwrite<char[]>(room_);
    if (size_ > 0) std::memcpy(larger.get(), text_.get(), size_);
    text_ = std::move(larger);
  }
  return text_.get() + size_;
}

void Scrollback::append(std::string_view part) {
  if (part.empty()) return;
  std::memcpy(room(part.size()), part.data(), part.size());
  size_ += part.size();
}

std::optional<std::string> Scrollback::take_row() {
  if (size_ == 0) return std::nullopt;
  const auto* newline = static_cast<const char*>(::memrchr(text_.get(), '\n', size_ - 1));
  const auto begin = newline == nullptr ? 0 : static_cast<std::size_t>(newline - text_.get()) + 1;
  std::string row(text_.get() + begin, size_ - 1 - begin);
  size_ = begin;
  return row;
}

void Scrollback::give(std::size_t upto) {
  for (std::size_t at = 0; at < upto; at += kPart)
    out_(std::string_view(text_.get() + at, std::min(kPart, upto - at)));
  size_ -= upto;
  std::memmove(text_.get(), text_.get() + upto, size_);
}

void Scrollback::flush() {
  if (size_ < std::max(limit_, kPart)) return;
  std::size_t keep = size_;
  for (std::size_t rows = 0; rows < kHeight && keep > 0; ++rows) {
    const auto* newline = static_cast<const char*>(::memrchr(text_.get(), '\n', keep - 1));
    keep = newline == nullptr ? 0 : static_cast<std::size_t>(newline - text_.get()) + 1;
  }
  if (keep > 0) give(keep);
  // The kept rows are searched and moved each time: so much must come between that they cost little.
  limit_ = 3 * size_;
}

void Scrollback::finish() {
  if (size_ > 0) give(size_);
}

}  // namespace hydra::parsers
