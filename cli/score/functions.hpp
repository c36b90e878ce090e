// cli: the functions of `hydra score`, one table a system, and the answer to one line.
#pragma once

#include "cli/score/args.hpp"
#include "cli/score/json.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hydra::cli::score {

/// Reads its arguments and, unless they failed, writes the members of its answer.
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

/// Appends one object and a newline for `line` (without its newline); false when it is an error. `document`
/// is memory for reuse.
bool answer(const System& system, std::string_view line, Document& document, std::string& out);
/// Appends the answer to a line that can't even be read.
void answer_problem(const Problem& problem, std::string& out);

}  // namespace hydra::cli::score
