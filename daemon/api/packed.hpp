// daemon/api, inside only: smaller texts.
#pragma once

#include <string>
#include <string_view>

namespace hydra::api {

/// As raw deflate has it (RFC 1951).
std::string deflated(std::string_view text);

/// As `Content-Encoding: gzip` has it (RFC 1952); the same text gives the same bytes.
std::string gzipped(std::string_view text);

}  // namespace hydra::api
