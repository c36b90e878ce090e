#include "cli/score/functions.hpp"

#include "base/strings.hpp"

#include <array>

namespace hydra::cli::score {
namespace {

const Function* function_of(const System& system, Args& args) {
  const auto name = args.text("fn");
  if (args.failed()) return nullptr;
  for (const auto& f : system.functions)
    if (f.name == name) return &f;
  std::vector<std::string> names;
  for (const auto& f : system.functions) names.emplace_back(f.name);
  const auto near = nearest(name.substr(0, 64), names);
  args.fail("unknown_function", "fn",
            "no function of " + std::string(system.name) + (near ? "; did you mean " + *near + "?" : ""));
  return nullptr;
}

}  // namespace

std::span<const System> systems() {
  static const std::array all{System{"hydra", hydra_functions()}, System{"arena", arena_functions()},
                              System{"reward", reward_functions()}, System{"term", term_functions()}};
  return all;
}

std::optional<System> system_of(std::string_view name) {
  for (const auto& s : systems())
    if (s.name == name) return s;
  return std::nullopt;
}

void answer_problem(const Problem& problem, std::string& out) {
  Writer writer(out);
  writer.begin_object();
  writer.text("error", problem.label);
  writer.text("message", problem.message);
  writer.end_object();
  out += '\n';
}

bool answer(const System& system, std::string_view line, Document& document, std::string& out) {
  const auto start = out.size();
  Problem problem;
  if (document.parse(line, problem)) {
    Args args(document, problem);
    if (const auto* function = function_of(system, args)) {
      Writer writer(out);
      writer.begin_object();
      function->run(args, writer);
      writer.end_object();
      if (problem.none() && !writer.finite())
        problem = {"not_representable",
                   "the result is too large for a number; the arguments are out of range"};
    }
  }
  if (problem.none()) {
    out += '\n';
    return true;
  }
  out.resize(start);
  answer_problem(problem, out);
  return false;
}

bool answer_table(const System& system, std::string_view line, Document& document, std::string& out) {
  Problem problem;
  if (!document.parse(line, problem)) return answer(system, line, document, out);
  Args args(document, problem);
  const auto* function = function_of(system, args);
  if (function == nullptr || function->name != "leaderboard") return answer(system, line, document, out);
  const auto table = arena_table(args);
  if (args.failed()) return answer(system, line, document, out);
  out += table;
  return true;
}

}  // namespace hydra::cli::score
