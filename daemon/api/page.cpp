// Serves the embedded files of web/. Names from requests never reach a file system.
#include "daemon/api/door.hpp"
#include "daemon/api/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <scoreboard_assets.hpp>

namespace hydra::api {

bool has_page() { return HYDRA_HAVE_UI != 0; }

Response page(const Request& request) {
  const std::string_view path = request.path == "/" ? std::string_view("/index.html") : request.path;
  const auto found = std::find_if(ui::kAssets.begin(), ui::kAssets.end(),
                                  [&](const ui::Asset& asset) { return asset.path == path; });
  if (found == ui::kAssets.end()) return refusal(404, "not_found", "no such page");
  if (request.method != "GET") {
    auto refused = refusal(405, "usage", "this page can only be read");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }
  const bool packed = takes_gzip(request.header("accept-encoding"));
  Response response;
  response.content_type = found->type;
  response.body = packed ? found->packed : found->plain;
  response.headers = {{"Vary", "Accept-Encoding"},
                      {"ETag", fmt::format("\"{}{}\"", found->tag, packed ? "" : "-plain")},
                      {"Cache-Control", found->keep ? "public, max-age=31536000, immutable" : "no-cache"}};
  if (packed) response.headers.emplace_back("Content-Encoding", "gzip");
  return response;
}

}  // namespace hydra::api
