// The table of routes and docs/openapi.json name the same operations, and bodies of the same members.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace hydra::api {
namespace {

TEST(Routes, TheDocumentNamesEveryRoute) {
  const auto document =
      nlohmann::json::parse(read_file(places::source("/docs/openapi.json"), 1 << 24).value_or(""));
  std::set<std::string> routes, signing{"post /ui/session", "post /ui/sign-out"};
  const auto& paths = document["paths"];
  for (const auto& route : all_routes()) {
    const auto method = to_lower(route.method);
    const std::string path(route.path), name = method + " " + path;
    EXPECT_TRUE(routes.insert(name).second) << name;
    ASSERT_TRUE(paths.contains(path) && paths[path].contains(method)) << name;
    const auto& operation = paths[path][method];
    EXPECT_EQ(operation["summary"].get<std::string>().starts_with("Unix socket only"), !route.door) << name;
    const auto members = route.members();
    if (method != "post") {
      EXPECT_TRUE(members.empty()) << name;
      continue;
    }
    std::set<std::string> named;
    const auto& schema = operation["requestBody"]["content"]["application/json"]["schema"];
    for (const auto& [member, what] : schema["properties"].items()) named.insert(member);
    EXPECT_EQ(std::set(members.begin(), members.end()), named) << name;
  }
  routes.insert(signing.begin(), signing.end());
  for (const auto& [path, operations] : paths.items())
    for (const auto& [method, operation] : operations.items())
      EXPECT_TRUE(method == "parameters" || routes.contains(method + " " + path)) << method << " " << path;
}

}  // namespace
}  // namespace hydra::api
