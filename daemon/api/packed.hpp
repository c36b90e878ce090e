// daemon/api, inside only: compression of texts.
#pragma once

#include <string>
#include <string_view>

namespace hydra::api {

/// Returns the text as raw deflate (RFC 1951).
std::string deflated(std::string_view text);

/// Returns the text for `Content-Encoding: gzip` (RFC 1952); equal texts give equal bytes.
std::string gzipped(std::string_view text);

/// Returns whether an Accept-Encoding header allows gzip.
bool takes_gzip(std::string_view accepted);

}  // namespace hydra::api
