#include "trees/leads_back.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "trees/workspace.hpp"

namespace hydra::trees {
namespace {

constexpr std::size_t kMostText = 64 << 10;  ///< bytes read of a file; a program's first line is within these

bool names_checkout(std::string_view text, const std::string& checkout) {
  for (auto at = text.find(checkout); at != std::string_view::npos; at = text.find(checkout, at + 1)) {
    const auto end = at + checkout.size();
    if (end == text.size() || std::string_view("/\n\r\"' \t").find(text[end]) != std::string_view::npos)
      return true;
  }
  return false;
}

bool entry_leads_back(const fs::directory_entry& entry, const std::string& checkout) {
  std::error_code ec;
  if (entry.is_symlink(ec)) return names_checkout(fs::read_symlink(entry.path(), ec).string(), checkout);
  if (!entry.is_regular_file(ec)) return false;
  const auto name = entry.path().filename();
  const auto directory = entry.path().parent_path().filename();
  const bool program = directory == "bin" || directory == ".bin";
  if (!program && name.extension() != ".pth" && name != "direct_url.json") return false;
  const auto text = read_file(entry.path(), kMostText).value_or("");
  return names_checkout(program ? text.substr(0, text.find('\n')) : text, checkout);
}

}  // namespace

std::string leads_back(const fs::path& checkout, const std::vector<std::string>& shared) {
  for (const auto& path : expand_paths(checkout, shared)) {
    std::error_code ec;
    if (entry_leads_back(fs::directory_entry(checkout / path, ec), checkout.string())) return path;
    for (fs::recursive_directory_iterator it(checkout / path, ec), end; !ec && it != end; it.increment(ec))
      if (entry_leads_back(*it, checkout.string())) return it->path().lexically_relative(checkout).string();
  }
  return {};
}

}  // namespace hydra::trees
