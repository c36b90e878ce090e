#include "trees/layers.hpp"

#include "base/overlay_marks.hpp"
#include "exec/attempt.hpp"
#include "trees/entries.hpp"

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <set>
#include <sys/file.h>
#include <sys/xattr.h>
#include <unordered_set>

namespace hydra::trees {
namespace {

/// A directory as an overlay merges it. Without `upper`, the writable layer does not have it yet.
struct Merged {
  UniqueFd upper;
  std::vector<UniqueFd> lower;  ///< topmost first
};

enum class Kind { none, directory, other };

/// View of the lower layers at a name.
struct Below {
  Kind kind = Kind::none;
  struct stat facts {};
  std::vector<UniqueFd> directories;  ///< merged directories, if the name is a directory
};

/// View of the overlay at a name.
struct Seen {
  Kind kind = Kind::none;
  bool in_upper = false;  ///< entry of the upper layer; with kind none: a whiteout
  Below below;            ///< view without that entry
  Merged merged;          ///< set for a directory
};

class LayerWriter final : public TreeWriter {
 public:
  LayerWriter(UniqueFd upper, std::vector<UniqueFd> lower, bool trusted)
      : upper_(std::move(upper)),
        lower_(std::move(lower)),
        opaque_(trusted ? "trusted.overlay.opaque" : "user.overlay.opaque"),
        redirect_(trusted ? "trusted.overlay.redirect" : "user.overlay.redirect") {}
  // Unlocks explicitly: a program that another thread is starting has a copy of the descriptor until exec,
  // and would keep the lock for that moment.
  ~LayerWriter() override { (void)::flock(upper_.get(), LOCK_UN); }
  LayerWriter(const LayerWriter&) = delete;
  LayerWriter& operator=(const LayerWriter&) = delete;

  Result<void> put(const fs::path& path, mode_t mode, std::string_view bytes) override {
    HYDRA_TRY(const auto names, components(path));
    HYDRA_TRY(Merged at, root());
    for (std::size_t i = 0; i + 1 < names.size(); ++i) HYDRA_CHECK(enter(at, names[i]));
    const std::string& name = names.back();
    if (!S_ISREG(mode) && !S_ISLNK(mode)) {
      emptied_.erase(path);
      return enter(at, name);
    }
    HYDRA_TRY(const Seen seen, look(at, name));
    if (seen.in_upper) HYDRA_CHECK(remove_entry(at.upper.get(), name));
    return make_entry(at.upper.get(), name, mode, bytes);
  }

  Result<void> remove(const fs::path& path) override {
    HYDRA_TRY(const auto names, components(path));
    HYDRA_TRY(const bool was_there, hide(names));
    if (was_there && names.size() > 1) emptied_.insert(path.parent_path());
    return {};
  }

  Result<void> set_mtime(const fs::path& path, const timespec& time) override {
    HYDRA_TRY(const auto names, components(path));
    HYDRA_TRY(UniqueFd at, open_directory_at(upper_.get(), "."));
    struct stat facts {};
    const timespec times[2] = {time, time};
    for (std::size_t i = 0; i < names.size(); ++i) {
      HYDRA_TRY(const bool there, look_at(at.get(), names[i], facts));
      const bool last = i + 1 == names.size();
      if (!there || is_whiteout(facts) || (!last && !S_ISDIR(facts.st_mode)))
        return Error{Errc::not_found, "nothing was put there", path.string(), {}};
      if (!last) {
        HYDRA_TRY(at, open_directory_at(at.get(), names[i]));
      } else if (::utimensat(at.get(), names[i].c_str(), times, AT_SYMLINK_NOFOLLOW) != 0) {
        return system_error("cannot set the time of " + path.string(), errno);
      }
    }
    return {};
  }

  Result<void> finish() override {
    // Longer paths first, so that children precede their parents.
    while (!emptied_.empty()) {
      const fs::path path = *emptied_.rbegin();
      emptied_.erase(path);
      HYDRA_TRY(const auto names, components(path));
      HYDRA_TRY(Merged at, root());
      bool directory = true;
      for (const auto& name : names) {
        HYDRA_TRY(Seen seen, look(at, name));
        directory = seen.kind == Kind::directory;
        if (!directory) break;
        at = std::move(seen.merged);
      }
      if (!directory) continue;
      HYDRA_TRY(const bool gone, empty(at));
      if (!gone) continue;
      HYDRA_CHECK(hide(names));
      if (names.size() > 1) emptied_.insert(path.parent_path());
    }
    return {};
  }

 private:
  Result<Merged> root() const {
    Merged at;
    HYDRA_TRY(at.upper, open_directory_at(upper_.get(), "."));
    for (const auto& layer : lower_) {
      HYDRA_TRY(UniqueFd fd, open_directory_at(layer.get(), "."));
      at.lower.push_back(std::move(fd));
    }
    return at;
  }

  /// Returns whether the directory hides the layers below. A renamed directory shows another one's content.
  Result<bool> opaque(int directory, const std::string& name) const {
    char value = 0;
    if (::fgetxattr(directory, redirect_, nullptr, 0) > 0)
      return Error{Errc::unsupported, "a directory of the overlay was renamed", name,
                   "use a copied workspace for this check"};
    return ::fgetxattr(directory, opaque_, &value, 1) == 1 && value == 'y';
  }

  Result<Below> below(const std::vector<UniqueFd>& layers, const std::string& name) const {
    Below found;
    for (const auto& layer : layers) {
      struct stat facts {};
      HYDRA_TRY(const bool there, look_at(layer.get(), name, facts));
      if (!there) continue;
      if (is_whiteout(facts)) break;
      const bool directory = S_ISDIR(facts.st_mode);
      if (found.kind == Kind::none) {
        found.kind = directory ? Kind::directory : Kind::other;
        found.facts = facts;
      }
      if (!directory) break;  // a file hides the layers below, and does not merge with those above
      HYDRA_TRY(UniqueFd fd, open_directory_at(layer.get(), name));
      HYDRA_TRY(const bool last, opaque(fd.get(), name));
      found.directories.push_back(std::move(fd));
      if (last) break;
    }
    return found;
  }

  Result<Seen> look(const Merged& at, const std::string& name) const {
    Seen seen;
    HYDRA_TRY(seen.below, below(at.lower, name));
    struct stat facts {};
    if (at.upper) {
      HYDRA_TRY(seen.in_upper, look_at(at.upper.get(), name, facts));
    }
    if (!seen.in_upper) {
      seen.kind = seen.below.kind;
      seen.merged.lower = std::move(seen.below.directories);
    } else if (S_ISDIR(facts.st_mode)) {
      seen.kind = Kind::directory;
      HYDRA_TRY(seen.merged.upper, open_directory_at(at.upper.get(), name));
      HYDRA_TRY(const bool hides, opaque(seen.merged.upper.get(), name));
      if (!hides) seen.merged.lower = std::move(seen.below.directories);
    } else if (!is_whiteout(facts)) {
      seen.kind = Kind::other;
    }
    return seen;
  }

  /// Enters a directory, which then exists in the upper layer.
  Result<void> enter(Merged& at, const std::string& name) const {
    HYDRA_TRY(Seen seen, look(at, name));
    const int parent = at.upper.get();
    if (seen.kind != Kind::directory) {
      if (seen.in_upper) HYDRA_CHECK(remove_entry(parent, name));
      HYDRA_CHECK(make_directory(parent, name, 0755));
      Merged fresh;
      HYDRA_TRY(fresh.upper, open_directory_at(parent, name));
      // Without the mark, content hidden by a whiteout or file would reappear.
      if (seen.below.kind != Kind::none && ::fsetxattr(fresh.upper.get(), opaque_, "y", 1, 0) != 0)
        return system_error("cannot mark a directory of the overlay", errno);
      at = std::move(fresh);
      return {};
    }
    if (!seen.in_upper) {
      const auto& facts = seen.below.facts;
      HYDRA_CHECK(make_directory(parent, name, facts.st_mode));
      HYDRA_TRY(seen.merged.upper, open_directory_at(parent, name));
      if ((facts.st_uid != ::geteuid() || facts.st_gid != ::getegid()) &&
          ::fchown(seen.merged.upper.get(), facts.st_uid, facts.st_gid) != 0 && ::geteuid() == 0)
        return system_error("cannot set the owner of " + name, errno);
      const timespec times[2] = {facts.st_atim, facts.st_mtim};
      ::futimens(seen.merged.upper.get(), times);
    }
    at = std::move(seen.merged);
    return {};
  }

  /// Hides a path; false: it did not exist.
  Result<bool> hide(const std::vector<std::string>& names) const {
    HYDRA_TRY(Merged at, root());
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      HYDRA_TRY(Seen seen, look(at, names[i]));
      if (seen.kind != Kind::directory) return false;
      at = std::move(seen.merged);
    }
    HYDRA_TRY(const Seen seen, look(at, names.back()));
    if (seen.kind == Kind::none) return false;
    if (seen.in_upper) HYDRA_CHECK(remove_entry(at.upper.get(), names.back()));
    if (seen.below.kind == Kind::none) return true;
    if (!at.upper) {
      HYDRA_TRY(at, root());
      for (std::size_t i = 0; i + 1 < names.size(); ++i) HYDRA_CHECK(enter(at, names[i]));
    }
    if (::mknodat(at.upper.get(), names.back().c_str(), S_IFCHR, makedev(0, 0)) != 0)
      return system_error("cannot mark " + names.back() + " as deleted", errno);
    return true;
  }

  static Result<bool> empty(const Merged& at) {
    bool found = false;
    std::unordered_set<std::string> hidden;
    const auto visit = [&](int layer) {
      Result<void> failed;
      auto listed = list(layer, [&](const std::string& name) {
        if (hidden.count(name) > 0) return true;
        struct stat facts {};
        const auto there = look_at(layer, name, facts);
        if (!there.ok()) {
          failed = there.error();
          return false;
        }
        if (!*there) return true;
        if (!is_whiteout(facts)) found = true;
        hidden.insert(name);
        return !found;
      });
      return failed.ok() ? std::move(listed) : failed;
    };
    if (at.upper) HYDRA_CHECK(visit(at.upper.get()));
    for (const auto& layer : at.lower) {
      if (found) break;
      HYDRA_CHECK(visit(layer.get()));
    }
    return !found;
  }

  UniqueFd upper_;
  std::vector<UniqueFd> lower_;
  const char* opaque_;
  const char* redirect_;
  std::set<fs::path> emptied_;
};

}  // namespace

Result<std::unique_ptr<TreeWriter>> layer_writer(const exec::OverlayMount& overlay, exec::OverlayAs as) {
  HYDRA_TRY(UniqueFd upper, open_directory(overlay.upper));
  if (::flock(upper.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{Errc::conflict, "the layer is in use by a job", overlay.upper.string(), {}};
  std::vector<UniqueFd> lower;
  for (const auto& path : overlay.lower) {
    HYDRA_TRY(UniqueFd fd, open_directory(path));
    lower.push_back(std::move(fd));
  }
  const bool trusted = as == exec::OverlayAs::automatic ? exec::may_mount() : as == exec::OverlayAs::root;
  return std::unique_ptr<TreeWriter>(
      std::make_unique<LayerWriter>(std::move(upper), std::move(lower), trusted));
}

}  // namespace hydra::trees
