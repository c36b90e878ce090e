// config, inside the room: the commands and the workspace of each kind of project, for propose(). Most
// answers are data (config/toolchains.hpp); a function exists only where project files must be parsed.
#pragma once

#include "config/config.hpp"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// A guess and its reason.
struct Guess {
  std::string value, why;
};

struct Proposal {
  std::string kind;  ///< file that led to the proposal
  std::optional<Guess> build, test, lint, setup, warm, run;
  std::vector<Guess> share, outputs, caches, env;
  std::vector<std::string> notes;
  bool fills_gaps = false;  ///< whether the proposal only fills gaps of other tools (make)

  /// Whether the proposal says how to check the project.
  [[nodiscard]] bool is_tool() const { return build || test || lint || setup || notes.empty(); }
};

/// Look-ups in the known files of a project.
class ProjectView {
 public:
  explicit ProjectView(const ProjectFiles& files) : files_(files) {}
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::string_view text(std::string_view name) const;
  [[nodiscard]] std::string first_of(std::initializer_list<std::string_view> names) const;
  /// Returns the first name that a pattern (base/glob.hpp) matches.
  [[nodiscard]] std::string matching(std::string_view pattern) const;
  /// Whether the command's program is installed; true if programs were not checked.
  [[nodiscard]] bool has_program(std::string_view command) const;
  /// Whether the command begins with a script of the project that lacks the mode of a program.
  [[nodiscard]] bool is_no_program(std::string_view command) const;
  [[nodiscard]] bool has_cache(std::string_view name) const;
  /// Whether the machine has the package ("python:pytest"); false if packages were not checked.
  [[nodiscard]] bool has_package(std::string_view name) const;
  [[nodiscard]] bool looked_for_packages() const { return files_.packages.has_value(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return files_.names; }
  [[nodiscard]] const std::string& directory() const { return files_.directory; }

 private:
  const ProjectFiles& files_;
};

using Scripts = std::map<std::string, std::string>;

/// How a package manager runs scripts ("npm run") and programs of the package ("npx ").
struct ScriptTool {
  std::string manifest, run, inside;
};

/// Sets tests and lint of the proposal by the scripts; what the scripts do not tell is left alone.
void take_scripts(const Scripts& scripts, const ScriptTool& tool, Proposal& p);

/// Extends the proposal of a toolchain's row by the project's files (package.json scripts, Makefile targets).
/// False: drop the proposal.
using ProposalReader = bool (*)(const ProjectView&, Proposal&);
bool propose_node(const ProjectView& files, Proposal& p);
bool propose_python(const ProjectView& files, Proposal& p);
bool propose_meson(const ProjectView& files, Proposal& p);
bool propose_configured_make(const ProjectView& files, Proposal& p);
bool propose_make(const ProjectView& files, Proposal& p);
bool propose_php(const ProjectView& files, Proposal& p);
bool propose_deno(const ProjectView& files, Proposal& p);
bool propose_cmake(const ProjectView& files, Proposal& p);
/// Returns the reader with the name used in a row; null: none.
ProposalReader proposal_reader(std::string_view name);

/// Returns the project name in a meson.build; empty: no plain word.
std::string meson_project(std::string_view text);

/// Returns the proposals of all toolchains found, in the order in which their commands run.
std::vector<Proposal> proposals(const ProjectView& files);

}  // namespace hydra::config
