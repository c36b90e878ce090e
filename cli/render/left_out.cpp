#include "cli/render/left_out.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    if (row.reason == model::LeftReason::left_behind)
      continue;  // left by the agent's program, not by its work
    if (named.size() == kNamed) {
      ++more;
      continue;
    }
    const auto path = style.fit(row.path, kPathColumns);
    named.push_back(row.bytes > 0 ? fmt::format("{} {} ({})", path, short_bytes(row.bytes), name(row.reason))
                                  : fmt::format("{} ({})", path, name(row.reason)));
  }
  return join(named, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::vector<std::string> merge_files(const wire::Merge& view, const Style& style) {
  std::vector<std::string> generated, asked, out;
  for (const auto& row : view.left_out) {
    const auto what = style.fit(row.what, kPathColumns), files = counted(row.files, "file");
    if (row.generated)
      generated.push_back(files + (what.ends_with('/') ? " in " : " named ") + what);
    else
      asked.push_back(what + " (" + files + ")");
  }
  const auto add = [&](const char* words, std::vector<std::string> rows, const char* then) {
    if (rows.empty()) return;
    const auto more = rows.size() > kNamed ? fmt::format(" and {} more", rows.size() - kNamed) : "";
    rows.resize(std::min(rows.size(), kNamed));
    out.push_back(words + join(rows, ", ") + more + then);
  };
  add("Left out: ", std::move(generated), " (--with-generated brings them in)");
  add("Left out as asked: ", std::move(asked), "");
  auto unnamed = view.unnamed;
  for (auto& path : unnamed) path = style.fit(path, kPathColumns);
  add("New and named by no other file: ", std::move(unnamed), " (--without FILE leaves one out)");
  if (view.line_ends_only > 0)
    out.push_back(fmt::format("Line ends only: {}", counted(view.line_ends_only, "file")));
  return out;
}

}  // namespace hydra::cli
