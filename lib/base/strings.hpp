// base: small helpers over text. All pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// Parts of `text` between `separator`s; an empty text has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Lines without their ends (LF or CRLF); no empty last line after a final newline.
std::vector<std::string_view> lines(std::string_view text);
/// Without spaces, tabs, CR and LF at both ends.
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string to_lower(std::string_view text);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
/// A whole decimal number, or nothing (no sign, no blanks, no overflow).
std::optional<std::int64_t> parse_int(std::string_view text);

/// `text` fit for a terminal or a log line: C0, C1, ESC sequences' control bytes, DEL and bidirectional
/// controls become U+FFFD or are dropped, invalid UTF-8 becomes U+FFFD. Newlines and tabs become blanks
/// unless `keep_newlines`.
std::string sanitize(std::string_view text, bool keep_newlines = false);
/// `text` with invalid UTF-8 replaced by U+FFFD, otherwise unchanged: fit for JSON.
std::string to_utf8(std::string_view text);
/// Columns that valid UTF-8 text takes on a terminal (wide East Asian characters count two, combining ones
/// none).
std::size_t display_width(std::string_view text);
/// At most `columns` columns of `text`, ending in "…" where it was cut.
std::string ellipsize(std::string_view text, std::size_t columns);

/// The last part of a path with slashes; the whole of one without.
std::string_view base_name(std::string_view path);
/// What stands before the last slash; empty where there is none.
std::string_view directory_of(std::string_view path);

/// Edit distance, for "did you mean" (insert, delete, replace, each 1).
std::size_t edit_distance(std::string_view a, std::string_view b);
/// The candidate nearest to `word` within a third of its length (at least 1, at most 3 edits); nothing when
/// none is near.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// One step of FNV-1a, 64 bits, which begins with kFnvBasis.
inline constexpr std::uint64_t kFnvBasis = 14695981039346656037U;
constexpr std::uint64_t fnv1a(std::uint64_t hash, char c) {
  return (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
}

/// The byte that "%XX" at the begin of `text` encodes.
std::optional<char> percent_byte(std::string_view text);

/// 128 bits as 32 hexadecimal digits: two FNV-1a lanes. Tells texts apart, resists nobody who wants a
/// collision.
std::string fingerprint(std::string_view text);
/// Lower-case hexadecimal of bytes.
std::string hex(std::string_view bytes);
/// `text` as one word of a POSIX shell ('it'"'"'s'); plain words stay as they are. For showing commands only.
std::string shell_quote(std::string_view text);

}  // namespace hydra
