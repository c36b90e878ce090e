// cli: a unified diff in forms for people. Pure; the diff is untrusted and the output is safe to show.
#pragma once

#include "cli/render/style.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Returns the address of a file on this machine for its path in the diff; empty: unknown.
using FileLink = std::function<std::string(const std::string& path)>;

/// Returns the diff with colours. `code`: kept and added lines have the colours of their language.
std::string diff_lines(std::string_view diff, const Style& style, const FileLink& link, bool code = false);
/// Marks changed words within lines: [-old-]{+new+}, or by colour if the style has colours.
std::string diff_words(std::string_view diff, const Style& style, const FileLink& link);
/// Returns two columns, together `width` wide.
std::string diff_columns(std::string_view diff, const Style& style, std::size_t width, const FileLink& link);

struct FileStat {
  std::string path;
  std::int64_t added = 0, removed = 0;
  bool binary = false;
};
/// Returns the form of `git diff --stat`, at most `width` columns wide.
std::string diff_stat(const std::vector<FileStat>& files, const Style& style, std::size_t width,
                      const FileLink& link);

/// Returns `text` as a link (OSC 8) to one of our addresses if the terminal shows links; else `text`.
std::string hyperlink(const std::string& text, const std::string& address);
/// Returns a path as a relative URI: only unreserved characters and slashes are not percent-encoded.
std::string path_uri(std::string_view path);
/// Returns "file://HOST/PATH", percent-encoded.
std::string file_address(std::string_view host, std::string_view path);
/// Whether the terminal shows links: VTE, kitty, foot, WezTerm, iTerm2, ghostty, Konsole, Windows Terminal,
/// VS Code. FORCE_HYPERLINK overrides the detection.
bool shows_links(const EnvLookup& env);

}  // namespace hydra::cli
