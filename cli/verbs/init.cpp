#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/context.hpp"
#include "cli/project_files.hpp"
#include "cli/standing.hpp"

#include <iostream>

namespace hydra::cli {
namespace {

struct InitArgs {
  bool force = false, to_stdout = false, no_check = false, yes = false;
};

// Returns the proposed settings with their sources; rejected proposals begin with '#'.
std::string found_lines(const std::string& proposal, const Style& style) {
  std::string out;
  for (const auto line : lines(proposal))
    if (!line.starts_with('#') && line.find("   # ") != std::string_view::npos)
      out += "  " + style.safe(line) + "\n";
  return out;
}

// Asks a person before writing; other callers are not asked.
bool is_wanted(const InitArgs& args, const std::string& proposal, Context& context) {
  if (args.yes || !context.interactive()) return true;
  print("Found in this directory:\n" + found_lines(proposal, context.out()) +
        "Write this to hydra.toml? [Y/n] ");
  std::string answer;
  if (!std::getline(std::cin, answer)) return false;
  const auto word = to_lower(trim(answer));
  return word.empty() || word == "y" || word == "yes";
}

constexpr std::size_t kMostParts = 4;  // a task concerns one of more

Result<int> init(const InitArgs& args, Context& context) {
  const auto directory = working_directory();
  const auto all = list_files(directory, process_env());
  auto files = read_project(all);
  add_machine(process_env(), files);
  const auto below = config::proposes_tests(files) ? std::vector<SubProject>() : projects_below(all);
  std::vector<config::ProjectFiles> parts;
  for (const auto& one : below.size() > kMostParts ? std::vector<SubProject>() : below) {
    parts.push_back(read_project(all, one.directory));
    add_machine(process_env(), parts.back());
  }
  const auto text = config::propose(files, parts);
  const bool known = config::recognises(files) || !parts.empty();
  if (args.to_stdout) {
    print(text);
    return kDone;
  }
  // In a directory above many projects nothing is written, since a task concerns one of them.
  if (!below.empty() && !known && !args.force) {
    print_line("No build system was recognised in this directory, but below it:");
    for (const auto& project : below)
      print_line("  " + context.out().safe(project.directory) + "  (" + context.out().safe(project.kind) +
                 ")");
    return say(
        "Run `hydra init` in one of them: the commands of its hydra.toml run in it. Or write a "
        "hydra.toml here by --force and name them all, as \"cd " +
        context.out().safe(below.front().directory) + " && ...\".");
  }
  const auto file = directory / "hydra.toml";
  std::error_code ec;
  if (fs::exists(fs::symlink_status(file, ec)) && !args.force)
    return Error{Errc::usage, "hydra.toml exists already", file.string(),
                 "--force overwrites it, --stdout only shows the proposal"};
  if (!is_wanted(args, text, context))
    return say("Nothing was written. `hydra init --stdout` prints the whole proposal.");
  HYDRA_CHECK(write_file_atomic(file, text, false));
  // The preflight runs the base's checks without agents. Its findings are advice about the new file, not a
  // failure of init.
  const auto active = [&](const char* key) {
    return text.find(std::string("\n") + key + " = ") != text.npos;
  };
  if (!active("build_command") && !active("test_command") && !active("lint_command")) {
    // The first lines hold notes only if a project was found but no command proposed.
    const bool says_why = known && text.find("\n# Not proposed") != text.npos;
    return say(std::string("Wrote hydra.toml. ") +
               (!known     ? "No build system was recognised in this directory"
                : says_why ? "No command to build, test or lint can be proposed; its first lines say why"
                           : "No command to build, test or lint was found in what is here") +
               ": fill in the commands of your project, then try them with `hydra check`. Without any, only "
               "diff size "
               "and speed are scored.");
  }
  if (args.no_check) return say("Wrote hydra.toml. Next: hydra check");
  print_line("Wrote hydra.toml. Trying its commands on the base now; --no-check leaves that out.");
  if (context.exit(find_verb("check")->run(context)) != kDone) return kDone;
  return say("\nNext: " + next_line(context));
}

}  // namespace

Verb init_verb() {
  return verb_of<InitArgs>(
      "init", "Propose a hydra.toml from the files of this directory",
      {"hydra init", "hydra init --yes", "hydra init --stdout", "hydra init --force"},
      [](Options& o, InitArgs& args) {
        o.flag("--force", args.force, "overwrite a hydra.toml that is there");
        o.flag("--yes,-y", args.yes, "do not ask before it is written");
        o.flag("--stdout", args.to_stdout, "print it, write nothing");
        o.flag("--no-check", args.no_check, "only write it, don't try its commands");
      },
      init);
}

}  // namespace hydra::cli
