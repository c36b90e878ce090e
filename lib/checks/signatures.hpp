// checks, inside the room: the table of failure signatures (toolchains reference, section 7).
#pragma once

#include "checks/advice.hpp"

#include <span>
#include <string_view>

namespace hydra::checks {

/// Patterns of one line: plain text, "…" for anything between two pieces, "^" and "$" for the line's ends. A
/// piece that begins or ends with a letter, digit or '_' must be a whole word there.
using Lines = std::span<const std::string_view>;

enum class When { always, preparing, testing };  ///< set-up, build and warm are preparing

struct AdviceText {
  std::string_view text;
  When when = When::always;
  Lines tools{};  ///< names of config/ecosystem.hpp; empty: any
};

struct Signature {
  std::string_view name;
  AdviceKind kind = AdviceKind::environment;
  Lines lines;
  std::string_view meaning;
  std::span<const AdviceText> advice;  ///< the first that fits step and tools
  std::string_view candidate;          ///< empty: nothing in particular
};

/// In the order in which they are tried.
std::span<const Signature> signatures();
/// The row of a kind that has one row only; null for none.
const Signature* find_signature(AdviceKind kind);

}  // namespace hydra::checks
