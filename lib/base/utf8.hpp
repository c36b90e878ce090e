// base: text by its code points, and which of them a terminal obeys. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hydra {

/// Length in bytes of the valid UTF-8 sequence at `i` (RFC 3629: no overlong forms, no surrogates), and its
/// code point; 0: there is none.
std::size_t decode_utf8(std::string_view text, std::size_t i, char32_t& point);
void append_utf8(std::string& out, char32_t point);
/// Controls, and the format characters that reorder or hide text.
bool is_dangerous(char32_t point);

}  // namespace hydra
