#include "trees/entries.hpp"
#include "trees/layers.hpp"

#include <cerrno>
#include <fcntl.h>
#include <set>
#include <unistd.h>

namespace hydra::trees {
namespace {

class DirectoryWriter final : public TreeWriter {
 public:
  explicit DirectoryWriter(UniqueFd root) : root_(std::move(root)) {}

  Result<void> put(const fs::path& path, mode_t mode, std::string_view bytes) override {
    HYDRA_TRY(const auto names, components(path));
    HYDRA_TRY(const UniqueFd parent, walk(names, true));
    struct stat facts {};
    HYDRA_TRY(const bool there, look_at(parent.get(), names.back(), facts));
    const bool directory = S_ISDIR(mode) || !(S_ISREG(mode) || S_ISLNK(mode));
    if (directory) emptied_.erase(path);
    if (there && directory && S_ISDIR(facts.st_mode)) return {};
    if (there) HYDRA_CHECK(remove_entry(parent.get(), names.back()));
    if (directory) return make_directory(parent.get(), names.back(), 0755);
    return make_entry(parent.get(), names.back(), mode, bytes);
  }

  Result<void> remove(const fs::path& path) override {
    HYDRA_TRY(const auto names, components(path));
    HYDRA_TRY(const UniqueFd parent, walk(names, false));
    if (!parent) return {};
    struct stat facts {};
    HYDRA_TRY(const bool there, look_at(parent.get(), names.back(), facts));
    if (there && names.size() > 1) emptied_.insert(path.parent_path());
    return remove_entry(parent.get(), names.back());
  }

  Result<void> set_mtime(const fs::path& path, const timespec& time) override {
    HYDRA_TRY(const auto names, components(path));
    HYDRA_TRY(const UniqueFd parent, walk(names, false));
    const timespec times[2] = {time, time};
    if (!parent) return Error{Errc::not_found, "nothing there", path.string(), {}};
    if (::utimensat(parent.get(), names.back().c_str(), times, AT_SYMLINK_NOFOLLOW) == 0) return {};
    auto error = system_error("cannot set the time of " + path.string(), errno);
    if (errno == ENOENT) error.code = Errc::not_found;
    return error;
  }

  Result<void> finish() override {
    // Longer paths first, so that children precede their parents.
    while (!emptied_.empty()) {
      const fs::path path = *emptied_.rbegin();
      emptied_.erase(path);
      HYDRA_TRY(const auto names, components(path));
      HYDRA_TRY(const UniqueFd parent, walk(names, false));
      if (!parent || ::unlinkat(parent.get(), names.back().c_str(), AT_REMOVEDIR) != 0) continue;
      if (names.size() > 1) emptied_.insert(path.parent_path());
    }
    return {};
  }

 private:
  /// The parent of the last name; an empty descriptor if it is missing and `make` is false.
  Result<UniqueFd> walk(const std::vector<std::string>& names, bool make) const {
    HYDRA_TRY(UniqueFd at, open_directory_at(root_.get(), "."));
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      struct stat facts {};
      HYDRA_TRY(const bool there, look_at(at.get(), names[i], facts));
      if (!there || !S_ISDIR(facts.st_mode)) {
        if (!make) return UniqueFd();
        if (there) HYDRA_CHECK(remove_entry(at.get(), names[i]));
        HYDRA_CHECK(make_directory(at.get(), names[i], 0755));
      }
      HYDRA_TRY(at, open_directory_at(at.get(), names[i]));
    }
    return at;
  }

  UniqueFd root_;
  std::set<fs::path> emptied_;
};

}  // namespace

Result<std::unique_ptr<TreeWriter>> directory_writer(const fs::path& root) {
  HYDRA_TRY(UniqueFd fd, open_directory(root));
  return std::unique_ptr<TreeWriter>(std::make_unique<DirectoryWriter>(std::move(fd)));
}

}  // namespace hydra::trees
