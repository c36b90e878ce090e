#include "cli/render/style.hpp"

#include "base/strings.hpp"

#include <array>
#include <sys/ioctl.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

// Indexed by Paint.
constexpr std::array<std::string_view, 7> kCodes{"",         "\x1b[1m",  "\x1b[2m", "\x1b[32m",
                                                 "\x1b[33m", "\x1b[31m", "\x1b[36m"};

// Replaces every non-ASCII character by '?'.
std::string ascii_only(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      out += c;
    else if ((byte & 0xC0) != 0x80)
      out += '?';
  }
  return out;
}

winsize size_of(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return {};
  return size;
}

}  // namespace

std::string Style::paint(Paint paint, std::string_view text) const {
  if (!colour || paint == Paint::plain || text.empty()) return std::string(text);
  return std::string(kCodes[static_cast<std::size_t>(paint)]).append(text).append("\x1b[0m");
}

std::string Style::safe(std::string_view text) const {
  auto clean = sanitize(text);
  return utf8 ? clean : ascii_only(clean);
}

std::string Style::fit(std::string_view text, std::size_t columns) const {
  if (utf8) return ellipsize(safe(text), columns);
  auto clean = safe(text);
  if (clean.size() <= columns) return clean;
  if (columns < 3) return clean.substr(0, columns);
  return clean.substr(0, columns - 3) + "...";
}

std::string Style::own(std::string_view text) const {
  std::string out(text);
  if (utf8) return out;
  out = replace_all(std::move(out), "—", "-");
  out = replace_all(std::move(out), "·", "|");
  out = replace_all(std::move(out), "…", "...");
  out = replace_all(std::move(out), "✓", tick());
  out = replace_all(std::move(out), "✗", cross());
  return ascii_only(out);
}

bool utf8_locale(const EnvLookup& env) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = env(name);
    if (!value || value->empty()) continue;
    const auto lower = to_lower(*value);
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

std::size_t terminal_width(int fd) {
  if (::isatty(fd) == 0) return 0;
  const std::size_t columns = size_of(fd).ws_col;
  return columns == 0 ? 80 : columns;
}

std::size_t terminal_height(int fd) {
  const std::size_t rows = size_of(fd).ws_row;
  return rows == 0 ? 24 : rows;
}

bool can_redraw(int fd, const EnvLookup& env) {
  const auto term = env("TERM").value_or("");
  return ::isatty(fd) != 0 && !term.empty() && term != "dumb";
}

Style detect_style(int fd, ColourMode mode, const EnvLookup& env) {
  Style style;
  style.width = terminal_width(fd);
  // Files and pipes get UTF-8 even without a locale, as in containers and services.
  style.utf8 = utf8_locale(env) || (style.width == 0 && !env("LC_ALL") && !env("LC_CTYPE") && !env("LANG"));
  const bool no_color = !env("NO_COLOR").value_or("").empty();
  style.colour =
      mode == ColourMode::always || (mode == ColourMode::automatic && !no_color && can_redraw(fd, env));
  return style;
}

std::string pad(std::string text, std::size_t columns, bool right) {
  const auto width = display_width(text);
  if (width >= columns) return text;
  const std::string blanks(columns - width, ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace hydra::cli
