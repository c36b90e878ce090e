#include "integrity/protect/protected_table.hpp"

#include <algorithm>
#include <array>

namespace hydra::integrity {
namespace {

using Text = std::string_view;
template <std::size_t N>
bool is_one_of(const std::array<Text, N>& list, Text name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool is_runner_module(std::string_view name) {
  constexpr std::array<Text, 14> kNames{"pytest",     "_pytest",    "pluggy",   "unittest", "doctest",
                                        "nose",       "nose2",      "coverage", "tox",      "nox",
                                        "hypothesis", "pytest_cov", "xdist",    "iniconfig"};
  return is_one_of(kNames, name);
}

}  // namespace hydra::integrity
