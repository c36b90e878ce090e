#include "parsers/lint_registry.hpp"

#include "parsers/scan.hpp"

#include <array>

namespace hydra::parsers {
namespace {

/// The more telling form comes first.
constexpr std::array<LintReader, 9> kReaders{read_wrapper,    read_eslint,   read_tsc,
                                             read_shellcheck, read_rust,     read_python,
                                             read_formatter,  read_compiler, read_go};

}  // namespace

std::span<const LintReader> lint_readers() { return kReaders; }

std::optional<Located> located(std::string_view line) {
  if (line.empty() || line[0] == ' ' || line[0] == '\t') return std::nullopt;
  // The first ":<number>" that ends in ":" or " "; a Windows drive is no number. At most a path's length is
  // looked at.
  for (std::size_t at = line.find(':'); at != std::string_view::npos && at < 4096;
       at = line.find(':', at + 1)) {
    auto rest = line.substr(at + 1);
    if (!eat_number(rest)) continue;
    Located out{line.substr(0, at), {}, false};
    auto column = rest;
    if (eat(column, ":") && eat_number(column)) {
      if (eat(column, "-")) eat_number(column);
      out.column = true;
      rest = column;
    }
    if (rest.empty() || (rest[0] != ':' && rest[0] != ' ')) continue;
    out.rest = rest;
    eat(out.rest, ":");
    return out;
  }
  return std::nullopt;
}

/// Text of the programs that only start others: npm, yarn, pnpm, make.
std::optional<LintHit> read_wrapper(const Input& in, std::size_t i) {
  const auto line = in.lines[i];
  const auto clean = LintHit{"", Finding::clean};
  if (line.starts_with("> ") || line.starts_with("npm ") || line.starts_with("yarn run ") ||
      line.starts_with("$ ") || line.starts_with("Done in ") || line.starts_with("info Visit ") ||
      line.starts_with(" ELIFECYCLE") || line.starts_with("error Command failed with exit code "))
    return clean;
  if (line.starts_with("make") && (contains(line, ": *** ") || contains(line, "ing directory '")))
    return clean;
  if (line.starts_with("::error") || line.starts_with("::warning") || line.starts_with("::notice")) {
    if (!contains(line.substr(2), "::")) return std::nullopt;
    return LintHit{"github", line.starts_with("::error")     ? Finding::error
                             : line.starts_with("::warning") ? Finding::warning
                                                             : Finding::note};
  }
  return std::nullopt;
}

}  // namespace hydra::parsers
