// config, inside the room: what each kind of project says about its commands and workspace. Most of it is
// data (config/toolchains.hpp); what has to read a project's files is a function each. `propose()` combines
// them.
#pragma once

#include "config/config.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// One guess and where it comes from.
struct Guess {
  std::string value, why;
};

struct Proposal {
  std::string kind;  ///< the file that it was found by
  std::optional<Guess> build, test, lint, setup, warm;
  std::vector<Guess> share, outputs, caches;
  std::vector<std::string> notes;
  bool fills_gaps = false;  ///< counts only where no other tool has something (make)
};

/// Look-ups in what is known of a project.
class ProjectView {
 public:
  explicit ProjectView(const ProjectFiles& files) : files_(files) {}
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::string_view text(std::string_view name) const;
  [[nodiscard]] std::string first_of(std::initializer_list<std::string_view> names) const;
  /// The first name that a pattern of base/glob.hpp matches.
  [[nodiscard]] std::string matching(std::string_view pattern) const;
  [[nodiscard]] std::string ending_with(std::string_view suffix) const;
  /// Is the program of this command there? Also where nobody looked.
  [[nodiscard]] bool has_program(std::string_view command) const;
  [[nodiscard]] bool has_cache(std::string_view name) const;
  /// Does the machine itself have that package ("python:pytest")? Not where nobody looked.
  [[nodiscard]] bool has_package(std::string_view name) const;
  [[nodiscard]] bool looked_for_packages() const { return files_.packages.has_value(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return files_.names; }

 private:
  const ProjectFiles& files_;
};

/// Adds to what the row of a toolchain says what its files say (scripts of package.json, targets of a
/// Makefile). False: there is nothing after all.
using ProposalReader = bool (*)(const ProjectView&, Proposal&);
bool propose_node(const ProjectView& files, Proposal& p);
bool propose_python(const ProjectView& files, Proposal& p);
bool propose_meson(const ProjectView& files, Proposal& p);
bool propose_configured_make(const ProjectView& files, Proposal& p);
bool propose_make(const ProjectView& files, Proposal& p);
bool propose_ruby(const ProjectView& files, Proposal& p);
bool propose_php(const ProjectView& files, Proposal& p);
/// By the name that a row gives it; null: there is none.
ProposalReader proposal_reader(std::string_view name);

/// The name of a Meson project, out of its meson.build; empty: none that is a plain word.
std::string meson_project(std::string_view text);

/// Of all toolchains whose files are there, in the order in which their commands run.
std::vector<Proposal> proposals(const ProjectView& files);

}  // namespace hydra::config
