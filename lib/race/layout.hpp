// race: paths of a race's files below Hydra's state directory.
#pragma once

#include "base/files.hpp"
#include "base/strings.hpp"
#include "model/event.hpp"

#include <filesystem>
#include <string>

namespace hydra::race {

/// state/races/RACE/{store, work/AGENT, run/AGENT, home/AGENT, checks/SUBJECT, attempts/SUBJECT/KIND-N}
class Layout {
 public:
  Layout(const fs::path& state, const std::string& race)
      : state_(state), race_(race), root_(state / "races" / race) {}

  [[nodiscard]] const std::string& race() const { return race_; }
  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] fs::path store() const { return root_ / "store"; }
  /// Configuration of git with the user's name and address; the store makes the file.
  [[nodiscard]] fs::path identity() const { return store() / "identity"; }
  [[nodiscard]] fs::path work(const std::string& agent) const { return root_ / "work" / directory_of(agent); }
  /// Records that a directory of work() is a layer, and its base (trees/shared_base). No run can reach it.
  [[nodiscard]] fs::path layer(const std::string& directory) const { return layers() / directory; }
  [[nodiscard]] fs::path layers() const { return root_ / "layers"; }
  /// Writable layers over the dependencies of the checks' template, by directory of work(). No run can reach
  /// these files but through its mounts.
  [[nodiscard]] fs::path dependencies(const std::string& directory) const {
    return root_ / "dependencies" / directory;
  }
  /// Scratch files of the agent: its prompt, its configuration directory. The agent may write here.
  [[nodiscard]] fs::path run(const std::string& agent) const { return root_ / "run" / directory_of(agent); }
  [[nodiscard]] fs::path home(const std::string& agent) const { return root_ / "home" / directory_of(agent); }
  /// Home directory of a subject's checks.
  [[nodiscard]] fs::path home(const model::Subject& subject) const {
    return root_ / "home" / (model::directory_name(subject) + ".checks");
  }
  /// Empty except for mount points: a job sees it instead of Hydra's own state.
  [[nodiscard]] fs::path hidden(const std::string& agent) const {
    return root_ / "hidden" / directory_of(agent);
  }
  [[nodiscard]] fs::path hidden(const model::Subject& subject) const {
    return root_ / "hidden" / (model::directory_name(subject) + ".checks");
  }
  /// Copies of the sign-in files as given to the agent's run. No run can reach them.
  [[nodiscard]] fs::path sign_in(const std::string& agent) const { return root_ / "sign_in" / agent; }
  /// The user's hidden tests, copied before any agent started.
  [[nodiscard]] fs::path hidden_tests() const { return root_ / "hidden-tests"; }
  /// Hidden tests with other expected values, and at other lines: "twin" and "copy".
  [[nodiscard]] fs::path hidden_twins() const { return root_ / "hidden-twins"; }
  /// Object directory of cross runs: the base's history, without any result.
  [[nodiscard]] fs::path history() const { return root_ / "history"; }
  /// Input of one judgement: its tree, its texts, its workspace.
  [[nodiscard]] fs::path judge(const model::Subject& subject) const {
    return root_ / "judges" / model::directory_name(subject);
  }
  [[nodiscard]] fs::path checks() const { return root_ / "checks"; }
  /// Contents of a subject's protected paths before its first command. No run can reach them.
  [[nodiscard]] fs::path seal(const model::Subject& subject) const {
    return root_ / "seals" / model::directory_name(subject);
  }
  /// Histories of bases, kept for later races (git/base_objects).
  [[nodiscard]] fs::path bases() const { return state_ / "bases"; }
  /// Checkouts of bases under the layers of worktrees.
  [[nodiscard]] fs::path shared_bases() const { return state_ / "shared-bases"; }
  [[nodiscard]] fs::path trash() const { return state_ / "trash"; }
  /// Place of a removed race, restorable within its keep time.
  [[nodiscard]] fs::path removed() const { return state_ / "removed" / race_; }
  [[nodiscard]] const fs::path& state() const { return state_; }
  [[nodiscard]] fs::path merge_journal(const std::string& agent) const {
    return state_ / "merges" / (race_ + "." + agent);
  }

  /// Returns the idempotency key of an attempt; attempt() its directory.
  [[nodiscard]] std::string key(const model::Subject& subject, const std::string& kind, int number) const {
    return race_ + "/" + text(subject) + "/" + kind + "/" + std::to_string(number);
  }
  [[nodiscard]] std::string key(const std::string& agent, const std::string& kind, int number) const {
    return key(model::Subject::of(agent), kind, number);
  }
  [[nodiscard]] fs::path attempt(const model::Subject& subject, const std::string& kind, int number) const {
    return root_ / "attempts" / model::directory_name(subject) / (kind + "-" + std::to_string(number));
  }
  [[nodiscard]] fs::path attempt(const std::string& agent, const std::string& kind, int number) const {
    return attempt(model::Subject::of(agent), kind, number);
  }
  /// Returns the directory of a key's attempt; empty: not a key.
  [[nodiscard]] fs::path attempt(const std::string& of_key) const {
    const auto parts = split(of_key, '/');
    if (parts.size() != 4) return {};
    return attempt(model::subject_of(parts[1]), std::string(parts[2]),
                   static_cast<int>(parse_int(parts[3]).value_or(1)));
  }

 private:
  static std::string directory_of(const std::string& agent) {
    return model::directory_name(model::Subject::of(agent));
  }

  fs::path state_;
  std::string race_;
  fs::path root_;
};

}  // namespace hydra::race
