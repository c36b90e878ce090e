#include "cli/render/diff_views.hpp"

#include "base/strings.hpp"
#include "cli/render/code_colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hydra::cli {
namespace {

constexpr std::size_t kMostWords = 400;  // per side of a change; larger changes are shown as lines
constexpr std::size_t kNarrowest = 40;

enum class DiffLine { header, hunk, same, added, removed };

DiffLine diff_kind(std::string_view line, bool in_hunk) {
  if (line.starts_with("@@")) return DiffLine::hunk;
  if (!in_hunk || line.starts_with("diff ")) return DiffLine::header;
  if (line.starts_with('+')) return DiffLine::added;
  if (line.starts_with('-')) return DiffLine::removed;
  return line.starts_with(' ') || line.starts_with('\\') ? DiffLine::same : DiffLine::header;
}

Paint diff_paint(DiffLine kind, std::string_view line) {
  switch (kind) {
    case DiffLine::header:
      return line.starts_with("+++") || line.starts_with("---") || line.starts_with("diff ") ? Paint::bold
                                                                                             : Paint::plain;
    case DiffLine::hunk:
      return Paint::cyan;
    case DiffLine::added:
      return Paint::green;
    case DiffLine::removed:
      return Paint::red;
    case DiffLine::same:
      break;
  }
  return Paint::plain;
}

std::string shown_line(std::string_view line, const Style& style) {
  auto text = sanitize(replace_all(std::string(line), "\t", "    "), true);
  return style.utf8 ? text : style.safe(text);
}

// Shows "+++ b/src/a.c" as a link to the file.
std::string header_line(std::string_view line, const Style& style, const FileLink& link) {
  const auto text = style.paint(diff_paint(DiffLine::header, line), shown_line(line, style));
  return line.starts_with("+++ b/") && link ? hyperlink(text, link(std::string(line.substr(6)))) : text;
}

// Walks a diff: calls `line` for headers and context, `change` for removed and added lines of each change.
struct DiffWalk {
  std::function<void(std::string_view line, DiffLine kind)> line;
  std::function<void(const std::vector<std::string_view>& gone, const std::vector<std::string_view>& come)>
      change;
};

void walk_diff(std::string_view diff, const DiffWalk& walk) {
  std::vector<std::string_view> gone, come;
  const auto flush = [&] {
    if (!gone.empty() || !come.empty()) walk.change(gone, come);
    gone.clear();
    come.clear();
  };
  bool in_hunk = false;
  for (const auto line : lines(diff)) {
    const auto kind = diff_kind(line, in_hunk);
    if (kind == DiffLine::removed && !come.empty()) flush();
    if (kind == DiffLine::removed) {
      gone.push_back(line.substr(1));
    } else if (kind == DiffLine::added) {
      come.push_back(line.substr(1));
    } else {
      flush();
      in_hunk = kind == DiffLine::hunk || (in_hunk && kind == DiffLine::same);
      walk.line(line, kind);
    }
  }
  flush();
}

std::vector<std::string> diff_words_of(const std::vector<std::string_view>& given, const Style& style) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i > 0) out.emplace_back("\n");
    const auto text = shown_line(given[i], style);
    for (std::size_t at = 0; at < text.size();) {
      const auto kind_at = [&](std::size_t k) {
        const auto c = static_cast<unsigned char>(text[k]);
        return c == ' ' ? 0 : (c >= 0x80 || c == '_' || std::isalnum(c) != 0) ? 1 : 2;
      };
      auto end = at + 1;
      while (end < text.size() && kind_at(at) != 2 && kind_at(end) == kind_at(at)) ++end;
      out.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  return out;
}

// Returns flags of the words that stay on each side, by the longest common subsequence.
std::pair<std::vector<bool>, std::vector<bool>> common_words(const std::vector<std::string>& a,
                                                             const std::vector<std::string>& b) {
  std::vector<std::vector<std::uint16_t>> best(a.size() + 1, std::vector<std::uint16_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      best[i][j] = a[i] == b[j] ? static_cast<std::uint16_t>(best[i + 1][j + 1] + 1)
                                : std::max(best[i + 1][j], best[i][j + 1]);
  std::vector<bool> in_a(a.size()), in_b(b.size());
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j])
      in_a[i++] = in_b[j++] = true;
    else if (best[i + 1][j] >= best[i][j + 1])
      ++i;
    else
      ++j;
  }
  return {in_a, in_b};
}

std::string marked(const std::string& words, bool added, const Style& style) {
  if (words.empty()) return {};
  std::string out;
  for (std::size_t at = 0; at <= words.size();) {
    const auto end = std::min(words.find('\n', at), words.size());
    const auto part = words.substr(at, end - at);
    if (!part.empty())
      out += style.colour ? style.paint(added ? Paint::green : Paint::red, part)
                          : (added ? "{+" + part + "+}" : "[-" + part + "-]");
    if (end < words.size()) out += "\n";
    at = end + 1;
  }
  return out;
}

std::string changed_words(const std::vector<std::string_view>& gone,
                          const std::vector<std::string_view>& come, const Style& style) {
  const auto a = diff_words_of(gone, style), b = diff_words_of(come, style);
  const bool whole = a.size() > kMostWords || b.size() > kMostWords || a.empty() || b.empty();
  const auto [in_a, in_b] =
      whole ? std::pair{std::vector<bool>(a.size()), std::vector<bool>(b.size())} : common_words(a, b);
  std::string out;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    std::string lost, won;
    while (i < a.size() && !in_a[i]) lost += a[i++];
    while (j < b.size() && !in_b[j]) won += b[j++];
    out += marked(lost, false, style) + marked(won, true, style);
    if (i < a.size() && j < b.size()) {
      out += a[i++];
      ++j;
    }
  }
  return out + "\n";
}

// Cuts and pads a line to the width of a column.
std::string diff_column(std::string_view line, std::size_t width, const Style& style) {
  return pad(style.fit(replace_all(std::string(line), "\t", "    "), width), width);
}

}  // namespace

std::string diff_lines(std::string_view diff, const Style& style, const FileLink& link, bool code) {
  std::string out;
  std::string_view path;
  bool in_hunk = false;
  for (const auto line : lines(diff)) {
    const auto kind = diff_kind(line, in_hunk);
    in_hunk = kind != DiffLine::header;
    if (!in_hunk && line.starts_with("+++ b/")) path = line.substr(6);
    auto text = sanitize(line, true);
    if (!style.utf8) text = style.safe(text);
    const auto paint = diff_paint(kind, line);
    if (kind == DiffLine::header)
      out += header_line(line, style, link);
    else if (code && !text.empty() && (kind == DiffLine::same || kind == DiffLine::added))
      out += style.paint(paint, text.substr(0, 1)) + code_colours(path, text.substr(1), paint, style);
    else
      out += style.paint(paint, text);
    out += "\n";
  }
  return out;
}

std::string diff_words(std::string_view diff, const Style& style, const FileLink& link) {
  std::string out;
  walk_diff(diff, {[&](std::string_view line, DiffLine kind) {
                     if (kind == DiffLine::header) out += header_line(line, style, link) + "\n";
                     if (kind == DiffLine::hunk)
                       out += style.paint(Paint::cyan, shown_line(line, style)) + "\n";
                     if (kind == DiffLine::same)
                       out += shown_line(line.substr(line.empty() ? 0 : 1), style) + "\n";
                   },
                   [&](const auto& gone, const auto& come) { out += changed_words(gone, come, style); }});
  return out;
}

std::string diff_columns(std::string_view diff, const Style& style, std::size_t width, const FileLink& link) {
  const auto half = (std::max(width, kNarrowest) - 3) / 2;
  std::string out;
  const auto row = [&](std::string_view left, std::string_view right, Paint a, Paint b) {
    out += style.paint(a, diff_column(left, half, style)) + style.own(" │ ") +
           style.paint(b, diff_column(right, half, style)) + "\n";
  };
  walk_diff(diff, {[&](std::string_view line, DiffLine kind) {
                     if (kind == DiffLine::header) out += header_line(line, style, link) + "\n";
                     if (kind == DiffLine::hunk)
                       out += style.paint(Paint::cyan, style.fit(line, width)) + "\n";
                     if (kind == DiffLine::same && !line.empty())
                       row(line.substr(1), line.substr(1), Paint::plain, Paint::plain);
                   },
                   [&](const auto& gone, const auto& come) {
                     for (std::size_t i = 0; i < std::max(gone.size(), come.size()); ++i)
                       row(i < gone.size() ? gone[i] : "", i < come.size() ? come[i] : "", Paint::red,
                           Paint::green);
                   }});
  return out;
}

std::string diff_stat(const std::vector<FileStat>& files, const Style& style, std::size_t width,
                      const FileLink& link) {
  std::size_t names = 0;
  std::int64_t most = 1, added = 0, removed = 0;
  for (const auto& file : files) {
    names = std::max(names, display_width(style.safe(file.path)));
    most = std::max(most, file.added + file.removed);
    added += file.added;
    removed += file.removed;
  }
  if (width == 0) width = 80;
  names = std::min(names, width > kNarrowest ? width - 24 : kNarrowest - 24);
  const auto digits = std::to_string(most).size();
  const auto bar = static_cast<std::int64_t>(width > names + digits + 6 ? width - names - digits - 6 : 4);
  std::string out;
  for (const auto& file : files) {
    auto name = pad(style.fit(file.path, names), names);
    if (link) name = hyperlink(name, link(file.path));
    out += " " + name + " | ";
    if (file.binary) {
      out += "Bin\n";
      continue;
    }
    const auto scaled = [&](std::int64_t count) {
      const auto length = most <= bar ? count : (count * bar + most - 1) / most;
      return static_cast<std::size_t>(length);
    };
    out += pad(std::to_string(file.added + file.removed), digits, true) + " " +
           style.paint(Paint::green, std::string(scaled(file.added), '+')) +
           style.paint(Paint::red, std::string(scaled(file.removed), '-')) + "\n";
  }
  return out + fmt::format(" {} changed, {} added, {} removed\n", counted(files.size(), "file"),
                           counted(added, "line"), removed);
}

std::string hyperlink(const std::string& text, const std::string& address) {
  if (address.empty()) return text;
  return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\";
}

std::string path_uri(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string file_address(std::string_view host, std::string_view path) {
  return "file://" + path_uri(host) + path_uri(path);
}

bool shows_links(const EnvLookup& env) {
  const auto is = [&](const char* name) { return env(name).value_or(""); };
  if (const auto forced = env("FORCE_HYPERLINK")) return *forced != "0" && !forced->empty();
  if (!is("NO_HYPERLINK").empty() || is("TERM") == "dumb") return false;
  if (const auto vte = parse_int(is("VTE_VERSION"))) return *vte >= 5000;
  static constexpr std::array kPrograms{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "tmux"};
  static constexpr std::array kTerms{"xterm-kitty",   "foot",      "foot-extra",
                                     "xterm-ghostty", "alacritty", "wezterm"};
  const auto program = is("TERM_PROGRAM"), term = is("TERM");
  return std::find(kPrograms.begin(), kPrograms.end(), program) != kPrograms.end() ||
         std::find(kTerms.begin(), kTerms.end(), term) != kTerms.end() || !is("KONSOLE_VERSION").empty() ||
         !is("WT_SESSION").empty();
}

}  // namespace hydra::cli
