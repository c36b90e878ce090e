#include "parsers/report_flags.hpp"

#include "parsers/formats.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <vector>

namespace hydra::parsers {
namespace {

std::vector<std::string_view> report_flags_words_of(std::string_view command) {
  std::vector<std::string_view> out;
  while (!command.empty()) {
    eat_blanks(command);
    const auto end = std::min(command.find_first_of(" \t"), command.size());
    if (end > 0) out.push_back(command.substr(0, end));
    command.remove_prefix(end);
  }
  return out;
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  for (const char c : word.substr(0, equals))
    if (!is_upper(c) && !is_digit(c) && c != '_') return false;
  return true;
}

/// How many words only start the program that follows: "npx", "python3 -m", "bundle exec", "FOO=1".
std::size_t wrapper(const std::vector<std::string_view>& words, std::size_t at) {
  const auto second = at + 1 < words.size() ? words[at + 1] : std::string_view{};
  if (is_assignment(words[at]) || one_of(words[at], {"npx", "bunx", "env", "nice", "time"})) return 1;
  if (second == "-m" && words[at].starts_with("python")) return 2;
  if (second == "exec" && one_of(words[at], {"pnpm", "npm", "bundle", "yarn"})) return 2;
  if (second == "run" && one_of(words[at], {"poetry", "uv", "pipenv", "hatch"})) return 2;
  return 0;
}

}  // namespace

std::optional<ReportOffer> report_flag(std::string_view command) {
  if (command.find_first_of(";|&<>()`\n#\\") != std::string_view::npos) return std::nullopt;
  const auto words = report_flags_words_of(command);
  std::size_t at = 0;
  while (at < words.size()) {
    const auto n = wrapper(words, at);
    if (n == 0) break;
    at += n;
  }
  for (const auto& row : test_data().reports) {
    bool fits = true;
    for (std::size_t k = 0; k < row.words.size(); ++k) {
      auto word = at + k < words.size() ? words[at + k] : std::string_view{};
      if (k == 0)
        if (const auto slash = word.rfind('/'); slash != std::string_view::npos)
          word.remove_prefix(slash + 1);
      fits = fits && word == row.words[k];
    }
    if (!fits || contains(command, row.taken)) continue;
    // Behind "--" a flag would be an argument of something else.
    for (const auto word : words)
      if (word == "--") return std::nullopt;
    return ReportOffer{std::string(trim_end(command)) + " " + row.flag, "{reports}/" + row.file};
  }
  return std::nullopt;
}

}  // namespace hydra::parsers
