// cli: the JSON of `hydra parse` (docs/toolchains.md). Long lists are printed element by element to bound
// memory.
#pragma once

#include "model/check.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

void print_report(const model::ParsedTests& report);
void print_report(const model::LintReport& report);
std::string formats_json(const std::vector<std::string_view>& tests,
                         const std::vector<std::string_view>& lint,
                         const std::vector<std::string_view>& agents);

}  // namespace hydra::cli
