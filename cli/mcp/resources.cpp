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

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The parts behind the root, decoded; none where the address is not one of ours.
std::vector<std::string> parts_of(std::string_view uri) {
  std::vector<std::string> parts;
  if (!uri.starts_with(kRoot)) return parts;
  for (const auto part : split(uri.substr(kRoot.size()), '/')) {
    std::string text;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool coded =
          part[i] == '%' && i + 2 < part.size() && hex_digit(part[i + 1]) >= 0 && hex_digit(part[i + 2]) >= 0;
      text += coded ? static_cast<char>(hex_digit(part[i + 1]) * 16 + hex_digit(part[i + 2])) : part[i];
      if (coded) i += 2;
    }
    if (text.empty()) return {};
    parts.push_back(std::move(text));
  }
  return parts;
}

struct Address {
  std::string target, mime;
};

Result<Address> address_of(const std::string& uri) {
  const auto parts = parts_of(uri);
  const auto at = [&](std::size_t i) { return client::url_encode(parts[i]); };
  if (parts.size() == 2 && parts[1] == "results")
    return Address{"/v1/races/" + at(0) + "/results", "application/json"};
  if (parts.size() == 2 && parts[1] == "status") return Address{"/v1/races/" + at(0), "application/json"};
  if (parts.size() == 3 && parts[1] == "diff")
    return Address{"/v1/races/" + at(0) + "/diff/" + at(2), "text/x-diff"};
  if (parts.size() == 3 && parts[1] == "explain")
    return Address{"/v1/races/" + at(0) + "/explain/" + at(2), "application/json"};
  if (parts.size() == 4 && parts[1] == "logs")
    return Address{"/v1/races/" + at(0) + "/logs/" + at(2) + "?kind=" + at(3) + "&tail=" + kLogTail,
                   "text/plain"};
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
  const auto one = [](const char* rest, const char* name, const char* what, const char* mime) {
    return Json{{"uriTemplate", std::string(kRoot) + rest},
                {"name", name},
                {"description", what},
                {"mimeType", mime}};
  };
  return {
      {"resourceTemplates",
       {one("{race}/results", "results", "Points, ranks and evidence of a race (docs/results.md)",
            "application/json"),
        one("{race}/status", "status", "What a race is doing now (docs/api.md)", "application/json"),
        one("{race}/diff/{agent}", "diff", "What an agent changed", "text/x-diff"),
        one("{race}/explain/{agent}", "explain", "How each point of a result came to be", "application/json"),
        one("{race}/logs/{subject}/{kind}", "log",
            "The end of a log. Subject: an agent or @baseline; kind: agent, setup, build, tests or lint",
            "text/plain")}}};
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
