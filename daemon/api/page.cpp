// Serves the embedded files of web/. Names from requests never reach a file system.
#include "base/strings.hpp"
#include "daemon/api/door.hpp"

#include <algorithm>
#include <scoreboard_assets.hpp>

namespace hydra::api {
namespace {

bool takes_gzip(const Request& request) {
  for (const auto each : split(request.header("accept-encoding"), ',')) {
    const auto parts = split(each, ';');
    const auto refused = parts.size() > 1 && (trim(parts[1]) == "q=0" || trim(parts[1]) == "q=0.0");
    if (!refused && (trim(parts[0]) == "gzip" || trim(parts[0]) == "*")) return true;
  }
  return false;
}

}  // namespace

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
  if (!takes_gzip(request)) return refusal(406, "unsupported", "the scoreboard is sent with gzip only");
  Response response;
  response.content_type = found->type;
  response.body.assign(reinterpret_cast<const char*>(found->data), found->size);
  response.headers = {{"Content-Encoding", "gzip"},
                      {"Vary", "Accept-Encoding"},
                      {"ETag", std::string(found->etag)},
                      {"Cache-Control", found->keep ? "public, max-age=31536000, immutable" : "no-cache"}};
  return response;
}

}  // namespace hydra::api
