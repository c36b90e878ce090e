// config, inside the room: what each kind of project says about its commands and workspace. One function a
// tool; `propose()` combines them (toolchains reference, section 9).
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
  [[nodiscard]] std::string starting_with(std::string_view prefix) const;
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

/// A cache that its tool has filled on this machine.
void add_cache(const ProjectView& files, Proposal& proposal, const std::string& name);

std::optional<Proposal> propose_python(const ProjectView& files);
std::optional<Proposal> propose_cmake(const ProjectView& files);
std::optional<Proposal> propose_meson(const ProjectView& files);
std::optional<Proposal> propose_autotools(const ProjectView& files);
std::optional<Proposal> propose_perl(const ProjectView& files);
std::optional<Proposal> propose_make(const ProjectView& files);
std::optional<Proposal> propose_ruby(const ProjectView& files);
std::optional<Proposal> propose_php(const ProjectView& files);
std::optional<Proposal> propose_rows(const ProjectView& files);
/// Programs that rows of a table call.
std::vector<std::string> row_programs();
/// The name of a Meson project, out of its meson.build; empty: none that is a plain word.
std::string meson_project(std::string_view text);

using Guesser = std::optional<Proposal> (*)(const ProjectView&);
/// In the order in which their commands run.
std::initializer_list<Guesser> guessers();

}  // namespace hydra::config
