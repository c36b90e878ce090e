#include "wire/request_members.hpp"

#include <set>

namespace hydra::wire::detail {
namespace {

constexpr int kDeepest = 64;

// Refuses JSON that a reader and a checker could understand differently.
class Strict {
 public:
  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) deep = true;
    if (deep) return false;  // the parser keeps no further value
    if (event == json::parse_event_t::object_start) names_.emplace_back();
    if (event == json::parse_event_t::object_end && !names_.empty()) names_.pop_back();
    if (event == json::parse_event_t::key && !names_.empty()) {
      const auto name = parsed.get<std::string>();
      if (!names_.back().insert(name).second && twice.empty()) twice = "'" + sanitize(name) + "'";
    }
    return true;
  }
  std::string twice;
  bool deep = false;

 private:
  std::vector<std::set<std::string>> names_;
};

}  // namespace

Result<json> strict_object(std::string_view text) {
  Strict strict;
  auto body = json::parse(
      text.empty() ? "{}" : text,
      [&](int depth, json::parse_event_t event, json& parsed) { return strict(depth, event, parsed); },
      false);
  if (strict.deep) return Error{Errc::usage, "the body is nested too deeply", {}, {}};
  if (body.is_discarded() || !body.is_object())
    return Error{Errc::usage, "the body is no JSON object", {}, {}};
  if (!strict.twice.empty()) return Error{Errc::usage, strict.twice + " is given twice", {}, {}};
  return body;
}

}  // namespace hydra::wire::detail

namespace hydra::wire {

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace hydra::wire
