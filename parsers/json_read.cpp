#include "parsers/json_read.hpp"

#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 500;

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

std::int64_t number_in(const json& j, const char* key, std::int64_t fallback) {
  if (!j.is_object()) return fallback;
  const auto it = j.find(key);
  return it != j.end() && it->is_number_integer()
             ? std::clamp<std::int64_t>(it->get<std::int64_t>(), 0, 1'000'000'000)
             : fallback;
}

std::string text_in(const json& j, const char* key) {
  if (!j.is_object()) return {};
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

const json* array_in(const json& j, const char* key) {
  if (!j.is_object()) return nullptr;
  const auto it = j.find(key);
  return it != j.end() && it->is_array() ? &*it : nullptr;
}

const json* object_in(const json& j, const char* key) {
  if (!j.is_object()) return nullptr;
  const auto it = j.find(key);
  return it != j.end() && it->is_object() ? &*it : nullptr;
}

}  // namespace hydra::parsers
