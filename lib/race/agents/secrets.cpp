#include "race/agents/secrets.hpp"

#include "adapters/secret_names.hpp"
#include "base/strings.hpp"
#include "model/json.hpp"
#include "race/agents/sign_in.hpp"
#include "wire/json.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace hydra::race {
namespace {

constexpr std::size_t kLeast = 8;  // shorter values occur in ordinary text by chance
constexpr std::size_t kMostRaces = 256;

/// Returns the value as inside a JSON string; the same text if nothing needs escaping.
std::string in_json(const std::string& value) {
  const auto quoted = wire::quoted(value);
  return quoted.substr(1, quoted.size() - 2);
}

/// Returns the value as in a URL: all but unreserved characters percent-encoded (RFC 3986, 2.1).
std::string in_url(const std::string& value, const char* digits) {
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (letter || (byte >= '0' && byte <= '9') || c == '-' || c == '.' || c == '_' || c == '~')
      out += c;
    else
      (out += '%').append({digits[byte >> 4], digits[byte & 15]});
  }
  return out;
}

/// Returns the base64 characters that depend on this value alone when `before` bytes (0 to 2) precede it (RFC
/// 4648, 4 and 5).
std::string in_base64(const std::string& value, std::size_t before, bool url) {
  const std::string_view alphabet = url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                                        : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  const auto bits = value.size() * 8;
  // Groups of six bits begin at bit 0 of the whole text, which is `before` bytes earlier.
  for (std::size_t at = (6 - before * 8 % 6) % 6; at + 6 <= bits; at += 6) {
    unsigned six = 0;
    for (std::size_t bit = at; bit < at + 6; ++bit)
      six = six << 1 | ((unsigned{static_cast<unsigned char>(value[bit / 8])} >> (7 - bit % 8)) & 1U);
    out += alphabet[six];
  }
  return out;
}

/// Returns all encoded forms of the value; the value itself first.
std::vector<std::string> forms_of(const std::string& value) {
  constexpr std::size_t kLeastEncoded = 12;  // shorter values match words by chance
  std::vector<std::string> forms{value};
  const auto add = [&](std::string form) {
    if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(std::move(form));
  };
  add(in_json(value));
  add(in_url(value, "0123456789ABCDEF"));
  add(in_url(value, "0123456789abcdef"));
  for (std::size_t before = 0; before < 3; ++before)
    for (const bool url : {false, true})
      if (auto form = in_base64(value, before, url); form.size() >= kLeastEncoded) add(std::move(form));
  return forms;
}

bool is_literal(const std::string& value) { return value.find('{') == std::string::npos; }

void longest_first(Secrets& secrets) {
  std::stable_sort(secrets.begin(), secrets.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

}  // namespace

Secrets secrets_of(const model::RaceSpec& spec, const SecretEnv& environment) {
  Secrets out;
  for (const auto& variable : environment) {
    const auto& name = variable.first;  // not a structured binding: clang 14 cannot capture those in lambdas
    const auto& value = variable.second;
    if (value.size() < kLeast) continue;
    const bool named =
        std::any_of(spec.config.agents.begin(), spec.config.agents.end(), [&](const auto& each) {
          const auto& names = each.second.auth_env;
          return std::find(names.begin(), names.end(), name) != names.end();
        });
    if (!named && !adapters::is_secret_variable(name, value)) continue;
    for (auto& form : forms_of(value)) out.emplace_back(std::move(form), name);
  }
  longest_first(out);
  return out;
}

std::optional<KnownSecrets::OfRace> KnownSecrets::kept(const std::string& race) const {
  const std::lock_guard lock(mutex_);
  for (const auto& each : races_)
    if (each.race == race) return each;
  return std::nullopt;
}

Secrets KnownSecrets::of_race(const model::RaceSpec& spec, const SecretEnv& environment) {
  SecretEnv all = environment;
  auto known = kept(spec.id);
  if (!known) {
    // The race is from an earlier daemon: read the current files.
    remember(spec, {});
    known = kept(spec.id);
  }
  if (known) all.insert(known->environment.begin(), known->environment.end());
  for (const auto& name : spec.secret_names)
    if (auto value = of_starter(name)) all.try_emplace(name, std::move(*value));
  for (const auto& [id, descriptor] : spec.config.agents)
    for (const auto& [name, value] : descriptor.env)
      if (is_literal(value)) all.try_emplace(name, value);
  auto out = secrets_of(spec, all);
  if (known)
    for (const auto& value : known->sign_in)
      for (auto& form : forms_of(value)) out.emplace_back(std::move(form), "sign-in");
  longest_first(out);
  return out;
}

std::optional<std::string> KnownSecrets::of_starter(const std::string& name) const {
  if (const char* value = std::getenv(name.c_str())) return value;
  const auto found = starter_.find(name);
  if (found == starter_.end()) return std::nullopt;
  return found->second;
}

void KnownSecrets::remember(const model::RaceSpec& spec, const SecretEnv& environment) {
  const auto values = sign_in_values(spec);
  const std::lock_guard lock(mutex_);
  OfRace now{spec.id, environment, {values.begin(), values.end()}};
  for (const auto& each : races_)
    if (each.race == spec.id) {
      now.environment.insert(each.environment.begin(), each.environment.end());
      now.sign_in.insert(each.sign_in.begin(), each.sign_in.end());
    }
  std::erase_if(races_, [&](const auto& each) { return each.race == spec.id; });
  races_.push_back(std::move(now));
  if (races_.size() > kMostRaces) races_.pop_front();
}

std::string without_secrets(std::string_view text, const Secrets& secrets) {
  std::string out(text);
  for (const auto& [value, name] : secrets)
    out = replace_all(std::move(out), value, "[redacted " + name + "]");
  return out;
}

std::vector<std::string> secrets_in(std::string_view bytes, const Secrets& secrets) {
  std::set<std::string> names;
  for (const auto& [value, name] : secrets)
    if (!names.contains(name) && bytes.find(value) != std::string_view::npos) names.insert(name);
  return {names.begin(), names.end()};
}

std::size_t begun_secret(std::string_view text, const Secrets& secrets) {
  std::size_t most = 0;
  for (const auto& [value, name] : secrets)
    for (auto n = std::min(value.size() - 1, text.size()); n > most; --n)
      if (text.ends_with(std::string_view(value).substr(0, n))) most = n;
  return most;
}

}  // namespace hydra::race
