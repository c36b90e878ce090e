// adapters, inside the room: what stands before a line and is no part of it, as an editor or a terminal's
// driver leaves it there: blanks, a byte order mark, control sequences (ECMA-48, CSI).
#pragma once

#include <cstddef>
#include <string_view>

namespace hydra::adapters {

struct Lead {
  std::size_t size = 0;  ///< bytes that are no part of the line
  bool open = false;     ///< what follows them may be the begin of more
};
/// Of a line's first bytes.
Lead lead_of(std::string_view text);

}  // namespace hydra::adapters
