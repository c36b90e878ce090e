#include "race/limits/slots.hpp"

namespace hydra::race {

Share share_of(const std::optional<model::CheckEvidence>& base) {
  constexpr std::int64_t kShortMs = 100;  // its CPU time is that of being started, and it disturbs nobody
  if (!base || base->status == model::CheckStatus::not_started) return Share::whole;
  const bool one_thread = base->cpu_ms > 0 && base->cpu_ms * 5 <= base->wall_ms * 6;
  return one_thread || base->wall_ms <= kShortMs ? Share::half : Share::whole;
}

}  // namespace hydra::race
