// cli: the functions of `hydra score`, one table per system, and the answer to one line.
#pragma once

#include "cli/score/args.hpp"
#include "cli/score/json.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hydra::cli::score {

/// A function; `run` reads the arguments and, unless they failed, writes the answer's members.
struct Function {
  std::string_view name;
  void (*run)(Args& args, Writer& out);
};

struct System {
  std::string_view name;
  std::span<const Function> functions;
};

std::span<const Function> hydra_functions();
std::span<const Function> arena_functions();
std::span<const Function> reward_functions();
std::span<const Function> term_functions();
std::span<const System> systems();
std::optional<System> system_of(std::string_view name);

/// Appends one JSON line for `line` (without newline); false if the answer is an error. `document`: reusable
/// memory.
bool answer(const System& system, std::string_view line, Document& document, std::string& out);
/// Returns the display table of a `leaderboard` line of the arena (docs/scoring.md, "Arena").
std::string arena_table(Args& args);
/// As answer(), but appends the display table for a `leaderboard` line of the arena.
bool answer_table(const System& system, std::string_view line, Document& document, std::string& out);
/// Appends the answer to an unreadable line.
void answer_problem(const Problem& problem, std::string& out);

}  // namespace hydra::cli::score
