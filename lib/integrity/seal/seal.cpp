#include "integrity/seal/seal.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "integrity/protect/known_rules.hpp"
#include "integrity/seal/written.hpp"
#include "trees/entries.hpp"
#include "trees/layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unordered_set>

namespace hydra::integrity {
namespace {

constexpr std::size_t kMostEntries = 1'000'000;
constexpr off_t kMostHashed = off_t{256} << 20;
constexpr std::size_t kMostManifest = 1u << 20;
constexpr std::size_t kMostSeal = 512u << 20;
constexpr const char* kGone = "gone";

/// Limits of one look at a tree, whatever a payload has put there.
struct Allowance {
  off_t hashed = off_t{2} << 30;
  std::size_t kept = 64u << 20;
};

/// A manifest is kept whole, to compare single keys later; any other file as its digest.
std::string regular_value(int parent, const std::string& name, bool manifest, Allowance& allowance) {
  const UniqueFd fd(::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!fd || ::fstat(fd.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return "can't be read";
  const std::string mode = (facts.st_mode & 0100U) != 0 ? "program " : "file ";
  if (facts.st_size > std::min(kMostHashed, allowance.hashed))
    return fmt::format("{}of {} at {}.{}", mode, facts.st_size, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec);
  const auto size = static_cast<std::size_t>(facts.st_size);
  const bool keep = manifest && size <= std::min(kMostManifest, allowance.kept);
  Sha256 hash;
  std::string whole;
  std::array<char, 65536> buffer{};
  for (std::size_t read = 0; read <= size;) {
    const auto got = ::read(fd.get(), buffer.data(), std::min(buffer.size(), size + 1 - read));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return "can't be read";
    if (got == 0) break;
    read += static_cast<std::size_t>(got);
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (keep)
      whole += bytes;
    else
      hash.add(bytes);
  }
  allowance.hashed -= facts.st_size;
  if (!keep) return mode + hash.hex();
  allowance.kept -= size;
  return mode + "text " + whole;
}

std::string value_at(int parent, const std::string& name, const struct stat& facts, bool manifest,
                     Allowance& allowance) {
  if (S_ISREG(facts.st_mode)) return regular_value(parent, name, manifest, allowance);
  if (!S_ISLNK(facts.st_mode)) return S_ISDIR(facts.st_mode) ? "directory" : "special file";
  std::array<char, 4096> target{};
  const auto size = ::readlinkat(parent, name.c_str(), target.data(), target.size());
  return size < 0 ? "can't be read" : "link " + std::string(target.data(), static_cast<std::size_t>(size));
}

/// Builds make protected-looking files anywhere that judge nothing: only files that a runner would pick up
/// count. A program that a check command runs and that the base lacks is a product.
bool would_judge(const Protection& protection, std::string_view path) {
  if (protection.on_change != RestoreAction::base) return protection.on_change == RestoreAction::keys;
  if (protection.kind == ProtectedKind::ci || protection.kind == ProtectedKind::check_script) return false;
  if (protection.kind != ProtectedKind::test_file) return true;
  return protection.by_name && !path.ends_with(".snap");
}

class Reader {
 public:
  Reader(const ProtectedPaths& rules, const std::vector<std::string>& also)
      : rules_(rules), also_(also.begin(), also.end()) {
    for (const auto& path : also)
      each_directory(path, [&](std::string_view directory) { directories_.emplace(directory); });
  }

  Result<void> walk(int directory, const std::string& prefix) {
    std::vector<std::string> names;
    HYDRA_CHECK(trees::list(directory, [&](const std::string& name) {
      names.push_back(name);
      return ++entries_ <= kMostEntries;
    }));
    if (entries_ > kMostEntries)
      return Error{Errc::protocol, "more than a million entries in its source directories", {}, {}};
    for (const auto& name : names) {
      const auto path = prefix + name;
      if (path == ".git") continue;
      struct stat facts {};
      HYDRA_TRY(const bool there, trees::look_at(directory, name, facts));
      if (there) HYDRA_CHECK(entry(directory, name, path, facts));
    }
    return {};
  }

  SealedPaths state;

 private:
  [[nodiscard]] bool tracks(const std::string& path) const {
    return rules_.base().tracks(path) || also_.contains(path);
  }
  [[nodiscard]] bool tracks_below(const std::string& path) const {
    return rules_.base().tracks_below(path) || directories_.contains(path);
  }
  /// Nothing: not protected, or the candidate may change it.
  [[nodiscard]] std::optional<Protection> protection(const std::string& path) const {
    if (also_.contains(path)) return Protection{ProtectedKind::test_file, RestoreAction::base, "hidden test"};
    auto found = rules_.of(path);
    if (!found || found->on_change == RestoreAction::flag) return std::nullopt;
    return found;
  }

  Result<void> entry(int directory, const std::string& name, const std::string& path,
                     const struct stat& facts) {
    if (is_whiteout(facts)) {
      gone(path);
      return {};
    }
    const bool above = tracks_below(path);
    if (S_ISDIR(facts.st_mode) && above) {
      auto inner = trees::open_directory_at(directory, name);
      if (!inner.ok()) {
        state[path] = "can't be read";
        return {};
      }
      if (is_opaque(inner->get())) gone(path);
      return walk(inner->get(), path + "/");
    }
    if (above) {
      gone(path);
      state[path] = S_ISLNK(facts.st_mode) ? "link instead of a directory" : "no directory";
      return {};
    }
    if (S_ISDIR(facts.st_mode) && !tracks(path)) {
      // A package would be imported instead of a module of the runner.
      struct stat package {};
      const auto module = path + "/__init__.py";
      if (path.find('/') == std::string::npos && protection(module) &&
          ::fstatat(directory, (name + "/__init__.py").c_str(), &package, AT_SYMLINK_NOFOLLOW) == 0)
        state[module] = "package";
      return {};
    }
    const auto found = protection(path);
    if (!found || (!tracks(path) && !would_judge(*found, path))) return {};
    state[path] = value_at(directory, name, facts, found->on_change == RestoreAction::keys, allowance_);
    return {};
  }

  /// Records `path` and everything below it in the lower layers as gone.
  void gone(const std::string& path) {
    const auto note = [&](const std::string& each) {
      if (each != path && !each.starts_with(path + "/")) return;
      if (protection(each)) state[each] = kGone;
    };
    const auto paths = rules_.base().paths();
    for (auto at = std::lower_bound(paths.begin(), paths.end(), path);
         at != paths.end() && at->starts_with(path); ++at)
      note(*at);
    for (const auto& each : also_) note(each);
  }

  const ProtectedPaths& rules_;
  std::unordered_set<std::string> also_, directories_;
  std::size_t entries_ = 0;
  Allowance allowance_;
};

Result<SealedPaths> state_of(const fs::path& tree, const ProtectedPaths& rules,
                             const std::vector<std::string>& also) {
  Reader reader(rules, also);
  HYDRA_TRY(const auto root, trees::open_directory(tree));
  HYDRA_CHECK(reader.walk(root.get(), {}));
  return std::move(reader.state);
}

/// Value of a path in the layers below the writable one, where no candidate has written.
std::string value_below(std::span<const fs::path> layers, const std::string& path, bool manifest) {
  for (const auto& layer : layers) {
    struct stat facts {};
    if (::lstat((layer / path).c_str(), &facts) != 0) continue;
    if (is_whiteout(facts)) break;
    Allowance allowance;
    if (auto parent = trees::open_directory((layer / path).parent_path()); parent.ok())
      return value_at(parent->get(), fs::path(path).filename().string(), facts, manifest, allowance);
  }
  return kGone;
}

/// Returns whether both have equal keys that select or replace checks.
bool same_keys(const std::string& path, std::string_view before, std::string_view after,
               const CheckCommands& commands) {
  const auto text = [](std::string_view value) -> std::optional<std::string_view> {
    if (value == kGone) return std::string_view();
    const auto at = value.find(" text ");
    if (!value.starts_with("file ") && !value.starts_with("program ")) return std::nullopt;
    if (at == std::string_view::npos || at > 8) return std::nullopt;
    return value.substr(at + 6);
  };
  const auto b = text(before), a = text(after);
  if (!a || !b || after == kGone) return false;
  const auto keys = restore_keys(path, *b, *a, commands);
  return keys.ok() && keys->keys.empty();
}

std::vector<std::string> differences(const ProtectedPaths& rules, const SealedPaths& before,
                                     const SealedPaths& after, std::span<const fs::path> below) {
  std::vector<std::string> out;
  for (const auto& [path, value] : after) {
    const auto protection = rules.of(path);
    const bool manifest = protection && protection->on_change == RestoreAction::keys;
    const auto found = before.find(path);
    const auto old = found != before.end() ? found->second : value_below(below, path, manifest);
    if (old == value || (manifest && same_keys(path, old, value, rules.commands()))) continue;
    out.push_back(path);
  }
  for (const auto& [path, value] : before)
    if (value != kGone && !after.contains(path)) out.push_back(path);
  std::sort(out.begin(), out.end());
  return out;
}

std::string to_bytes(const SealedPaths& state) {
  std::string out;
  for (const auto& [path, value] : state)
    out += std::to_string(path.size()) + " " + std::to_string(value.size()) + "\n" + path + value;
  return out;
}

std::optional<SealedPaths> from_bytes(std::string_view bytes) {
  SealedPaths out;
  while (!bytes.empty()) {
    const auto end = bytes.find('\n'), blank = bytes.find(' ');
    if (end == std::string_view::npos || blank > end) return std::nullopt;
    const auto path = parse_int(bytes.substr(0, blank));
    const auto value = parse_int(bytes.substr(blank + 1, end - blank - 1));
    bytes.remove_prefix(end + 1);
    if (!path || !value || *path < 0 || *value < 0) return std::nullopt;
    const auto a = static_cast<std::size_t>(*path), b = static_cast<std::size_t>(*value);
    if (a > bytes.size() || b > bytes.size() - a) return std::nullopt;
    out.emplace(bytes.substr(0, a), bytes.substr(a, b));
    bytes.remove_prefix(a + b);
  }
  return out;
}

}  // namespace

Result<SealedPaths> protected_state(const trees::Workspace& workspace, const ProtectedPaths& rules,
                                    const std::vector<std::string>& also) {
  return state_of(trees::layered(workspace) ? workspace.overlays.front().upper : workspace.host, rules, also);
}

std::vector<std::string> rewritten_paths(const trees::Workspace& workspace, const ProtectedPaths& rules,
                                         const SealedPaths& before, const SealedPaths& after) {
  if (!trees::layered(workspace)) return differences(rules, before, after, {});
  return differences(rules, before, after, workspace.overlays.front().lower);
}

namespace {

fs::path written_file(const fs::path& seal) { return seal.string() + ".written"; }

WrittenQuestion question_of(const ProtectedPaths& rules, const model::RaceSpec& spec,
                            const trees::Workspace& workspace) {
  WrittenQuestion question{&rules, spec.hidden_tests, {}, {}};
  const auto lowest = trees::layered(workspace) ? workspace.overlays.front().lower.back() : workspace.host;
  question.shared = trees::expand_paths(lowest, spec.config.workspace.share);
  for (const auto& [name, value] : spec.environment)
    if (name == "PATH") question.path = value;
  return question;
}

Result<void> write_marks(const ProtectedPaths& rules, const model::RaceSpec& spec,
                         const trees::Workspace& workspace, const SealedPaths& sealed, const fs::path& file) {
  HYDRA_TRY(const auto written, written_state(workspace, question_of(rules, spec, workspace), sealed));
  return write_file_atomic(written_file(file), to_bytes(written), false, 0600);
}

}  // namespace

Result<void> seal_workspace(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                            const trees::Workspace& workspace, const fs::path& file) {
  HYDRA_TRY(const auto rules, known.get(store, spec));
  HYDRA_TRY(const auto state, protected_state(workspace, rules->paths, spec.hidden_tests));
  HYDRA_CHECK(make_dirs(file.parent_path(), 0700));
  HYDRA_CHECK(write_file_atomic(file, to_bytes(state), false, 0600));
  return write_marks(rules->paths, spec, workspace, state, file);
}

Result<void> seal_after_set_up(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                               const trees::Workspace& workspace, const fs::path& file) {
  struct stat facts {};
  if (::lstat(file.c_str(), &facts) != 0) return {};
  HYDRA_TRY(const auto rules, known.get(store, spec));
  HYDRA_TRY(const auto state, protected_state(workspace, rules->paths, spec.hidden_tests));
  return write_marks(rules->paths, spec, workspace, state, file);
}

namespace {

Result<std::vector<std::string>> written_to(const RaceRules& rules, const model::RaceSpec& spec,
                                            const trees::Workspace& workspace, const fs::path& file,
                                            const SealedPaths& sealed, bool base) {
  struct stat facts {};
  // A race begun by an older daemon has no such file.
  if (::lstat(written_file(file).c_str(), &facts) != 0) return std::vector<std::string>{};
  HYDRA_TRY(const auto bytes, read_file(written_file(file), kMostSeal));
  const auto before = written_from_bytes(bytes);
  if (!before) return Error{Errc::protocol, "its seal is damaged", {}, {}};
  const auto question = question_of(rules.paths, spec, workspace);
  HYDRA_TRY(const auto after, written_state(workspace, question, sealed));
  auto paths = written_paths(workspace, question, *before, after, base);
  if (base && trees::layered(workspace) && workspace.overlays.front().lower.size() > 1) {
    // Writes of the template's build also count as the base's behaviour.
    auto warm = workspace;
    auto& overlay = warm.overlays.front();
    overlay.upper = overlay.lower.front();
    overlay.lower.erase(overlay.lower.begin());
    HYDRA_TRY(const auto state, protected_state(warm, rules.paths, spec.hidden_tests));
    HYDRA_TRY(const auto made, written_state(warm, question, state));
    const auto more = written_paths(warm, question, {}, made, true);
    paths.insert(paths.end(), more.begin(), more.end());
  }
  return paths;
}

/// Drops new test files that the base's rules ignore: a build makes these.
Result<void> drop_ignored(const git::Store& store, const ProtectedPaths& rules,
                          std::vector<std::string>& paths) {
  std::vector<std::string> fresh;
  for (const auto& path : paths) {
    const auto protection = rules.base().tracks(path) ? std::nullopt : rules.of(path);
    if (protection && protection->kind == ProtectedKind::test_file) fresh.push_back(path);
  }
  HYDRA_TRY(const auto ignored, store.ignored_by_base(fresh));
  std::erase_if(paths, [&](const auto& path) {
    return std::find(ignored.begin(), ignored.end(), path) != ignored.end();
  });
  return {};
}

}  // namespace

std::vector<std::string> broken_seal(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                                     const trees::Workspace& workspace, const fs::path& file, bool base) {
  struct stat facts {};
  if (::lstat(file.c_str(), &facts) != 0) return {};
  const auto look = [&]() -> Result<std::vector<std::string>> {
    HYDRA_TRY(const auto bytes, read_file(file, kMostSeal));
    const auto before = from_bytes(bytes);
    if (!before) return Error{Errc::protocol, "its seal is damaged", {}, {}};
    HYDRA_TRY(const auto rules, known.get(store, spec));
    HYDRA_TRY(const auto after, protected_state(workspace, rules->paths, spec.hidden_tests));
    auto paths = rewritten_paths(workspace, rules->paths, *before, after);
    if (base && trees::layered(workspace) && workspace.overlays.front().lower.size() > 1) {
      const std::span<const fs::path> lower(workspace.overlays.front().lower);
      HYDRA_TRY(const auto warm, state_of(lower.front(), rules->paths, spec.hidden_tests));
      const auto made = differences(rules->paths, {}, warm, lower.subspan(1));
      paths.insert(paths.end(), made.begin(), made.end());
    }
    HYDRA_TRY(const auto written, written_to(*rules, spec, workspace, file, after, base));
    paths.insert(paths.end(), written.begin(), written.end());
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    HYDRA_CHECK(drop_ignored(store, rules->paths, paths));
    return paths;
  };
  auto found = look();
  if (!found.ok()) return {"(its workspace could not be looked at: " + describe(found.error()) + ")"};
  for (auto& path : *found) path = sanitize(path);
  if (found->size() > kMostRewritten) found->resize(kMostRewritten);
  return std::move(*found);
}

}  // namespace hydra::integrity
