#include "race/secrets.hpp"

#include "adapters/secret_names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>

namespace hydra::race {
namespace {

constexpr std::size_t kLeast = 8;  // shorter ones stand in honest text by chance
constexpr std::size_t kMostRaces = 256;

struct Kept {
  std::mutex mutex;
  std::deque<std::pair<std::string, SecretEnv>> races;
};
Kept& kept() {
  static Kept instance;
  return instance;
}

/// As it stands within a JSON string; the same text where nothing has to be escaped.
std::string in_json(const std::string& value) {
  const auto quoted = nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

void replace_all(std::string& text, const std::string& value, const std::string& shown) {
  auto at = text.find(value);
  if (at == std::string::npos) return;
  std::string out;
  std::size_t from = 0;
  for (; at != std::string::npos; at = text.find(value, from)) {
    out.append(text, from, at - from).append(shown);
    from = at + value.size();
  }
  out.append(text, from);
  text = std::move(out);
}

}  // namespace

Secrets secrets_of(const model::RaceSpec& spec, const SecretEnv& environment) {
  Secrets out;
  for (const auto& variable : environment) {
    const auto& name = variable.first;  // no bindings: clang 14 does not let lambdas see them
    const auto& value = variable.second;
    if (value.size() < kLeast) continue;
    const bool named =
        std::any_of(spec.config.agents.begin(), spec.config.agents.end(), [&](const auto& each) {
          const auto& names = each.second.auth_env;
          return std::find(names.begin(), names.end(), name) != names.end();
        });
    if (!named && !adapters::is_secret_variable(name, value)) continue;
    out.emplace_back(value, name);
    if (auto escaped = in_json(value); escaped != value) out.emplace_back(std::move(escaped), name);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  return out;
}

Secrets secrets_of_race(const model::RaceSpec& spec, const SecretEnv& environment) {
  SecretEnv all = environment;
  {
    const std::lock_guard lock(kept().mutex);
    for (const auto& [id, values] : kept().races)
      if (id == spec.id) all.insert(values.begin(), values.end());
  }
  for (const auto& name : spec.secret_names)
    if (const char* value = std::getenv(name.c_str())) all.try_emplace(name, value);
  return secrets_of(spec, all);
}

void remember_secrets(const model::RaceSpec& spec, const SecretEnv& environment) {
  const std::lock_guard lock(kept().mutex);
  auto& races = kept().races;
  std::erase_if(races, [&](const auto& each) { return each.first == spec.id; });
  races.emplace_back(spec.id, environment);
  if (races.size() > kMostRaces) races.pop_front();
}

std::string without_secrets(std::string_view text, const Secrets& secrets) {
  std::string out(text);
  for (const auto& [value, name] : secrets) replace_all(out, value, "[redacted " + name + "]");
  return out;
}

std::size_t begun_secret(std::string_view text, const Secrets& secrets) {
  std::size_t most = 0;
  for (const auto& [value, name] : secrets)
    for (auto n = std::min(value.size() - 1, text.size()); n > most; --n)
      if (text.ends_with(std::string_view(value).substr(0, n))) most = n;
  return most;
}

}  // namespace hydra::race
