#include "cli/mcp/resources.hpp"

#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/views.hpp"

#include <array>

namespace hydra::cli {
namespace {

constexpr std::string_view kRoot = "hydra://races/";
constexpr const char* kLogTail = "524288";  // bytes of a log
constexpr std::size_t kMostBytes = 4u << 20;

// Returns the decoded parts after the root; empty for a foreign address.
std::vector<std::string> parts_of(std::string_view uri) {
  std::vector<std::string> parts;
  if (!uri.starts_with(kRoot)) return parts;
  for (const auto part : split(uri.substr(kRoot.size()), '/')) {
    std::string text;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto byte = percent_byte(part.substr(i));
      text += byte.value_or(part[i]);
      if (byte) i += 2;
    }
    if (text.empty()) return {};
    parts.push_back(std::move(text));
  }
  return parts;
}

/// A readable resource of a race, by the words after its id.
struct ResourceKind {
  std::string_view word;          ///< word of the daemon's route; for the status, the route is the race's
  std::vector<const char*> more;  ///< further parts after the word
  const char *name, *what, *mime;
};

const std::array<ResourceKind, 5>& resource_kinds() {
  static const std::array<ResourceKind, 5> kKinds{
      {{"results", {}, "results", "Points, ranks and evidence of a race (docs/api.md)", "application/json"},
       {"status", {}, "status", "Status of a race (docs/api.md)", "application/json"},
       {"diff", {"{agent}"}, "diff", "Changes of an agent", "text/x-diff"},
       {"explain", {"{agent}"}, "explain", "Why a result got its score", "application/json"},
       {"logs",
        {"{subject}", "{kind}"},
        "log",
        "The end of a log. Subject: an agent or @baseline; kind: agent, setup, build, tests or lint",
        "text/plain"}}};
  return kKinds;
}

struct Address {
  std::string target, mime;
};

Result<Address> address_of(const std::string& uri) {
  const auto parts = parts_of(uri);
  for (const auto& kind : resource_kinds()) {
    if (parts.size() != kind.more.size() + 2 || parts[1] != kind.word) continue;
    const auto part = [&](std::size_t i) { return i < parts.size() ? parts[i] : std::string(); };
    auto target = race_path(parts[0], kind.word == "status" ? "" : kind.word, part(2));
    if (kind.word == "diff") target += "?format=utf8";
    if (parts.size() > 3) target += "?kind=" + client::url_encode(part(3)) + "&tail=" + kLogTail;
    return Address{std::move(target), kind.mime};
  }
  return Error{Errc::usage,
               "no resource has this address: " + sanitize(uri),
               {},
               "resources/templates/list names them"};
}

Json resource(const std::string& uri, const std::string& name, const std::string& title, const char* mime) {
  return {{"uri", uri}, {"name", name}, {"title", title}, {"mimeType", mime}};
}

}  // namespace

Result<Json> list_mcp_resources(McpCall& call, const std::string& cursor) {
  std::string query = "?limit=20";
  if (const auto root = find_repository(working_directory()))
    query += "&repository=" + client::url_encode(root->string());
  if (!cursor.empty()) query += "&cursor=" + client::url_encode(cursor);
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto page, get<wire::RaceList>(client, "/v1/races" + query));
  Json list = Json::array();
  for (const auto& race : page.races) {
    const auto task = ellipsize(sanitize(race.task), 80);
    const auto base = std::string(kRoot) + race.race;
    list.push_back(resource(base + "/results", "results of " + race.race, task, "application/json"));
    for (const auto& name : race.agents) {
      const auto coded = client::url_encode(name), where = name + " in " + race.race;
      list.push_back(resource(base + "/diff/" + coded, "diff of " + where, task, "text/x-diff"));
      list.push_back(resource(base + "/logs/" + coded + "/agent", "log of " + where, task, "text/plain"));
    }
  }
  Json out{{"resources", std::move(list)}};
  if (page.next) out["nextCursor"] = *page.next;
  return out;
}

Json mcp_resource_templates() {
  Json list = Json::array();
  for (const auto& kind : resource_kinds()) {
    auto path = std::string(kRoot) + "{race}/" + std::string(kind.word);
    for (const auto* part : kind.more) path += std::string("/") + part;
    list.push_back(
        {{"uriTemplate", path}, {"name", kind.name}, {"description", kind.what}, {"mimeType", kind.mime}});
  }
  return {{"resourceTemplates", std::move(list)}};
}

Result<Json> read_mcp_resource(McpCall& call, const std::string& uri) {
  HYDRA_TRY(const auto address, address_of(uri));
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(auto body, client.call("GET", address.target));
  if (address.mime == "application/json")
    body = pretty_json(body);
  else
    body = sanitize(std::string_view(body).substr(0, kMostBytes), true);
  return Json{{"uri", uri}, {"mimeType", address.mime}, {"text", to_utf8(body)}};
}

}  // namespace hydra::cli
