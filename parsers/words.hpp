// parsers, inside: what the words beside figures mean, over all runners that speak English.
#pragma once

#include "parsers/pattern.hpp"
#include "parsers/scan.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace hydra::parsers {

enum class Meaning { passed, failed, skipped, errors, total, nothing };

/// "failures", "Failed", "not ok" -> failed; "assertions" -> nothing; absent: no word of a test summary.
/// Ignores case.
std::optional<Meaning> meaning_of(std::string_view word);
/// Adds `n` under `meaning`.
void add(Figures& figures, Meaning meaning, std::int64_t n);
}  // namespace hydra::parsers
