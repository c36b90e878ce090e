#include "daemon/api/body.hpp"

#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace hydra::api {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;

// What a reader could take for one thing and a checker for another.
class Strict {
 public:
  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) deep = true;
    if (deep) return false;  // nothing of it is kept
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

Result<json> read_body(const Request& request, std::string_view members) {
  Strict strict;
  auto body = json::parse(
      request.body.empty() ? "{}" : request.body,
      [&](int depth, json::parse_event_t event, json& parsed) { return strict(depth, event, parsed); },
      false);
  if (strict.deep) return Error{Errc::usage, "the body is nested too deeply", {}, {}};
  if (body.is_discarded() || !body.is_object())
    return Error{Errc::usage, "the body is no JSON object", {}, {}};
  if (!strict.twice.empty()) return Error{Errc::usage, strict.twice + " is given twice", {}, {}};
  if (members == "*") return body;
  const auto known = split(members, ' ');
  for (const auto& [name, value] : body.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Error{Errc::usage, "unknown member '" + sanitize(name) + "'", {}, {}};
  return body;
}

Error bad_member(const std::exception& error) {
  // "[json.exception.type_error.302] type must be string, but is number"
  std::string_view text = error.what();
  if (const auto end = text.find("] "); text.starts_with("[json.") && end != std::string_view::npos)
    text.remove_prefix(end + 2);
  return {Errc::usage, "bad request: " + sanitize(text), {}, {}};
}

}  // namespace hydra::api
