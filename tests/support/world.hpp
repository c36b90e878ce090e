// support: a world of its own for one end-to-end test: home, state, runtime directory, a user's repository,
// and the three real binaries. When it ends it demands that no process and no stray file of it is left.
#pragma once

#include "support/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace hydra::e2e {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct HydraOptions {
  std::string input;
  fs::path directory;       ///< empty: the user's repository
  Environment environment;  ///< added to the world's
  std::chrono::milliseconds deadline = kDeadline;
};

/// The user's view of the repository, branches of results and Hydra's own refs left out.
struct Fingerprint {
  std::string head, refs, index, config, hooks, files, status, stash;
  bool operator==(const Fingerprint&) const = default;
  /// "index, files": what differs.
  [[nodiscard]] std::string differs_from(const Fingerprint& other) const;
};

class World {
 public:
  /// `folder` is the name of the user's checkout below the home; all of it in a new directory of `base`.
  explicit World(const std::string& folder = "app", const fs::path& base = "/tmp");
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Places.
  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] fs::path home() const { return root_ / "home"; }
  [[nodiscard]] fs::path state() const { return root_ / "state" / "hydra"; }
  [[nodiscard]] fs::path runtime() const { return root_ / "run" / "hydra"; }
  [[nodiscard]] fs::path config_home() const { return root_ / "config"; }
  /// A directory that agents may be allowed to write to ([sandbox] write).
  [[nodiscard]] fs::path outside() const { return root_ / "outside"; }
  [[nodiscard]] const fs::path& repo() const { return repo_; }
  void set_repo(const fs::path& path) { repo_ = path; }
  [[nodiscard]] fs::path attempt(const std::string& race, const std::string& subject, const std::string& kind,
                                 int number = 1) const;

  // The user's repository.
  void write(const fs::path& relative, const std::string& text, bool executable = false) const;
  [[nodiscard]] std::string read(const fs::path& relative) const { return slurp(repo_ / relative); }
  /// git in the user's repository; the test fails unless it exits with 0. Without the last line end.
  std::string git(const Words& args, const std::string& input = {}) const;
  [[nodiscard]] Run try_git(const Words& args, const fs::path& directory = {}) const;
  /// `git init` with the object format given.
  void init(const std::string& object_format = "sha1") const;
  /// Everything in the checkout, hydra.toml too, as one commit.
  std::string commit(const std::string& message = "work") const;
  /// A small project with README.md, src/app.txt and .gitignore, hydra.toml of `config`, committed.
  std::string project(const std::string& config);
  [[nodiscard]] Fingerprint fingerprint() const;
  /// Content of a file in a commit or branch; empty where there is none.
  [[nodiscard]] std::string show(const std::string& revision, const std::string& path) const;

  // Hydra.
  std::unique_ptr<Process> start(const Words& args, const HydraOptions& options = {}) const;
  /// start() on a terminal: out() is the output to the terminal. TERM is xterm-256color unless the world's
  /// environment has another one.
  std::unique_ptr<Process> start_on_terminal(const Words& args, Process::OnTerminal terminal = {}) const;
  Run hydra(const Words& args, const HydraOptions& options = {}) const;
  /// `hydra race …`; demands that the user's repository is the same after as before.
  Run race(const Words& args, const HydraOptions& options = {}) const;
  [[nodiscard]] Json results(const std::string& race = {}) const;
  [[nodiscard]] Json status(const std::string& race = {}) const;
  [[nodiscard]] Json list() const;
  /// Pids of this world's daemons: at most one is right.
  [[nodiscard]] std::vector<pid_t> daemons() const;
  /// The daemon's socket; empty where there is none.
  [[nodiscard]] fs::path socket() const;
  /// A connection of its own to the daemon, -1 where none can be had; the caller closes it.
  [[nodiscard]] int connect() const;
  void kill_daemon(int signal = 9) const;
  [[nodiscard]] Environment environment() const { return environment_; }
  void set_environment(const std::string& name, const std::string& value) { environment_[name] = value; }
  /// The path variable without the directory of bwrap: a directory of links to everything else.
  fs::path path_without(const std::string& program) const;
  /// cargo is found: rustup's proxies need a home that sandboxes hide, so the toolchain itself. False: none
  /// is here.
  bool use_cargo();
  /// Ends everything and checks; called by the destructor.
  void finish();
  /// Races of this world stop at a base that can judge no result, as a user's do. All others get
  /// --base-fails: most scripted tests of the base fail, so that results can be told apart by their exit
  /// codes.
  void stop_at_a_bad_base() { base_fails_ = false; }
  /// Files of this extension may stay in the user's repository.
  void tolerate(const std::string& extension) { tolerated_.insert(extension); }

 private:
  void check_strays() const;
  [[nodiscard]] Words command(const Words& args) const;
  fs::path root_, repo_;
  Environment environment_;
  std::set<std::string> tolerated_;
  bool finished_ = false, base_fails_ = true;
};

/// TOML of an agent that is a shell script: the prompt is $1.
std::string script_agent(const std::string& name, const std::string& script, const std::string& more = {});
/// The agent's object in results; null and a failed test where there is none.
Json agent_of(const Json& results, const std::string& name);
/// The race's id out of `hydra race --json --detach` or of the first line of `hydra race`.
std::string race_id(const Run& run);
/// A meeting point of scripts and the test: a script reports its arrival and waits to be let through.
class Gate {
 public:
  explicit Gate(const fs::path& path);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  /// Shell text that arrives and waits.
  [[nodiscard]] std::string script() const;
  /// Waits until so many more have arrived. False: the deadline passed.
  bool arrived(int count = 1, std::chrono::milliseconds deadline = kDeadline);
  void open(int count = 1) const;

 private:
  fs::path path_;
  int in_ = -1, go_ = -1;
};

std::string path_of_binary(const std::string& name);
/// path_of_binary() as a word of a shell: the source tree may stand in a directory with blanks.
std::string word_of_binary(const std::string& name);

}  // namespace hydra::e2e
