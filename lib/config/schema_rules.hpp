// config, inside only: what the tables of keys are written with.
#pragma once

#include "config/schema.hpp"

namespace hydra::config {

using C = model::Config;

#define AT(member) [](C& c) -> Target { return &c.member; }
#define ONE_OF(member) [](C& c) -> Target { return choice(c.member); }

inline constexpr double kDay = 86400;
inline constexpr double kMany = 1e9;
inline constexpr double kBytes = 9007199254740992.0;  // 2^53

inline constexpr Rule kWeight{0, kMany};
inline constexpr Rule kPoints{0, 100};
inline constexpr Rule kTime{0, kDay, true};
inline constexpr Rule kTimeOrZero{0, kDay};
inline constexpr Rule kLongTime{0, 7 * kDay, true};
inline constexpr Rule kCount{0, 4096};
inline constexpr Rule kSize{0, kBytes};
inline constexpr Rule kBudgetUsd{0, 1e6};

}  // namespace hydra::config
