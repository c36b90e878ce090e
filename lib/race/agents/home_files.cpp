#include "race/agents/home_files.hpp"

#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "model/environment.hpp"
#include "race/agents/agent_files.hpp"
#include "race/job_parts.hpp"
#include "race/state/agent_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace hydra::race {
namespace {

using namespace detail;

constexpr std::size_t kMostSettings = 4u << 20, kMostShown = 64, kMostNamed = 6;

class HomeFinder {
 public:
  HomeFinder(const model::RaceSpec& spec, std::vector<Seeded> files)
      : spec_(spec), files_(std::move(files)), sandbox_(base_sandbox(spec, {})), home_(sandbox_.home) {
    add_configured(spec, sandbox_);
  }

  HomeFiles take() {
    for (const auto& file : files_) read(file);
    // Another file of settings may show a path.
    std::erase_if(found_.left_out,
                  [&](const auto& each) { return is_shown(expand_home(each.first, home_)); });
    return std::move(found_);
  }

 private:
  void read(const Seeded& file) {
    const auto text = read_file(file.from, kMostSettings);
    if (!text.ok()) return;
    const auto ends_word = [](char c) {
      return std::string_view(" \t\r\n\"'`,;=()[]{}<>|&").find(c) != std::string_view::npos;
    };
    enum class Command { none, program, arguments } command = Command::none;
    for (auto at = text->begin(); at != text->end() && found_.shown.size() < kMostShown;) {
      const auto end = std::find_if(at, text->end(), ends_word);
      const auto word = replace_all(replace_all(std::string(at, end), "${HOME}", "~"), "$HOME", "~");
      const char after = end == text->end() ? '\n' : *end;
      // An object of JSON ends, or a table of TOML begins.
      if (after == '}' || (after == '[' && end != text->begin() && *(end - 1) == '\n'))
        command = Command::none;
      at = end == text->end() ? end : end + 1;
      if (word.empty() || word == ":") continue;
      if (word.front() == '/' || word.front() == '~')
        add_path(expand_home(word, home_).lexically_normal(), file.from.parent_path(),
                 command != Command::none);
      // Any other line is for a shell, whose first word may be no program.
      if (command == Command::program && (after == '"' || after == '\'')) add_program(word);
      const auto value = std::string_view(at, text->end());
      const auto next = value.find_first_not_of(" \t");
      const bool key = word == "command" && next != value.npos &&
                       (after == '=' || value[next] == (after == '"' ? ':' : '='));
      command = key ? Command::program : command == Command::none ? command : Command::arguments;
    }
  }

  void add_path(const fs::path& path, const fs::path& own, bool of_command) {
    if (path == home_ || !below(path, home_) || below(path, spec_.repository.root) ||
        holds_more(path, home_, spec_.repository.root))
      return;
    std::error_code ec;
    const auto real = fs::canonical(path, ec);
    if (ec) return;
    const auto overlaps = [&](const auto& f) { return below(f.from, path) || below(path, f.from); };
    const bool seeded = std::any_of(files_.begin(), files_.end(), overlaps);
    if (own != home_ && below(path, own) && below(real, own)) {
      if (!seeded) found_.shown.push_back(path);
    } else if (!fs::is_regular_file(real, ec)) {
      if (of_command && !seeded) leave_out(in_words(path), Missing::directory);
    } else if (!holds_secrets(path, home_) && !holds_secrets(real, home_)) {
      found_.shown.push_back(path);
    } else if (!seeded) {
      leave_out(in_words(path), Missing::keys);
    }
  }

  void add_program(const std::string& word) {
    const auto program = expand_home(word, home_);
    if (program.is_absolute() || word.find('/') == std::string::npos)
      if (exec::find_program(program.string(), model::variable(spec_, "PATH")).empty())
        leave_out(word, Missing::program);
  }

  [[nodiscard]] std::string in_words(const fs::path& path) const {
    return "~/" + path.lexically_relative(home_).string();
  }

  void leave_out(const std::string& name, Missing why) {
    const std::pair row{name, why};
    auto& rows = found_.left_out;
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }

  [[nodiscard]] bool is_shown(const fs::path& path) const {
    return std::any_of(found_.shown.begin(), found_.shown.end(),
                       [&](const auto& p) { return below(path, p); }) ||
           std::any_of(sandbox_.binds.begin(), sandbox_.binds.end(),
                       [&](const auto& bind) { return below(path, bind.host); });
  }

  const model::RaceSpec& spec_;
  std::vector<Seeded> files_;
  exec::Sandbox sandbox_;
  fs::path home_;
  HomeFiles found_;
};

const char* reason_of(Missing missing) {
  switch (missing) {
    case Missing::keys:
      return " (it may hold keys)";
    case Missing::directory:
      return " (a directory outside of the agent's own)";
    case Missing::program:
      return " (a program that is not found)";
    case Missing::instructions:
      break;
  }
  return "";
}

std::string left_out_text(const model::RaceSpec& spec, const HomeFiles& found) {
  std::vector<std::string> personal, others;
  bool path = false;
  for (const auto& [name, missing] : found.left_out) {
    (missing == Missing::instructions ? personal : others).push_back(sanitize(name) + reason_of(missing));
    path = path || missing == Missing::keys || missing == Missing::directory;
  }
  const auto list = [](std::vector<std::string> names) {
    const auto more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
    names.resize(names.size() - more);
    return join(names, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
  };
  std::vector<std::string> parts;
  if (!personal.empty())
    parts.push_back(fmt::format("your instructions and skills are left out: {} ({})", list(personal),
                                spec.config.workspace.home == model::AgentHome::plain
                                    ? "[workspace] home = \"plain\""
                                    : "a task of a suite"));
  if (!others.empty())
    parts.push_back("left out of its home: " + list(others) +
                    (path ? "; [sandbox] read shows a path to agents" : ""));
  return join(parts, "; ");
}

}  // namespace

HomeFiles home_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  const auto& descriptor = spec.config.agents.at(agent.entry.id);
  const bool sandboxed = model::sandboxed(spec);
  auto found = sandboxed ? HomeFinder(spec, seeded_files(spec, agent, layout)).take() : HomeFiles{};
  if (plain_home(spec) && (sandboxed || descriptor.home == model::HomePolicy::per_run))
    for (const auto& seed : adapters::seed_files(descriptor.home_personal)) {
      std::error_code ec;
      if (fs::exists(path_in_home(spec, seed.source), ec))
        found.left_out.emplace_back("~/" + seed.source, Missing::instructions);
    }
  return found;
}

std::vector<model::Note> left_out_notes(const model::RaceSpec& spec, const Layout& layout) {
  std::vector<model::Note> notes;
  std::set<std::string> seen;
  for (const auto& entry : spec.agents) {
    if (!spec.config.agents.contains(entry.id) || !seen.insert(entry.id).second) continue;
    AgentState agent;
    agent.entry = entry;
    if (auto text = left_out_text(spec, home_files(spec, agent, layout)); !text.empty())
      notes.push_back({model::Subject::of(entry.name), std::move(text)});
  }
  return notes;
}

}  // namespace hydra::race
