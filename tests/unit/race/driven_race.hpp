// A race of unit tests, driven by events as the effects would, without a machine.
#pragma once

#include "both_ways.hpp"
#include "race_spec.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

/// Returns the subject of a test's name; "+" and any words name a cross run.
inline Subject named_subject(const std::string& name) {
  return name.starts_with('+') ? Subject::run(Kind::cross, name) : subject_of(name);
}

class DrivenRace {
 public:
  explicit DrivenRace(model::RaceSpec of) : spec(std::move(of)) {}

  /// Returns what follows from the event.
  std::vector<Command> send(model::EventBody body) {
    const model::Event event{++id_, "r", id_ * 10, std::move(body), {}};
    log.push_back(event);
    last = reduce_both_ways(state, event);
    issued.insert(issued.end(), last.begin(), last.end());
    return last;
  }
  void begin() {
    send(model::RaceCreated{spec});
    send(model::RacePrepared{});
  }
  /// Its first attempt ends well after a second, and leaves this.
  void end_agent(const std::string& name, const model::Capture& left) {
    send(model::WorkspaceReady{name, "/w/" + name});
    send(model::AgentStarting{name, "r/" + name, 1});
    model::AgentEnded ended{name, {}, {}};
    ended.verdict.outcome = model::Outcome::completed;
    ended.job.wall_ms = 1000;
    send(ended);
    send(model::Captured{name, left});
  }
  /// The checks of a subject end with this evidence.
  void end_checks(const std::string& subject, const std::vector<model::CheckEvidence>& all) {
    send(model::SubjectReady{named_subject(subject), "/c/" + subject});
    for (const auto& evidence : all) send(model::CheckEnded{named_subject(subject), evidence});
  }
  static model::Capture change(const std::string& tree, const std::string& commit,
                               model::DiffStat diff = {}) {
    model::Capture capture;
    capture.tree = tree;
    capture.commit = commit;
    capture.changed = true;
    capture.diff = diff;
    return capture;
  }
  /// By the last event.
  [[nodiscard]] bool asked(Verb verb, const std::string& subject = {}) const {
    return std::any_of(last.begin(), last.end(),
                       [&](const auto& c) { return c.verb == verb && c.subject == named_subject(subject); });
  }
  /// By all of them.
  [[nodiscard]] long times(Verb verb, const std::string& subject) const {
    return std::count_if(issued.begin(), issued.end(), [&](const auto& c) {
      return c.verb == verb && c.subject == named_subject(subject);
    });
  }

  model::RaceSpec spec;
  State state;
  std::vector<Command> last, issued;
  std::vector<model::Event> log;

 private:
  std::int64_t id_ = 0;
};

}  // namespace hydra::race
