#include "git/merge/conflicts.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hydra::git {
namespace {

constexpr std::size_t kMostPaths = 20, kMostText = 64u << 10, kAround = 3;
constexpr std::int64_t kMostBlob = 4 << 20;  // larger files are data

enum class Mark { none, begin, end };

// A mark is seven signs and a blank; middle marks count only inside a region.
Mark mark_of(std::string_view line) {
  if (line.starts_with("<<<<<<< ")) return Mark::begin;
  if (line.starts_with(">>>>>>> ")) return Mark::end;
  return Mark::none;
}

struct Region {
  std::size_t first, last;  // lines, from 0, marks included
};

std::vector<Region> regions_of(const std::vector<std::string_view>& all) {
  std::vector<Region> found;
  std::optional<std::size_t> begun;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto mark = mark_of(all[i]);
    if (mark == Mark::begin) begun = i;
    if (mark != Mark::end || !begun) continue;
    found.push_back({*begun, i});
    begun.reset();
  }
  return found;
}

std::string shown_line(std::string_view line, const Sides& sides) {
  const auto mark = mark_of(line);
  if (mark == Mark::none) return std::string(line);
  const auto& [given, name] = mark == Mark::begin ? std::pair(sides.ours, sides.ours_name)
                                                  : std::pair(sides.theirs, sides.theirs_name);
  const auto rest = line.substr(8);
  if (!rest.starts_with(given)) return std::string(line);
  return std::string(line.substr(0, 8)) + name + std::string(rest.substr(given.size()));
}

bool fits(const Command& git, const std::string& object) {
  const auto size = git.line({"cat-file", "-s", object});
  std::int64_t bytes = 0;
  if (!size.ok()) return false;
  const auto [end, error] = std::from_chars(size->data(), size->data() + size->size(), bytes);
  return error == std::errc{} && bytes <= kMostBlob;
}

}  // namespace

std::string conflict_regions(std::string_view text, const Sides& sides) {
  const auto all = lines(text);
  std::string out;
  std::size_t next = 0;  // lines before `next` are shown already
  for (const auto& [first, last] : regions_of(all)) {
    const auto from = std::max(next, first - std::min(first, kAround));
    std::string piece;
    if (from > next || next == 0) piece = "@@ line " + std::to_string(from + 1) + " @@\n";
    next = std::min(all.size(), last + kAround + 1);
    for (auto i = from; i < next; ++i) piece += shown_line(all[i], sides) + "\n";
    if (out.size() + piece.size() > kMostText) return out + "@@ and more @@\n";
    out += piece;
  }
  return out;
}

std::vector<ConflictText> conflict_texts(const Command& git, const std::string& tree,
                                         const std::vector<std::string>& paths, const Sides& sides) {
  std::vector<ConflictText> found;
  for (std::size_t i = 0; i < std::min(paths.size(), kMostPaths); ++i) {
    const auto object = tree + ":" + paths[i];
    if (!fits(git, object)) continue;
    const auto blob = git.output({"cat-file", "blob", object});
    if (!blob.ok() || blob->find('\0') != std::string::npos) continue;
    if (auto text = conflict_regions(*blob, sides); !text.empty())
      found.push_back({paths[i], std::move(text)});
  }
  return found;
}

}  // namespace hydra::git
