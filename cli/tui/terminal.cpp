#include "cli/tui/terminal.hpp"

#include "base/utf8.hpp"

#include <array>
#include <clocale>
#include <cstring>
#include <curses.h>
#include <langinfo.h>
#include <map>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace hydra::cli::tui {
namespace {

constexpr std::array<std::pair<Paint, short>, 4> kColours{{{Paint::green, COLOR_GREEN},
                                                           {Paint::yellow, COLOR_YELLOW},
                                                           {Paint::red, COLOR_RED},
                                                           {Paint::cyan, COLOR_CYAN}}};

bool colours_on = false;  // global as ncurses' stdscr

attr_t attributes(const Look& look) {
  attr_t out = look.reverse ? A_REVERSE : A_NORMAL;
  if (look.paint == Paint::bold) out |= A_BOLD;
  if (look.paint == Paint::dim) out |= A_DIM;
  if (!colours_on) return out;
  for (std::size_t i = 0; i < kColours.size(); ++i)
    if (kColours[i].first == look.paint) out |= COLOR_PAIR(static_cast<int>(i) + 1);
  return out;
}

std::string mouse_key() {
  MEVENT event;
  if (::getmouse(&event) != OK) return {};
  if ((event.bstate & BUTTON1_PRESSED) != 0) return "click " + std::to_string(event.y);
  return (event.bstate & BUTTON4_PRESSED) != 0 ? "wheelup" : "wheeldown";
}

std::string name_of_key(int status, wint_t key) {
  static const std::map<wint_t, const char*> kNamed{
      {KEY_UP, "up"},        {KEY_DOWN, "down"},           {KEY_LEFT, "left"}, {KEY_RIGHT, "right"},
      {KEY_PPAGE, "pageup"}, {KEY_NPAGE, "pagedown"},      {KEY_HOME, "home"}, {KEY_END, "end"},
      {KEY_ENTER, "enter"},  {KEY_BACKSPACE, "backspace"}, {KEY_BTAB, "tab"}};
  static const std::map<wint_t, const char*> kControls{{'\r', "enter"}, {'\n', "enter"},    {'\t', "tab"},
                                                       {27, "esc"},     {127, "backspace"}, {8, "backspace"},
                                                       {2, "pageup"},   {6, "pagedown"}};
  if (status == KEY_CODE_YES && key == KEY_MOUSE) return mouse_key();
  const auto& names = status == KEY_CODE_YES ? kNamed : kControls;
  if (const auto it = names.find(key); it != names.end()) return it->second;
  std::string out;
  if (status == OK && key >= 0x20 && !is_dangerous(static_cast<char32_t>(key)))
    append_utf8(out, static_cast<char32_t>(key));
  return out;
}

}  // namespace

std::unique_ptr<Terminal> Terminal::open(bool colour) {
  std::setlocale(LC_CTYPE, "");
  // ncurses would end the process on these signals, which interrupt.hpp handles.
  constexpr std::array kOurs{SIGINT, SIGTERM};
  std::array<struct sigaction, kOurs.size()> before{};
  for (std::size_t i = 0; i < kOurs.size(); ++i) ::sigaction(kOurs[i], nullptr, &before[i]);
  auto* screen = ::newterm(nullptr, stdout, stdin);
  for (std::size_t i = 0; i < kOurs.size(); ++i) ::sigaction(kOurs[i], &before[i], nullptr);
  if (screen == nullptr) return nullptr;
  ::cbreak();
  ::noecho();
  ::nonl();
  ::keypad(stdscr, TRUE);
  ::nodelay(stdscr, TRUE);
  ::set_escdelay(25);
  ::curs_set(0);
  colours_on = colour && ::has_colors();
  if (colours_on) {
    ::start_color();
    ::use_default_colors();
    for (std::size_t i = 0; i < kColours.size(); ++i)
      ::init_pair(static_cast<short>(i + 1), kColours[i].second, -1);
  }
  return std::unique_ptr<Terminal>(new Terminal(screen));
}

Terminal::~Terminal() {
  mouse(false);
  ::erase();
  ::refresh();
  ::endwin();
  ::delscreen(static_cast<SCREEN*>(screen_));
}

Size Terminal::size() const {
  winsize size{};
  if (::ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

bool Terminal::utf8() const { return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0; }

void Terminal::paint(const Picture& picture) {
  const auto now = size();
  if (static_cast<int>(now.rows) != LINES || static_cast<int>(now.columns) != COLS)
    ::resizeterm(static_cast<int>(now.rows), static_cast<int>(now.columns));
  ::erase();
  for (std::size_t y = 0; y < picture.rows.size(); ++y) {
    ::move(static_cast<int>(y), 0);
    for (const auto& cell : picture.rows[y]) {
      ::attrset(static_cast<int>(attributes(cell.look)));
      ::addstr(cell.glyph.c_str());
    }
  }
  ::attrset(A_NORMAL);
  ::refresh();
}

void Terminal::spoilt() { ::clearok(stdscr, TRUE); }

std::vector<std::string> Terminal::keys() {
  std::vector<std::string> out;
  wint_t key = 0;
  for (int status = ::get_wch(&key); status != ERR; status = ::get_wch(&key))
    if (auto name = name_of_key(status, key); !name.empty()) out.push_back(std::move(name));
  return out;
}

void Terminal::mouse(bool on) {
  ::mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, nullptr);
  ::mouseinterval(0);
}

}  // namespace hydra::cli::tui
