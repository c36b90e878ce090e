#include "checks/base_words.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::checks {
namespace {

constexpr std::size_t kLongestKind = 31;

// Called for every byte of a base: no call of the C library, and no locale.
constexpr auto kWordCharacters = [] {
  std::array<bool, 256> is{};
  for (const auto& [first, last] : {std::pair('0', '9'), {'A', 'Z'}, {'a', 'z'}, {'_', '_'}})
    for (int c = first; c <= last; ++c) is[static_cast<std::size_t>(c)] = true;
  return is;
}();

template <class T>
void sort_out(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

bool word_character(char c) { return kWordCharacters[static_cast<unsigned char>(c)]; }

void BaseWords::add(std::string_view text) {
  const auto known = words_.size();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '*' && at + 1 < text.size() && text[at + 1] == '.')
      kinds_.emplace_back(text.substr(at + 1, kLongestKind));
    if (!word_character(text[at])) continue;
    auto print = kFnvBasis;
    for (; at < text.size() && word_character(text[at]); ++at) print = fnv1a(print, text[at]);
    words_.push_back(print);
    --at;
  }
  // A file repeats most of its words.
  const auto own = words_.begin() + static_cast<std::ptrdiff_t>(known);
  std::sort(own, words_.end());
  words_.erase(std::unique(own, words_.end()), words_.end());
}

void BaseWords::finish() {
  sort_out(words_);
  words_.shrink_to_fit();
  sort_out(kinds_);
}

bool BaseWords::plain(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), word_character);
}

bool BaseWords::holds(std::string_view word) const {
  auto print = kFnvBasis;
  for (const char c : word) print = fnv1a(print, c);
  return std::binary_search(words_.begin(), words_.end(), print);
}

bool BaseWords::holds_all_of(std::string_view kind) const {
  const auto at = std::lower_bound(kinds_.begin(), kinds_.end(), kind);
  return at != kinds_.end() && std::string_view(*at).starts_with(kind);
}

}  // namespace hydra::checks
