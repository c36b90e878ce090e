#include "parsers/json_read.hpp"

#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 500;
const json kNothing;

bool carries_no_result(std::string_view key) {
  return one_of(key, {"stack",       "message",     "failureMessages", "failureDetails",
                      "console",     "stdout",      "stderr",          "attachments",
                      "err",         "error",       "errors_text",     "longrepr",
                      "traceback",   "backtrace",   "snippet",         "trace",
                      "Output",      "coverageMap", "snapshot",        "code",
                      "diff",        "embeddings",  "output",          "exception",
                      "environment", "meta",        "user_properties", "location",
                      "crash"});
}

}  // namespace

std::optional<std::size_t> json_extent(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        for (++i; i < text.size() && text[i] != '"'; ++i)
          if (text[i] == '\\') ++i;
        break;
      case '{':
      case '[':
        if (++depth > kMaxDepth) return std::nullopt;
        break;
      case '}':
      case ']':
        if (depth <= 1) return i + 1;
        --depth;
        break;
      default:
        break;
    }
  }
  return std::nullopt;
}

json read_json(std::string_view text) {
  const auto keep = [](int, json::parse_event_t event, json& parsed) {
    return event != json::parse_event_t::key || !carries_no_result(parsed.get_ref<const std::string&>());
  };
  return json::parse(text, keep, false);
}

const json& json_member(const json& j, std::string_view key) {
  if (!j.is_object()) return kNothing;
  const auto it = j.find(key);
  return it == j.end() ? kNothing : *it;
}

const json& array_in(const json& j, std::string_view key) {
  const auto& member = json_member(j, key);
  return member.is_array() ? member : kNothing;
}

const json& object_in(const json& j, std::string_view key) {
  const auto& member = json_member(j, key);
  return member.is_object() ? member : kNothing;
}

std::string_view json_text(const json& j, std::string_view key) {
  const auto& member = json_member(j, key);
  return member.is_string() ? std::string_view(member.get_ref<const std::string&>()) : std::string_view{};
}

std::string text_in(const json& j, std::string_view key) { return std::string(json_text(j, key)); }

std::int64_t json_number(const json& j, std::string_view key) {
  const auto& member = json_member(j, key);
  return member.is_number_integer() ? member.get<std::int64_t>() : 0;
}

std::int64_t number_in(const json& j, std::string_view key) {
  return std::clamp<std::int64_t>(json_number(j, key), 0, 1'000'000'000);
}

}  // namespace hydra::parsers
