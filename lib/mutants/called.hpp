// mutants: which lines of the product tests are about, as far as names tell: the functions that they call.
// Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::mutants {

/// Names that stand before "(" in this text. Empty where its language is not known.
std::set<std::string> called_names(std::string_view path, std::string_view text);

/// Lines, from 1, of functions of these names: from the line that names one to the next that is not indented
/// deeper. A call over several lines may look like one, too. Ascending.
std::vector<int> lines_of_functions(std::string_view path, std::string_view text,
                                    const std::set<std::string>& names);

}  // namespace hydra::mutants
