#include "cli/agent_notes.hpp"

#include "adapters/adapters.hpp"
#include "base/strings.hpp"

namespace hydra::cli {

std::vector<std::string> agent_notes(const AgentInfo& agent, const model::AgentDescriptor* d) {
  std::vector<std::string> all;
  if (d == nullptr || !agent.installed) return all;
  if (auto note = adapters::version_note(*d, agent.version); !note.empty()) all.push_back(std::move(note));
  if (agent.signed_in != "yes" && !d->sign_in_hint.empty()) all.push_back(d->sign_in_hint);
  if (!d->models.empty()) all.push_back("models, among others: " + join(d->models, ", "));
  return all;
}

DoctorCheck agent_check(const AgentInfo& agent, const model::AgentDescriptor* d) {
  DoctorCheck check{"agent " + agent.id, "ok", {}, {}};
  const auto sign_in = d != nullptr && !d->sign_in_hint.empty() ? d->sign_in_hint : agent.sign_in_detail;
  if (!agent.installed) {
    check.status = "warn";
    check.detail = agent.problem.empty() ? "not installed" : agent.problem;
    check.remedy = agent.hint.empty() ? "check its `command` in hydra.toml" : "install it: " + agent.hint;
    return check;
  }
  check.detail = agent.version.empty() ? agent.path : agent.version;
  const auto note = d == nullptr ? std::string() : adapters::version_note(*d, agent.version);
  if (!agent.problem.empty()) {
    check.status = "warn";
    check.detail += ", " + agent.problem;
    check.remedy = "run its command by hand: " + agent.path;
  } else if (agent.signed_in == "no") {
    check.status = "warn";
    check.detail += ", not signed in";
    check.remedy = sign_in.empty() ? "sign in with its own command" : sign_in;
  } else {
    check.detail +=
        agent.signed_in == "yes" ? ", signed in (" + agent.sign_in_detail + ")" : ", sign-in unknown";
    if (!note.empty()) {
      check.status = "warn";
      check.detail += "; " + note;
      check.remedy = "race it once and read its log with `hydra logs`";
    }
  }
  return check;
}

}  // namespace hydra::cli
