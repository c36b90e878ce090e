#include "cli/render/left_out.hpp"

#include "base/strings.hpp"
#include "model/capture_words.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::size_t kPathColumns = 60;

/// Returns "5 B", "1.5 kB", "2.0 MB" with decimal units.
std::string short_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  const auto size = static_cast<double>(bytes);
  if (bytes < 999'950) return fmt::format("{:.1f} kB", size / 1e3);
  return bytes < 999'950'000 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.1f} GB", size / 1e9);
}

}  // namespace

std::string left_out_text(const std::vector<model::LeftOut>& rows, const Style& style) {
  std::vector<std::string> named;
  std::size_t more = 0;
  for (const auto& row : rows) {
    if (row.reason == model::kLeftBehind) continue;  // left by the agent's program, not by its work
    if (named.size() == kNamed) {
      ++more;
      continue;
    }
    const auto path = style.fit(row.path, kPathColumns);
    named.push_back(row.bytes > 0
                        ? fmt::format("{} {} ({})", path, short_bytes(row.bytes), style.safe(row.reason))
                        : fmt::format("{} ({})", path, style.safe(row.reason)));
  }
  return join(named, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace hydra::cli
