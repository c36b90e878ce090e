#include "trees/byte_code.hpp"

#include "base/files.hpp"

#include <algorithm>
#include <vector>

namespace hydra::trees {
namespace {

namespace fs = std::filesystem;

bool installed(const fs::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const fs::path& part) { return part == "site-packages" || part == "dist-packages"; });
}

Result<void> drop_sources_of_the_tree(const fs::path& tree) {
  std::error_code ec;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(tree, ec), end; !ec && it != end; it.increment(ec))
    if (!it->is_directory(ec) && !installed(it->path().lexically_relative(tree))) files.push_back(it->path());
  for (const auto& file : files)
    if (!ec) fs::remove(file, ec);
  if (ec && ec != std::errc::no_such_file_or_directory)
    return system_error("cannot read " + tree.string(), ec.value());
  return {};
}

}  // namespace

fs::path byte_code_layer(const fs::path& kept, const std::string& kind) {
  std::error_code ec;
  if (kept.empty()) return {};
  for (const auto& each : {kept / kind, kept / "tests"})
    if (fs::is_directory(each, ec)) return each;
  return {};
}

Result<void> keep_byte_code(const fs::path& home_layer, const fs::path& kept, const std::string& kind,
                            const fs::path& tree) {
  std::error_code ec;
  const auto left = home_layer / kByteCode, to = kept / kind;
  if (!fs::is_directory(left, ec) || fs::exists(to, ec)) return {};
  HYDRA_CHECK(drop_sources_of_the_tree(left / tree.relative_path()));
  // Only the last directory moves: the directories above may be opaque, and would hide the set-up's files.
  const auto made = home_layer.parent_path() / (kind + ".bytecode");
  HYDRA_CHECK(make_dirs((made / kByteCode).parent_path(), 0700));
  HYDRA_CHECK(make_dirs(kept, 0700));
  fs::rename(left, made / kByteCode, ec);
  if (!ec) fs::rename(made, to, ec);
  if (!ec || ec == std::errc::directory_not_empty || ec == std::errc::file_exists) return {};
  return system_error("cannot keep " + left.string(), ec.value());
}

}  // namespace hydra::trees
