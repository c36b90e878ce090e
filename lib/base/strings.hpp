// base: small functions over text. All are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// Splits `text` at each `separator`; an empty text has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Returns lines without LF or CRLF; a final newline adds no empty line.
std::vector<std::string_view> lines(std::string_view text);
/// Removes spaces, tabs, CR and LF at both ends.
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string to_lower(std::string_view text);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
/// Parses a whole decimal number; nullopt on a sign, blank or overflow.
std::optional<std::int64_t> parse_int(std::string_view text);

/// Drops or replaces by U+FFFD: control bytes (C0, C1, DEL, ESC sequences), bidirectional controls, invalid
/// UTF-8. Newlines and tabs become blanks unless `keep_newlines`.
std::string sanitize(std::string_view text, bool keep_newlines = false);
/// Replaces invalid UTF-8 by U+FFFD, so that `text` fits into JSON.
std::string to_utf8(std::string_view text);
/// Returns the terminal columns of valid UTF-8 text: wide East Asian characters count two, combining ones
/// none.
std::size_t display_width(std::string_view text);
/// Returns at most `columns` columns of `text`, ending in "…" if it was cut.
std::string ellipsize(std::string_view text, std::size_t columns);

/// Returns the part after the last slash; the whole path if no slash exists.
std::string_view base_name(std::string_view path);
/// Returns the part before the last slash; empty if no slash exists.
std::string_view directory_of(std::string_view path);

/// Returns the edit distance (insert, delete, replace: 1 each), for "did you mean".
std::size_t edit_distance(std::string_view a, std::string_view b);
/// Returns the candidate nearest to `word` within a third of its length (1 to 3 edits); nullopt: none.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);
/// Returns at most so many candidates within that limit, the nearest first.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates,
                                 std::size_t most);

/// A step of 64-bit FNV-1a; the first hash is kFnvBasis.
inline constexpr std::uint64_t kFnvBasis = 14695981039346656037U;
constexpr std::uint64_t fnv1a(std::uint64_t hash, char c) {
  return (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
}

/// Returns the byte that "%XX" at the start of `text` encodes.
std::optional<char> percent_byte(std::string_view text);

/// Returns 128 bits as 32 hexadecimal digits: two FNV-1a lanes. Not collision-resistant against an attacker.
std::string fingerprint(std::string_view text);
/// Returns bytes in lower-case hexadecimal.
std::string hex(std::string_view bytes);
/// Quotes `text` as one word of a POSIX shell ('it'"'"'s'); plain words stay. For display only.
std::string shell_quote(std::string_view text);

}  // namespace hydra
