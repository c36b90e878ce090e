#include "trees/rebuild.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace hydra::trees {
namespace {

using config::EcosystemSet;
using config::names_one_of;

constexpr std::uint32_t kLinkMode = 0120000;
constexpr std::uint32_t kSubmoduleMode = 0160000;
constexpr std::uint32_t kType = 0170000;

// Sources that installers compile into the environment, unseen by the build command.
constexpr std::string_view kNative[] = {"*.c",   "*.cc",  "*.cpp", "*.cxx", "*.h",   "*.hh", "*.hpp",
                                        "*.hxx", "*.inl", "*.pyx", "*.pxd", "*.pxi", "*.f",  "*.f90",
                                        "*.rs",  "*.zig", "*.asm", "*.s",   "*.S"};
constexpr std::string_view kHeaders[] = {"*.h",   "*.hh",  "*.hpp", "*.hxx", "*.h++",
                                         "*.inl", "*.ipp", "*.tpp", "*.inc"};

bool word_end(char c) { return std::string_view(" \t\n;|&<>()'\"=,:").find(c) != std::string_view::npos; }

/// Returns whether the path is a word of this shell command, plain or with "./" before it; "--file=PATH"
/// counts.
bool names_path(std::string_view command, std::string_view path) {
  if (path.empty()) return false;
  for (auto at = command.find(path); at != std::string_view::npos; at = command.find(path, at + 1)) {
    const auto end = at + path.size();
    auto begin = at;
    if (begin >= 2 && command.substr(begin - 2, 2) == "./") begin -= 2;
    if ((begin == 0 || word_end(command[begin - 1])) && (end == command.size() || word_end(command[end])))
      return true;
  }
  return false;
}

bool has_word(std::string_view command, std::string_view word) {
  for (auto at = command.find(word); at != std::string_view::npos; at = command.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || command[at - 1] == '/' || word_end(command[at - 1]);
    // "pip3" and "pip3.11" count as pip.
    if (begins &&
        (end == command.size() || word_end(command[end]) || (command[end] >= '0' && command[end] <= '9')))
      return true;
  }
  return false;
}

bool installs_python(std::string_view setup) {
  constexpr std::array<std::string_view, 9> kInstallers{"pip", "uv",    "poetry", "maturin", "setup.py",
                                                        "pdm", "hatch", "pipenv", "tox"};
  return std::any_of(kInstallers.begin(), kInstallers.end(),
                     [&](std::string_view word) { return has_word(setup, word); });
}

/// Returns whether a git tree could have this path.
bool is_plain(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos) return false;
  for (const auto part : split(path, '/'))
    if (part.empty() || part == "." || part == ".." || to_lower(part) == ".git") return false;
  return true;
}

bool same_kind_of_file(const Change& change) {
  const auto old_type = change.old_mode & kType, type = change.mode & kType;
  return old_type == 0 || type == 0 || old_type == type;
}

class Planner {
 public:
  Planner(const RebuildContext& context, RebuildPlan& plan)
      : context_(context), base_(*context.base), plan_(plan) {
    compiles_at_setup_ = installs_python(context.setup) || base_.tracks_name("binding.gyp");
    for (const auto* ecosystem : base_.ecosystems()) {
      setup_configures_ = setup_configures_ || ecosystem->setup_configures;
      tools_.push_back(ecosystem);
    }
    // Without any marker the project's tools are unknown: all tables apply.
    if (tools_.empty())
      for (const auto& ecosystem : config::ecosystems()) tools_.push_back(&ecosystem);
    tools_.push_back(&config::common_ecosystem());
  }

  void take(const Change& change) {
    if (!is_plain(change.path) || (change.kind == ChangeKind::renamed && !is_plain(change.from))) {
      plan_.not_applied.push_back({change.path, "not a path inside the tree"});
      return;
    }
    if (change.kind == ChangeKind::deleted) return remove(change.path);
    if (change.kind == ChangeKind::renamed) remove(change.from);
    if (auto entry = covered(change.path); !entry.reason.empty()) {
      plan_.not_applied.push_back(std::move(entry));
      return;
    }
    if (const auto why = foreign(change.path); !why.empty()) {
      plan_.dropped.push_back({change.path, why});
      return;
    }
    write(change);
  }

  void finish() {
    if (plan_.drop_outputs && setup_configures_ && !plan_.setup_again)
      set_up("the set-up configures the outputs that are removed");
  }

 private:
  void set_up(std::string_view reason) {
    if (!plan_.setup_again) note(reason);
    plan_.setup_again = true;
  }
  void cold(std::string_view reason) {
    if (!plan_.drop_outputs) note(reason);
    plan_.drop_outputs = true;
  }
  void note(std::string_view reason) {
    if (plan_.reasons.size() < kMostReasons) plan_.reasons.push_back(sanitize(reason));
  }

  /// Outputs made from a deleted file may remain (docs/workspaces.md). Documents count too, because sites and
  /// packages are made of them.
  void remove(const std::string& path) {
    plan_.deletions.push_back(path);
    cold(path + ": deleted or renamed");
    look_at(path, true);
  }

  void write(const Change& change) {
    plan_.writes.push_back(change.path);
    const auto& path = change.path;
    const bool is_new = change.kind == ChangeKind::added || change.kind == ChangeKind::renamed;
    if (change.kind == ChangeKind::type_changed || !same_kind_of_file(change))
      cold(path + ": another kind of file exists there");
    if ((change.mode & kType) == kSubmoduleMode || (change.old_mode & kType) == kSubmoduleMode) {
      cold(path + ": submodule");
      set_up(path + ": submodule");
    }
    // A link can add a whole directory, or hide one.
    if (is_new && (change.mode & kType) == kLinkMode) cold(path + ": symbolic link");
    look_at(path, is_new);
  }

  /// Applies the rules of set-up and outputs to a file. `came_or_went`: the file is new or gone.
  void look_at(const std::string& path, bool came_or_went) {
    const bool test_data = config::is_test_data(path);
    for (const auto* tool : tools_) {
      if (!test_data && names_one_of(tool->manifests, path)) set_up(path + ": manifest or lock file");
      if (names_one_of(tool->configuration, path)) cold(path + ": build or test configuration");
      if (came_or_went && tool->setup_lists_sources && names_one_of(tool->sources, path))
        set_up(path + ": the set-up lists the sources");
    }
    if (names_path(context_.setup, path)) set_up(path + ": named by the set-up");
    for (const auto& command : context_.commands)
      if (names_path(command, path)) cold(path + ": named by a command");
    if (compiles_at_setup_ && names_one_of(kNative, path)) set_up(path + ": compiled by the set-up");
    // Dependency files name the header found at build time, not the one that would be found now.
    if (came_or_went && names_one_of(kHeaders, path) && base_.tracks_name(base_name(path)))
      cold(path + ": a header of this name stands elsewhere");
  }

  /// Why the template's file wins over this path; empty: it does not. Never for tracked paths of the base.
  [[nodiscard]] LeftOutPath covered(const std::string& path) const {
    if (const auto warm = replaced_directory(path); !warm.empty())
      return {path, "would replace the directory above " + warm};
    if (base_.tracks(path)) return {};
    if (covered_by(context_.share, path)) return {path, "shared from your checkout", true};
    if (covered_by(context_.copy, path)) return {path, "copied from your checkout"};
    if (covered_by(context_.outputs, path)) return {path, "a build output"};
    if (context_.ignored && context_.ignored(path)) return {path, "ignored by the base's rules", true};
    return {};
  }

  /// The shared or copied path below this one, which a file or link here would replace.
  [[nodiscard]] std::string replaced_directory(const std::string& path) const {
    for (const auto* list : {&context_.share, &context_.copy})
      for (const auto& entry : *list)
        if (entry.size() > path.size() && entry.starts_with(path) && entry[path.size()] == '/') return entry;
    return {};
  }

  [[nodiscard]] std::string foreign(const std::string& path) const {
    if (base_.tracks(path)) return {};
    for (const auto kind : base_.foreign_kinds())
      if (names_one_of({&kind, 1}, path))
        return std::string(kind) + ": a generated kind that the base does not have";
    return {};
  }

  const RebuildContext& context_;
  const BaseTree& base_;
  RebuildPlan& plan_;
  EcosystemSet tools_;
  bool setup_configures_ = false, compiles_at_setup_ = false;
};

/// Finds kinds of files in a tree. "NAME", "*.SUFFIX" and "DIRECTORY/**" are looked up; other patterns are
/// matched against every path.
class KnownNames {
 public:
  explicit KnownNames(const std::vector<std::string>& paths) : paths_(paths) {
    for (const auto& path : paths_) {
      for (const auto part : split(path, '/')) parts_.insert(part);
      const std::string_view name = base_name(path);
      names_.insert(name);
      for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
        suffixes_.insert(name.substr(dot));
    }
  }

  [[nodiscard]] bool any_of(std::string_view kind) const {
    constexpr std::string_view kBelow = "/**", kSuffix = "*.";
    const auto plain = [](std::string_view text) {
      return text.find_first_of("*?/") == std::string_view::npos;
    };
    if (plain(kind)) return names_.contains(kind);
    if (kind.starts_with(kSuffix) && plain(kind.substr(1))) return suffixes_.contains(kind.substr(1));
    if (kind.ends_with(kBelow) && plain(kind.substr(0, kind.size() - kBelow.size())))
      return parts_.contains(kind.substr(0, kind.size() - kBelow.size()));
    return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& path) {
      return names_one_of({&kind, 1}, path);
    });
  }

 private:
  const std::vector<std::string>& paths_;
  std::unordered_set<std::string_view> parts_, names_, suffixes_;
};

}  // namespace

BaseTree::BaseTree(std::vector<std::string> paths) : paths_(std::move(paths)) {
  std::sort(paths_.begin(), paths_.end());
  for (const auto& path : paths_) names_.emplace(base_name(path));
  ecosystems_ = config::detect_ecosystems(paths_);
  // Kinds of all tools count, also of tools that the base does not use: a diff may add their files.
  foreign_kinds_ = absent_kinds(paths_, config::dropped_kinds());
}

std::vector<std::string_view> absent_kinds(const std::vector<std::string>& paths,
                                           std::span<const std::string_view> kinds) {
  const KnownNames known(paths);
  std::vector<std::string_view> absent;
  for (const auto kind : kinds)
    if (std::find(absent.begin(), absent.end(), kind) == absent.end() && !known.any_of(kind))
      absent.push_back(kind);
  return absent;
}

bool BaseTree::tracks(std::string_view path) const {
  return std::binary_search(paths_.begin(), paths_.end(), path, std::less<>{});
}

bool BaseTree::tracks_below(std::string_view directory) const {
  const auto first = std::string(directory) + "/";
  const auto at = std::lower_bound(paths_.begin(), paths_.end(), first);
  return at != paths_.end() && at->starts_with(first);
}

bool BaseTree::tracks_name(std::string_view name) const { return names_.contains(std::string(name)); }

RebuildPlan plan_rebuild(std::span<const Change> changes, const RebuildContext& context) {
  RebuildPlan plan;
  Planner planner(context, plan);
  for (const auto& change : changes) planner.take(change);
  planner.finish();
  return plan;
}

}  // namespace hydra::trees
