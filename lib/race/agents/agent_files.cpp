#include "race/agents/agent_files.hpp"

#include "adapters/adapters.hpp"
#include "adapters/sign_in_text.hpp"
#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "model/environment.hpp"
#include "race/agents/sign_in.hpp"
#include "race/agents/usage_file.hpp"
#include "race/state/agent_state.hpp"
#include "trees/clone_tree.hpp"
#include "trees/workspace.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace hydra::race {
namespace {

constexpr std::size_t kMostSignInBytes = 1u << 20;

const model::AgentDescriptor& descriptor_of(const model::RaceSpec& spec, const AgentState& agent) {
  return spec.config.agents.at(agent.entry.id);
}

bool rotates(const model::AgentDescriptor& descriptor, const std::string& source, const fs::path& file) {
  const auto& list = descriptor.auth_rotates.empty() ? descriptor.auth_files : descriptor.auth_rotates;
  if (descriptor.auth_static || std::find(list.begin(), list.end(), source) == list.end()) return false;
  const auto text = read_file(file, kMostSignInBytes);
  return !text.ok() || adapters::renews_itself(*text);
}

// Refuses paths through links, which a run may have left in its directories: nothing is written or removed
// there.
Result<void> demand_plain(const fs::path& root, const fs::path& path) {
  auto at = root;
  for (const auto& part : path.lexically_relative(root).parent_path()) {
    at /= part;
    struct stat st {};
    if (::lstat(at.c_str(), &st) != 0) return {};
    if (!S_ISDIR(st.st_mode))
      return Error{Errc::refused, "the agent left no directory where its configuration stands", at.string(),
                   "race again"};
  }
  return {};
}

Result<void> seed_file(const Seeded& seed, const std::string& name, const Layout& layout) {
  // Resolve the user's links: the copy is not a link, and carrying back replaces the file itself.
  std::error_code ec;
  const auto from = fs::canonical(seed.from, ec);
  if (ec) {
    if (seed.optional) return {};
    return Error{Errc::environment, "the agent needs " + seed.from.string(), name,
                 "sign in with it once, outside Hydra"};
  }
  HYDRA_CHECK(demand_plain(seed.copy_root, seed.copy));
  HYDRA_CHECK(make_dirs(seed.copy.parent_path(), 0700));
  HYDRA_CHECK(remove_tree(seed.copy));
  HYDRA_CHECK(trees::clone_tree(from, seed.copy));
  if (seed.rotating) return remember_sign_in(seed, from, name, layout);
  return {};
}

// The session id comes from the agent's output and goes into a command line: neither an option nor a path is
// allowed.
bool plain_session(const std::string& session) {
  constexpr auto kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:";
  return !session.empty() && session.size() <= 200 && session.front() != '-' && session.front() != '.' &&
         session.find_first_not_of(kAllowed) == std::string::npos;
}

constexpr std::size_t kMostCaches = 16;

/// Collects the directories below `at` that match the rest of the pattern.
void find_directories(const fs::path& at, const std::vector<std::string_view>& parts, std::size_t i,
                      std::vector<fs::path>& found) {
  std::error_code ec;
  if (found.size() >= kMostCaches || !fs::is_directory(fs::symlink_status(at, ec))) return;
  if (i == parts.size()) return found.push_back(at);
  if (parts[i].find_first_of("*?") == std::string_view::npos)
    return find_directories(at / parts[i], parts, i + 1, found);
  for (const auto& entry : entries_of(at, ec))
    if (match_component(parts[i], entry.path().filename().string()))
      find_directories(entry.path(), parts, i + 1, found);
}

/// Returns the part of a prompt about installed dependencies; empty: the agent has none.
std::string dependencies_text(const model::RaceSpec& spec, const AgentState& agent) {
  constexpr std::size_t kShown = 3;
  if (agent.dependencies.empty()) return {};
  std::vector<std::string> shown(
      agent.dependencies.begin(),
      agent.dependencies.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, agent.dependencies.size())));
  if (agent.dependencies.size() > kShown) shown.emplace_back("…");
  auto text = "\n\nDependencies are installed (" + join(shown, ", ") + ").";
  if (const auto& tests = spec.config.scoring.test_command) text += " Run the tests with `" + *tests + "`.";
  return text;
}

/// Returns the part of a prompt for projects whose program listens: agents share the machine's network.
std::string ports_text(const model::RaceSpec& spec) {
  if (!spec.config.workspace.run) return {};
  return "\n\nServers that you start must listen on $PORT: other agents run on the same machine.";
}

}  // namespace

fs::path path_in_home(const model::RaceSpec& spec, const std::string& relative) {
  return adapters::home_file(model::variable(spec, "HOME"), relative,
                             model::variable(spec, "XDG_CONFIG_HOME"),
                             model::variable(spec, "XDG_DATA_HOME"));
}

bool plain_home(const model::RaceSpec& spec) {
  const auto home = spec.config.workspace.home;
  return home == model::AgentHome::plain ||
         (home == model::AgentHome::automatic && spec.labels.contains("suite-task"));
}

std::vector<fs::path> cached_directories(const model::AgentDescriptor& descriptor, const fs::path& home) {
  std::vector<fs::path> found;
  if (!home.is_absolute()) return found;
  for (const auto& pattern : descriptor.home_cache) find_directories(home, split(pattern, '/'), 0, found);
  return found;
}

std::string prompt_of(const model::RaceSpec& spec, const AgentState& agent) {
  const auto own = agent.retry && !agent.retry->prompt.empty()
                       ? agent.retry->prompt
                       : first_prompt(spec, agent.entry) + dependencies_text(spec, agent) + ports_text(spec);
  const auto& prefix = descriptor_of(spec, agent).prompt_prefix;
  const bool resumed = agent.retry && !agent.retry->session.empty();
  const auto prompt = prefix.empty() || resumed ? own : prefix + "\n\n" + own;
  // CLIs take a first line that begins so for a command of their own.
  return prompt.find_first_of("/!#@") == 0 ? "Task:\n" + prompt : prompt;
}

std::set<fs::path> sign_in_files(const model::RaceSpec& spec, const model::AgentDescriptor& descriptor) {
  std::set<fs::path> files;
  for (const auto& file : descriptor.auth_files) files.insert(path_in_home(spec, file));
  for (const auto& seed : adapters::seed_files(descriptor.home_seed))
    files.insert(path_in_home(spec, seed.source));
  return files;
}

std::vector<Seeded> seeded_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  const auto& name = agent.entry.name;
  const auto& descriptor = descriptor_of(spec, agent);
  const bool own_directory = descriptor.home == model::HomePolicy::per_run;
  auto rows = descriptor.home_seed;
  if (!plain_home(spec))
    rows.insert(rows.end(), descriptor.home_personal.begin(), descriptor.home_personal.end());
  std::vector<Seeded> files;
  for (const auto& seed : adapters::seed_files(rows)) {
    const bool into_home = !own_directory || seed.target.starts_with("~/");
    if (into_home && !model::sandboxed(spec)) continue;  // the agent has the user's own home
    Seeded file;
    file.source = seed.source;
    file.from = path_in_home(spec, seed.source);
    file.optional = seed.optional;
    file.copy_root = into_home ? layout.home(name) : layout.run(name);
    file.copy = file.copy_root / (!into_home      ? "config/" + seed.target
                                  : own_directory ? seed.target.substr(2)
                                                  : seed.source);
    file.rotating = rotates(descriptor, seed.source, file.from);
    files.push_back(std::move(file));
  }
  return files;
}

Result<void> prepare_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  HYDRA_CHECK(remove_tree(layout.run(agent.entry.name)));
  HYDRA_CHECK(remove_tree(layout.home(agent.entry.name)));
  return lay_out_agent_files(spec, agent, layout);
}

Result<void> lay_out_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  const auto& name = agent.entry.name;
  const auto& descriptor = descriptor_of(spec, agent);
  const auto run = layout.run(name);
  HYDRA_CHECK(demand_plain(run, run / "config" / "x"));
  HYDRA_CHECK(make_dirs(run / "config", 0700));
  HYDRA_CHECK(remove_tree(run / "tmp"));
  HYDRA_CHECK(make_dirs(run / "tmp", 0700));
  HYDRA_CHECK(make_dirs(layout.home(name), 0700));
  HYDRA_CHECK(remove_tree(run / "prompt.txt"));
  HYDRA_CHECK(write_file(run / "prompt.txt", prompt_of(spec, agent), 0600));
  remove_usage_file(descriptor.stream.usage_file, run);
  if (descriptor.home == model::HomePolicy::per_run) {
    for (const auto& [relative, text] : descriptor.home_write) {
      const auto to = run / "config" / relative;
      std::error_code ec;
      if (fs::symlink_status(to, ec).type() != fs::file_type::not_found) continue;  // the agent's own
      HYDRA_CHECK(demand_plain(run, to));
      HYDRA_CHECK(make_dirs(to.parent_path(), 0700));
      HYDRA_CHECK(write_file(to, text, 0600));
    }
  }
  // A login shell reads /etc/profile, which sets PATH anew.
  const auto profile = "export PATH=" + shell_quote(model::variable(spec, "PATH")) + "\n";
  for (const char* file : {".profile", ".zprofile"}) {
    const auto to = layout.home(name) / file;
    std::error_code ec;
    if (fs::symlink_status(to, ec).type() == fs::file_type::not_found)
      HYDRA_CHECK(write_file(to, profile, 0600));
  }
  for (const auto& seed : seeded_files(spec, agent, layout)) HYDRA_CHECK(seed_file(seed, name, layout));
  return {};
}

bool resumable(const model::RaceSpec& spec, const AgentState& agent) {
  return agent.ended && plain_session(agent.ended->verdict.session) &&
         !descriptor_of(spec, agent).resume_command.empty();
}

void close_agent_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  const auto& name = agent.entry.name;
  forget_sign_ins(name, layout);
  const auto trash = [&] {
    trees::move_to_trash(layout.run(name), layout.trash());
    trees::move_to_trash(layout.home(name), layout.trash());
  };
  if (!resumable(spec, agent)) return trash();
  std::vector<std::pair<fs::path, fs::path>> copies;
  for (const auto& seed : seeded_files(spec, agent, layout)) copies.emplace_back(seed.copy_root, seed.copy);
  // A CLI that was not signed in by a copy may have written a sign-in.
  for (const auto& file : descriptor_of(spec, agent).auth_files) {
    copies.emplace_back(layout.run(name), layout.run(name) / "config" / fs::path(file).filename());
    copies.emplace_back(layout.home(name), layout.home(name) / file);
  }
  copies.emplace_back(layout.run(name), layout.run(name) / "tmp");
  for (const auto& [root, copy] : copies) {
    if (!demand_plain(root, copy).ok()) return trash();
    trees::move_to_trash(copy, layout.trash());
    std::error_code ec;
    if (fs::symlink_status(copy, ec).type() != fs::file_type::not_found) return trash();
  }
}

std::string shared_sign_in(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout) {
  for (const auto& seed : seeded_files(spec, agent, layout)) {
    std::error_code ec;
    if (!seed.rotating) continue;
    if (const auto file = fs::canonical(seed.from, ec); !ec) return file.string();
  }
  return {};
}

}  // namespace hydra::race
