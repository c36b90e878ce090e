#include "config/json_scan.hpp"

#include <nlohmann/json.hpp>

namespace hydra::config {
namespace {

nlohmann::json read(std::string_view text) { return nlohmann::json::parse(text, nullptr, false, true); }

}  // namespace

std::map<std::string, std::string> json_strings(std::string_view json, std::string_view key) {
  std::map<std::string, std::string> found;
  const auto all = read(json);
  if (!all.is_object() || !all.contains(key) || !all.at(key).is_object()) return found;
  for (const auto& [name, value] : all.at(key).items())
    found[name] = value.is_string() ? value.get<std::string>() : std::string();
  return found;
}

bool json_has_key(std::string_view json, std::string_view key) { return read(json).contains(key); }

}  // namespace hydra::config
