// cli: a unified diff in the forms that people read. Pure; the diff is foreign text and comes out safe to
// show.
#pragma once

#include "cli/render/style.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// The address of a file on this machine by its path in the diff; empty: none is known.
using FileLink = std::function<std::string(const std::string& path)>;

/// As it is, with colours.
/// With `code` the lines that stay and those that come have the colours of their language.
std::string diff_lines(std::string_view diff, const Style& style, const FileLink& link, bool code = false);
/// Changed words in their lines: [-old-]{+new+}, or by colour where there is one.
std::string diff_words(std::string_view diff, const Style& style, const FileLink& link);
/// Two columns, `width` wide together.
std::string diff_columns(std::string_view diff, const Style& style, std::size_t width, const FileLink& link);

struct FileStat {
  std::string path;
  std::int64_t added = 0, removed = 0;
  bool binary = false;
};
/// As `git diff --stat` at most `width` columns wide.
std::string diff_stat(const std::vector<FileStat>& files, const Style& style, std::size_t width,
                      const FileLink& link);

/// `text` as a link (OSC 8) to an address, where that is one of ours and the terminal knows links; else as it
/// is.
std::string hyperlink(const std::string& text, const std::string& address);
/// A path as a relative URI: what is not unreserved or a slash is percent-encoded.
std::string path_uri(std::string_view path);
/// "file://HOST/PATH" with everything else percent-encoded.
std::string file_address(std::string_view host, std::string_view path);
/// Whether the terminal of these variables shows links: VTE, kitty, foot, WezTerm, iTerm2, ghostty, Konsole,
/// Windows Terminal, VS Code; FORCE_HYPERLINK decides where it is set.
bool shows_links(const EnvLookup& env);

}  // namespace hydra::cli
