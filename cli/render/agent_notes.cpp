#include "cli/render/agent_notes.hpp"

#include "adapters/adapters.hpp"
#include "base/strings.hpp"

#include <algorithm>

namespace hydra::cli {

using wire::DoctorStatus;
using wire::SignedIn;

std::vector<std::string> agent_notes(const wire::AgentInfo& agent, const model::AgentDescriptor* d) {
  std::vector<std::string> all;
  if (d == nullptr || !agent.installed) return all;
  if (agent.slow) all.emplace_back("it did not say its version in time: the machine may be busy; ask again");
  if (auto note = adapters::version_note(*d, agent.version); !note.empty()) all.push_back(std::move(note));
  if (agent.signed_in != SignedIn::yes && !d->sign_in_hint.empty()) all.push_back(d->sign_in_hint);
  if (!d->models.empty()) all.push_back("models, among others: " + join(d->models, ", "));
  return all;
}

bool merely_absent(const wire::AgentInfo& agent) {
  return !agent.installed && (agent.problem.empty() || agent.problem.ends_with(" is not in PATH"));
}

wire::DoctorCheck agent_check(const wire::AgentInfo& agent, const model::AgentDescriptor* d) {
  wire::DoctorCheck check{"agent " + agent.id, DoctorStatus::ok, {}, {}};
  const auto sign_in = d != nullptr && !d->sign_in_hint.empty() ? d->sign_in_hint : agent.sign_in_detail;
  if (!agent.installed) {
    check.status = DoctorStatus::warn;
    check.detail = agent.problem.empty() ? "not installed" : agent.problem;
    check.remedy = agent.hint.empty() ? "check its `command` in hydra.toml" : "install it: " + agent.hint;
    if (!agent.hint.empty() && !merely_absent(agent)) check.remedy = "remove or mend it, or " + check.remedy;
    return check;
  }
  check.detail = agent.version.empty() ? agent.path : agent.version;
  const auto add = [&check](const std::string& detail, const std::string& remedy) {
    check.status = DoctorStatus::warn;
    check.detail += detail;
    check.remedy += (check.remedy.empty() ? "" : "; ") + remedy;
  };
  const auto note = d == nullptr ? std::string() : adapters::version_note(*d, agent.version);
  if (!agent.problem.empty()) {
    add(", " + agent.problem, agent.problem.find("interpreter") != std::string::npos
                                  ? "install the interpreter, or the program again"
                                  : "run its command by hand: " + agent.path);
  } else if (agent.signed_in == SignedIn::no) {
    add(", not signed in", sign_in.empty() ? "sign in with its own command" : sign_in);
  } else {
    check.detail +=
        agent.signed_in == SignedIn::yes ? ", signed in (" + agent.sign_in_detail + ")" : ", sign-in unknown";
  }
  if (note.empty()) return check;
  // The sentence about an old version ends with a remedy, which goes to the remedy's field.
  const auto end = std::min(note.find("; "), note.size());
  const bool old = adapters::version_fit(*d, agent.version) == adapters::VersionFit::too_old;
  add("; " + (old ? note.substr(0, end) : note),
      old && end < note.size() ? note.substr(end + 2) : "race it once and read its log with `hydra logs`");
  return check;
}

bool can_race(const wire::AgentInfo& agent, const model::AgentDescriptor* d) {
  return agent.installed && agent.problem.empty() && agent.signed_in != SignedIn::no &&
         (d == nullptr || adapters::version_fit(*d, agent.version) != adapters::VersionFit::too_old);
}

std::optional<std::string> left_out_because(const wire::AgentInfo& agent, const model::AgentDescriptor* d) {
  if (merely_absent(agent)) return "";
  if (agent.installed && agent.signed_in == SignedIn::yes && can_race(agent, d)) return std::nullopt;
  if (!agent.problem.empty()) return agent.problem;
  if (d != nullptr && adapters::version_fit(*d, agent.version) == adapters::VersionFit::too_old)
    return adapters::version_note(*d, agent.version);
  auto why =
      std::string(agent.signed_in == SignedIn::no ? "not signed in" : "whether it is signed in is not known");
  if (agent.signed_in == SignedIn::no && !agent.sign_in_detail.empty())
    why += " (" + agent.sign_in_detail + ")";
  if (d != nullptr && !d->sign_in_hint.empty()) return why + "; " + d->sign_in_hint;
  return why + "; --agents names it";
}

}  // namespace hydra::cli
