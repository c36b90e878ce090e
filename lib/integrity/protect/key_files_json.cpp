#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "integrity/protect/key_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace hydra::integrity {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kMostDepth = 64;

/// Parses an object, with comments (deno.jsonc); nothing for other texts. Depth and number of keys are
/// bounded, since copying and writing recurse, and a look-up of a key scans the keys before it.
std::optional<Json> read_json(std::string_view text) {
  constexpr std::size_t kMostKeys = 4000, kMostOfAll = 50'000;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (trim(text).empty()) return Json::object();
  bool refused = false;
  std::size_t all = 0;
  std::vector<std::size_t> keys(kMostDepth + 2);
  const auto limit = [&](int depth, nlohmann::json::parse_event_t event, Json&) {
    refused = refused || depth > kMostDepth;
    if (refused) return false;
    auto& own = keys[static_cast<std::size_t>(depth)];
    // Keys of an object are one level below its begin.
    if (event == nlohmann::json::parse_event_t::object_start) keys[static_cast<std::size_t>(depth) + 1] = 0;
    if (event == nlohmann::json::parse_event_t::key) refused = ++own > kMostKeys || ++all > kMostOfAll;
    return !refused;
  };
  auto json = Json::parse(text, limit, false, true);
  if (refused || !json.is_object()) return std::nullopt;
  return json;
}

struct JsonFiles {
  Json base, candidate;
};

Result<JsonFiles> read_both_json(std::string_view base, std::string_view candidate) {
  auto b = read_json(base), c = read_json(candidate);
  if (!c) return Error{Errc::protocol, "the candidate's file is not a JSON object", {}, {}};
  // An unreadable base has no keys to restore.
  if (!b) b = Json::object();
  return JsonFiles{std::move(*b), std::move(*c)};
}

/// base[key] -> candidate[key]; a key that the base lacks is removed.
void put_back(const Json& base, Json& candidate, const std::string& key, const std::string& shown,
              std::vector<std::string>& keys) {
  const auto from = base.find(key);
  const auto to = candidate.find(key);
  if (from == base.end() && to == candidate.end()) return;
  if (from != base.end() && to != candidate.end() && *from == *to) return;
  if (from == base.end())
    candidate.erase(key);
  else
    candidate[key] = *from;
  keys.push_back(shown);
}

std::set<std::string> keys_of(const Json& a, const Json& b) {
  std::set<std::string> out;
  for (const auto* object : {&a, &b})
    if (object->is_object())
      for (const auto& [key, value] : object->items()) out.insert(key);
  return out;
}

Result<RestoredKeys> done(const Json& json, std::string_view candidate, std::vector<std::string> keys) {
  RestoredKeys out;
  out.text =
      keys.empty() ? std::string(candidate) : json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  out.keys = std::move(keys);
  return out;
}

/// Scripts that the check commands reach, by the base's package.json.
std::set<std::string> check_scripts(const Json& base, const CheckCommands& commands) {
  std::set<std::string> out{"test", "lint"};
  std::vector<std::string> open;
  for (const auto* text : {&commands.test, &commands.lint})
    for (const auto& call : config::command_calls(*text))
      open.insert(open.end(), call.package_scripts.begin(), call.package_scripts.end());
  open.insert(open.end(), {"test", "lint"});
  const auto scripts = base.value("scripts", Json::object());
  std::set<std::string> seen;
  while (!open.empty() && seen.size() < 200) {
    const auto script = open.back();
    open.pop_back();
    if (!seen.insert(script).second) continue;
    out.insert(script);
    if (!scripts.is_object()) continue;
    for (const auto* prefix : {"", "pre", "post"}) {
      const auto found = scripts.find(prefix + script);
      if (found == scripts.end() || !found->is_string()) continue;
      for (const auto& call : config::command_calls(found->get_ref<const std::string&>()))
        open.insert(open.end(), call.package_scripts.begin(), call.package_scripts.end());
    }
  }
  return out;
}

bool is_check_script(std::string_view key, const std::set<std::string>& named) {
  for (const std::string_view prefix : {"", "pre", "post"}) {
    if (!key.starts_with(prefix)) continue;
    const auto rest = key.substr(prefix.size());
    if (named.contains(std::string(rest)) || rest.starts_with("test:") || rest.starts_with("lint:"))
      return true;
  }
  return false;
}

/// Restores `object[inner]` key by key, for the keys that `wanted` names.
template <class Wanted>
void put_back_inner(const Json& base, Json& candidate, const std::string& outer, Wanted wanted,
                    std::vector<std::string>& keys) {
  const auto from = base.value(outer, Json::object());
  const auto has = candidate.find(outer);
  if (has != candidate.end() && !has->is_object()) return put_back(base, candidate, outer, outer, keys);
  auto to = has == candidate.end() ? Json::object() : *has;
  const auto before = keys.size();
  if (!from.is_object()) return;
  for (const auto& key : keys_of(from, to))
    if (wanted(key)) put_back(from, to, key, outer + "." + key, keys);
  if (keys.size() != before) candidate[outer] = std::move(to);
}

}  // namespace

Result<RestoredKeys> restore_package_json(std::string_view base_text, std::string_view text,
                                          const CheckCommands& commands) {
  HYDRA_TRY(auto files, read_both_json(base_text, text));
  auto& [base, candidate] = files;
  std::vector<std::string> keys;
  const auto named = check_scripts(base, commands);
  put_back_inner(
      base, candidate, "scripts", [&](const std::string& key) { return is_check_script(key, named); }, keys);
  for (const auto* key :
       {"jest",      "vitest", "mocha",    "ava",         "nyc",          "c8",           "tap",
        "jasmine",   "karma",  "cypress",  "testcafe",    "eslintConfig", "eslintIgnore", "prettier",
        "stylelint", "xo",     "standard", "lint-staged", "tslint",       "oxlint",       "babel"})
    put_back(base, candidate, key, key, keys);
  // A package resolves its own name before installed packages.
  if (base.contains("name")) put_back(base, candidate, "name", "name", keys);
  return done(candidate, text, std::move(keys));
}

Result<RestoredKeys> restore_members(std::string_view base_text, std::string_view text,
                                     std::initializer_list<const char*> names) {
  HYDRA_TRY(auto files, read_both_json(base_text, text));
  std::vector<std::string> keys;
  for (const auto* name : names) put_back(files.base, files.candidate, name, name, keys);
  return done(files.candidate, text, std::move(keys));
}

}  // namespace hydra::integrity
