// base: host names, addresses and tokens out of text of foreign programs before it is shown. Pure, linear in
// the text.
#pragma once

#include <string>
#include <string_view>

namespace hydra {

/// `text` with private host names and addresses as "[host]", and user names, passwords and tokens as
/// "[hidden]". Host names are recognised where they stand: after "://", after "user@", after words that name
/// one ("getaddrinfo ENOTFOUND", "Could not resolve host:"). Loopback and the public package registries stay
/// readable; file names and dotted identifiers are left alone. Control characters are not touched.
std::string redact(std::string_view text);

}  // namespace hydra
