// adapters: whether a user is signed in with an agent, by the descriptor and without starting the agent.
#include "adapters/adapters.hpp"
#include "adapters/tally.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::adapters {
namespace {

/// Whether the contents of a sign-in file match `regex`. The first group, if any, names a variable that must
/// be set.
bool proves(const std::string& regex, std::string_view text, const ReadVariable& variable) {
  const auto re = pattern(regex);
  if (re == nullptr) return true;
  if (re->NumberOfCapturingGroups() < 1) return matches(re, text);
  re2::StringPiece rest(text.data(), text.size());
  for (std::string name; RE2::FindAndConsume(&rest, *re, &name);)
    if (name.empty() || !variable(name).empty()) return true;
  return false;
}

/// Returns the first missing required file of the agent's home; empty: none is missing.
std::string lacking(const model::AgentDescriptor& descriptor, const ReadHome& home) {
  for (const auto& seed : seed_files(descriptor.home_seed))
    if (!seed.optional && !home(seed.source)) return seed.source;
  return {};
}

}  // namespace

SignIn sign_in_of(const model::AgentDescriptor& descriptor, const ReadVariable& variable,
                  const ReadHome& home, std::optional<bool> said, bool can_ask) {
  using State = SignIn::State;
  if (const auto file = lacking(descriptor, home); !file.empty())
    return {State::no, fmt::format("it needs ~/{}", file)};
  for (const auto& name : descriptor.auth_env)
    if (!variable(name).empty()) return {State::yes, name + " is set"};
  if (said && *said) return {State::yes, join(descriptor.auth_command, " ")};
  std::string empty;
  for (const auto& file : descriptor.auth_files) {
    const auto text = home(file);
    if (!text) continue;
    const auto proof = descriptor.auth_proof.find(file);
    // An existing file without a proof pattern does not outweigh a denial by the program.
    if (proof == descriptor.auth_proof.end() ? !said : proves(proof->second, *text, variable))
      return {State::yes, "~/" + file};
    empty = fmt::format("~/{} holds no sign-in", file);
  }
  if (can_ask) return {State::unknown, "`hydra agents --probe` asks it"};
  // A user-defined agent without a described sign-in needs none.
  if (descriptor.auth_env.empty() && descriptor.auth_files.empty() && descriptor.auth_command.empty())
    return {State::yes, "its configuration names no sign-in"};
  if (descriptor.auth_env.empty() && descriptor.auth_files.empty() && !said) return {State::unknown, {}};
  if (said) return {State::no, join(descriptor.auth_command, " ")};
  if (!empty.empty()) return {State::no, empty};
  return {State::no, descriptor.auth_env.empty()
                         ? std::string()
                         : fmt::format("set {}, or sign in with it once", descriptor.auth_env.front())};
}

}  // namespace hydra::adapters
