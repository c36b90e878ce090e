#include "integrity/seal/written.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "trees/entries.hpp"
#include "trees/layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <unordered_set>

namespace hydra::integrity {
namespace {

using Text = std::string_view;

constexpr std::size_t kWrittenMostEntries = 1'000'000;
constexpr std::size_t kMostCompared = 64u << 20;
constexpr const char* kWhiteout = "gone";
constexpr const char* kUnchecked = " unchecked";

bool is_dependency_directory(Text name) {
  constexpr std::array<Text, 4> kNames{"node_modules", ".venv", "venv", "site-packages"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Caches of tools and interpreters below installed packages: every run writes to them.
bool is_cache(Text name) {
  return name == "__pycache__" || (name.starts_with('.') && name != ".bin" && name != ".pnpm");
}

std::string stamp_of(const struct stat& facts) {
  if (is_whiteout(facts)) return kWhiteout;
  return fmt::format("{} {:o} {} {}.{}", facts.st_ino, facts.st_mode, facts.st_size, facts.st_ctim.tv_sec,
                     facts.st_ctim.tv_nsec);
}

/// PEP 552: the second word of byte code; 1 means "never compared with the source".
bool is_unchecked(int parent, const std::string& name) {
  const UniqueFd fd(::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::array<char, 8> head{};
  return fd && ::read(fd.get(), head.data(), head.size()) == 8 &&
         Text(head.data() + 4, 4) == Text("\1\0\0\0", 4);
}

fs::path tree_of(const trees::Workspace& workspace) {
  return trees::layered(workspace) ? workspace.overlays.front().upper : workspace.host;
}

/// Finds the dependency directories of a tree and records their entries.
class Installed {
 public:
  Installed(const WrittenQuestion& question, Stamps& stamps) : question_(question), stamps_(stamps) {
    for (const auto& path : question.shared) {
      shared_.insert(path);
      each_directory(path, [&](Text directory) { above_.emplace(directory); });
    }
  }

  Result<void> look(int directory, const std::string& prefix) {
    return each(directory, [&](const std::string& name, const struct stat& facts) -> Result<void> {
      const auto path = prefix + name;
      if (is_dependency_directory(name) || shared_.contains(path)) {
        if (!question_.rules->base().tracks_below(path)) return inside(directory, name, path, facts);
      } else if (S_ISDIR(facts.st_mode) &&
                 (question_.rules->base().tracks_below(path) || above_.contains(path))) {
        if (auto inner = trees::open_directory_at(directory, name); inner.ok())
          return look(inner->get(), path + "/");
      }
      return {};
    });
  }

 private:
  template <class Each>
  Result<void> each(int directory, Each look) {
    std::vector<std::string> names;
    HYDRA_CHECK(trees::list(directory, [&](const std::string& name) {
      names.push_back(name);
      return ++entries_ <= kWrittenMostEntries;
    }));
    if (entries_ > kWrittenMostEntries)
      return Error{Errc::protocol, "more than a million entries in its installed packages", {}, {}};
    for (const auto& name : names) {
      if (name == ".git") continue;
      struct stat facts {};
      HYDRA_TRY(const bool there, trees::look_at(directory, name, facts));
      if (there) HYDRA_CHECK(look(name, facts));
    }
    return {};
  }

  Result<void> inside(int parent, const std::string& name, const std::string& path,
                      const struct stat& facts) {
    if (!S_ISDIR(facts.st_mode)) {
      stamps_[path] = stamp_of(facts);
      return {};
    }
    auto inner = trees::open_directory_at(parent, name);
    if (!inner.ok()) return {};
    if (is_opaque(inner->get())) stamps_[path] = fmt::format("replaced {}", facts.st_ino);
    return each(inner->get(), [&](const std::string& entry, const struct stat& its) -> Result<void> {
      if (entry.ends_with(".pyc")) {
        if (is_unchecked(inner->get(), entry)) stamps_[path + "/" + entry] = stamp_of(its) + kUnchecked;
        return {};
      }
      if (is_cache(entry) && entry != "__pycache__") return {};
      return inside(inner->get(), entry, path + "/" + entry, its);
    });
  }

  const WrittenQuestion& question_;
  Stamps& stamps_;
  std::unordered_set<std::string> shared_, above_;
  std::size_t entries_ = 0;
};

/// Returns whether the file runs in the checks or selects them. Data is excluded: a test that only reads it
/// may open it for writing.
bool runs(const WrittenQuestion& question, const std::string& path) {
  const bool code = is_source(path);
  if (std::find(question.also.begin(), question.also.end(), path) != question.also.end()) return code;
  const auto protection = question.rules->of(path);
  if (!protection || protection->on_change != RestoreAction::base) return false;
  switch (protection->kind) {
    case ProtectedKind::test_file:
      return code;
    case ProtectedKind::runner_hook:
    case ProtectedKind::check_script:
    case ProtectedKind::test_configuration:
    case ProtectedKind::user:
      return true;
    default:
      return false;
  }
}

/// Path of the file in the layers below the writable one; empty: none.
fs::path below(const trees::Workspace& workspace, const std::string& path, struct stat& facts) {
  if (!trees::layered(workspace)) return {};
  for (const auto& layer : workspace.overlays.front().lower) {
    if (::lstat((layer / path).c_str(), &facts) != 0) continue;
    return is_whiteout(facts) ? fs::path() : layer / path;
  }
  return {};
}

bool same_file(const fs::path& a, const fs::path& b) {
  struct stat one {
  }, two{};
  if (::lstat(a.c_str(), &one) != 0 || ::lstat(b.c_str(), &two) != 0) return false;
  if ((one.st_mode & (S_IFMT | 0111U)) != (two.st_mode & (S_IFMT | 0111U))) return false;
  if (S_ISLNK(one.st_mode)) {
    std::error_code ec;
    const auto first = fs::read_symlink(a, ec), second = fs::read_symlink(b, ec);
    return !ec && first == second;
  }
  if (!S_ISREG(one.st_mode) || one.st_size != two.st_size) return false;
  const auto first = read_file(a, kMostCompared), second = read_file(b, kMostCompared);
  return first.ok() && second.ok() && *first == *second;
}

class Comparison {
 public:
  Comparison(const trees::Workspace& workspace, const WrittenQuestion& question, bool base)
      : workspace_(workspace), question_(question), base_(base) {}

  /// Path to report for this changed entry; empty: none.
  [[nodiscard]] std::string named(const std::string& path, const std::string& stamp, bool known) const {
    struct stat facts {};
    const auto lower = below(workspace_, path, facts);
    if (known || !lower.empty()) {
      if (base_ || stamp == kWhiteout || stamp.starts_with("replaced")) return path;
      if (lower.empty() || S_ISDIR(facts.st_mode)) return path;
      return same_file(tree_of(workspace_) / path, lower) ? std::string() : path;
    }
    return stamp == kWhiteout ? std::string() : named_new(path, stamp);
  }

 private:
  [[nodiscard]] bool there_before(const std::string& path) const {
    struct stat facts {};
    return !below(workspace_, path, facts).empty();
  }

  [[nodiscard]] std::string named_new(const std::string& path, const std::string& stamp) const {
    const auto own = base_name(path), above = directory_of(path);
    if (stamp.ends_with(kUnchecked)) return path;
    if (own.ends_with(".pth")) return std::string(above) + "/*.pth";
    if (own == "sitecustomize.py" || own == "usercustomize.py") return path;
    const auto place = base_name(above);
    if (place == ".bin" || place == "bin") return is_program(std::string(own)) ? path : std::string();
    // A file with a package's name is found before the package, and no package is installed as a file.
    if (place == "node_modules" && !own.starts_with('.')) return path;
    if (const auto site = path.find("site-packages/"); site != Text::npos) {
      const auto module = Text(path).substr(site + 14);
      const auto name = std::string(module.substr(0, module.find_first_of("./"))) + ".py";
      return question_.rules->names().taken_by(name).empty() ? std::string() : path;
    }
    return nested_package(path);
  }

  [[nodiscard]] bool is_program(const std::string& name) const {
    if (question_.rules->programs().contains(name)) return true;
    for (const auto directory : split(question_.path, ':')) {
      struct stat facts {};
      if (directory.starts_with('/') && ::stat((fs::path(directory) / name).c_str(), &facts) == 0)
        return true;
    }
    return false;
  }

  /// "node_modules/a/node_modules/b" where a existed before and b did not: a loads the new b.
  [[nodiscard]] std::string nested_package(const std::string& path) const {
    constexpr Text kInner = "/node_modules/";
    const auto at = path.rfind(kInner);
    if (at == Text::npos || at == 0 || path.rfind("node_modules/", at - 1) == Text::npos) return {};
    const auto begin = at + kInner.size();
    auto end = path.find('/', begin);
    if (end != Text::npos && path[begin] == '@') end = path.find('/', end + 1);
    const auto package = path.substr(0, end);
    return there_before(path.substr(0, at)) && !there_before(package) ? package : std::string();
  }

  const trees::Workspace& workspace_;
  const WrittenQuestion& question_;
  bool base_;
};

/// Dependency directory of a path, such as "packages/a/node_modules".
std::string dependencies_of(const std::string& path, const std::vector<std::string>& shared) {
  for (const auto& directory : shared)
    if (path == directory || path.starts_with(directory + "/")) return directory;
  for (std::size_t begin = 0; begin < path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    if (is_dependency_directory(Text(path).substr(begin, end - begin))) return path.substr(0, end);
    begin = end + 1;
  }
  return path;
}

void append(std::string& out, const Stamps& stamps) {
  out += std::to_string(stamps.size()) + "\n";
  for (const auto& [path, stamp] : stamps) out += stamp + '\0' + path + '\0';
}

bool take(Text& bytes, Stamps& stamps) {
  const auto end = bytes.find('\n');
  const auto count = end == Text::npos ? std::nullopt : parse_int(bytes.substr(0, end));
  if (!count || *count < 0) return false;
  bytes.remove_prefix(end + 1);
  for (std::int64_t i = 0; i < *count; ++i) {
    std::array<Text, 2> part;
    for (auto& each : part) {
      const auto nul = bytes.find('\0');
      if (nul == Text::npos) return false;
      each = bytes.substr(0, nul);
      bytes.remove_prefix(nul + 1);
    }
    stamps.emplace(part[1], part[0]);
  }
  return true;
}

}  // namespace

Result<WrittenState> written_state(const trees::Workspace& workspace, const WrittenQuestion& question,
                                   const SealedPaths& sealed) {
  WrittenState state;
  const auto tree = tree_of(workspace);
  for (const auto& [path, value] : sealed) {
    if (!value.starts_with("file ") && !value.starts_with("program ")) continue;
    struct stat facts {};
    if (runs(question, path) && ::lstat((tree / path).c_str(), &facts) == 0)
      state.judges[path] = stamp_of(facts);
  }
  HYDRA_TRY(const auto root, trees::open_directory(tree));
  HYDRA_CHECK(Installed(question, state.installed).look(root.get(), {}));
  return state;
}

std::vector<std::string> written_paths(const trees::Workspace& workspace, const WrittenQuestion& question,
                                       const WrittenState& before, const WrittenState& after, bool base) {
  std::vector<std::string> out;
  for (const auto& [path, stamp] : after.judges) {
    const auto found = before.judges.find(path);
    // New protected files of a copy are covered by the seal.
    if (found == before.judges.end() ? trees::layered(workspace) : found->second != stamp)
      out.push_back(path);
  }
  const Comparison comparison(workspace, question, base);
  std::map<std::string, std::vector<std::string>> found;
  for (const auto& [path, stamp] : after.installed) {
    const auto old = before.installed.find(path);
    if (old != before.installed.end() && old->second == stamp) continue;
    auto name = comparison.named(path, stamp, old != before.installed.end());
    if (!name.empty()) found[dependencies_of(path, question.shared)].push_back(std::move(name));
  }
  if (!trees::layered(workspace))
    for (const auto& [path, stamp] : before.installed)
      if (!after.installed.contains(path)) found[dependencies_of(path, question.shared)].push_back(path);
  for (auto& [directory, paths] : found) {
    if (paths.size() > kMostRewritten)
      out.push_back(directory);
    else
      out.insert(out.end(), paths.begin(), paths.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> built_sources(const trees::Workspace& workspace, const ProtectedPaths& rules) {
  const auto stem = [](Text path) {
    const auto own = base_name(path);
    return std::string(own.substr(0, own.find('.')));
  };
  const auto root = tree_of(workspace);
  std::unordered_set<std::string> stems;
  std::error_code ec;
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, ec);
  for (std::size_t seen = 0; !ec && at != fs::end(at) && seen < kWrittenMostEntries;
       ++seen, at.increment(ec)) {
    const auto name = at->path().filename().string();
    const auto type = at->symlink_status(ec).type();
    if (type == fs::file_type::directory && (name.starts_with('.') || is_dependency_directory(name)))
      at.disable_recursion_pending();
    if (type == fs::file_type::regular && !rules.base().tracks(at->path().lexically_relative(root).string()))
      stems.insert(stem(name));
  }
  std::vector<std::string> sources;
  for (const auto& path : rules.base().paths())
    if (sources.size() < kMostBuilt && is_source(path) && stems.contains(stem(path))) sources.push_back(path);
  return sources;
}

std::string to_bytes(const WrittenState& state) {
  std::string out;
  append(out, state.judges);
  append(out, state.installed);
  return out;
}

std::optional<WrittenState> written_from_bytes(std::string_view bytes) {
  WrittenState state;
  if (!take(bytes, state.judges) || !take(bytes, state.installed) || !bytes.empty()) return std::nullopt;
  return state;
}

}  // namespace hydra::integrity
