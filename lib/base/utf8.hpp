// base: text as code points, and the code points that a terminal obeys. Every function is pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hydra {

/// Returns the length in bytes of the valid UTF-8 sequence at `i` (RFC 3629: no overlong forms, no
/// surrogates) and sets `point`; 0: invalid.
std::size_t decode_utf8(std::string_view text, std::size_t i, char32_t& point);
void append_utf8(std::string& out, char32_t point);
/// Whether the code point is a control, or a format character that reorders or hides text.
bool is_dangerous(char32_t point);

}  // namespace hydra
