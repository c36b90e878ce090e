#include "cli/frozen_path.hpp"

#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace hydra::cli {
namespace {

constexpr std::size_t kFileBytes = 64u << 10;

std::optional<std::string> text_of(const fs::path& path) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) return std::nullopt;
  auto text = read_file(path, kFileBytes);
  if (!text) return std::nullopt;
  return std::move(*text);
}

bool is_dir(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(path, ec);
}

/// Whether the name is a version: one path component that cannot leave the directory.
bool is_version(std::string_view name) {
  return !name.empty() && name.size() < 128 && name.front() != '.' && name.front() != '-' &&
         name.find('/') == std::string_view::npos && sanitize(name) == name;
}

/// Returns the words of a version file; '#' begins a comment.
std::vector<std::string> spoken_words(std::string_view text) {
  std::vector<std::string> out;
  for (const auto line : lines(text)) {
    std::string clean(line.substr(0, line.find('#')));
    std::replace(clean.begin(), clean.end(), '\t', ' ');
    for (const auto word : split(clean, ' '))
      if (!trim(word).empty()) out.emplace_back(trim(word));
  }
  return out;
}

std::vector<long> numbers(std::string_view version) {
  std::vector<long> out;
  for (const auto part : split(version, '.')) out.push_back(static_cast<long>(parse_int(part).value_or(-1)));
  return out;
}

/// Returns `wanted`, else its highest installed version ("3.11" -> "3.11.7"); empty: none.
std::string installed(const fs::path& versions, const std::string& wanted) {
  if (is_dir(versions / wanted)) return wanted;
  std::string best;
  std::error_code ec;
  for (const auto& entry : entries_of(versions, ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(wanted + ".") || name.find('-') != std::string::npos) continue;
    if (best.empty() || numbers(best) < numbers(name)) best = name;
  }
  return best;
}

/// Calls `look` for the directory and its parents until it returns a value.
template <class Look>
auto upward(fs::path directory, Look look) -> decltype(look(directory)) {
  for (;;) {
    if (auto found = look(directory)) return found;
    if (!directory.has_relative_path() || directory == directory.parent_path()) return std::nullopt;
    directory = directory.parent_path();
  }
}

class Freezer {
 public:
  Freezer(const EnvLookup& env, fs::path directory) : env_(env), directory_(std::move(directory)) {
    home_ = env("HOME").value_or("");
  }

  FrozenPath run() {
    std::vector<std::string> entries;
    const auto add = [&](const std::string& entry) {
      if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
    };
    const auto path = env_("PATH").value_or("");
    for (const auto entry : split(path, ':')) {
      if (entry.empty()) continue;  // an empty entry is the working directory, whose files an agent writes
      for (const auto& real : real_directories(fs::path(entry))) add(real.string());
      add(std::string(entry));
    }
    return {join(entries, ":"), std::move(notes_)};
  }

 private:
  [[nodiscard]] fs::path root(std::string_view variable, std::string_view below_home) const {
    const auto set = env_(std::string(variable).c_str());
    return set && !set->empty() ? fs::path(*set) : home_ / below_home;
  }
  static bool same(const fs::path& a, const fs::path& b) {
    return a.lexically_normal() / "" == b.lexically_normal() / "";
  }

  std::vector<fs::path> real_directories(const fs::path& entry) {
    if (home_.empty()) return {};
    for (const auto& manager : config::toolchains().managers)
      if (same(entry, root(manager.root_variable, manager.directory) / "shims")) return env_style(manager);
    if (const auto asdf = root("ASDF_DATA_DIR", ".asdf"); same(entry, asdf / "shims"))
      return tool_versions(asdf, false);
    if (const auto mise = root("MISE_DATA_DIR", ".local/share/mise"); same(entry, mise / "shims"))
      return tool_versions(mise, true);
    if (const auto volta = root("VOLTA_HOME", ".volta"); same(entry, volta / "bin")) return volta_node(volta);
    std::error_code ec;
    if (fs::exists(entry / "rustup", ec) && fs::exists(entry / "cargo", ec)) return rust_toolchain();
    return {};
  }

  void missing(std::string_view manager, const std::string& version, const std::string& by) {
    notes_.push_back(std::string(manager) + ": version '" + sanitize(version) + "' is not installed" +
                     (by.empty() ? "" : " (set by " + sanitize(by) + ")"));
  }

  std::vector<fs::path> env_style(const config::VersionManager& manager) {
    const auto base = root(manager.root_variable, manager.directory);
    std::vector<std::string> wanted;
    std::string by;
    if (const auto set = env_(std::string(manager.version_variable).c_str()); set && !set->empty()) {
      for (const auto part : split(*set, ':')) wanted.emplace_back(part);
      by = manager.version_variable;
    } else {
      auto found = upward(directory_, [&](const fs::path& at) -> std::optional<std::string> {
        by = (at / manager.file).string();
        return text_of(at / manager.file);
      });
      if (!found) {
        by = (base / "version").string();
        found = text_of(base / "version");
      }
      if (found) wanted = spoken_words(*found);
    }
    std::vector<fs::path> out;
    for (const auto& version : wanted) {
      if (version == "system") break;  // the program after the shims in PATH
      auto name = is_version(version) ? installed(base / "versions", version) : std::string();
      if (name.empty() && version.starts_with(manager.prefix) && is_version(version))
        name = installed(base / "versions", version.substr(manager.prefix.size()));
      if (name.empty())
        missing(manager.name, version, by);
      else
        out.push_back(base / "versions" / name / "bin");
    }
    return out;
  }

  /// Handles asdf and mise: .tool-versions has one tool per line, mise's file has [tools]. The nearest file
  /// that names a tool decides.
  std::vector<fs::path> tool_versions(const fs::path& base, bool mise) {
    std::vector<std::pair<std::string, std::vector<std::string>>> wanted;
    const auto take = [&](const std::string& tool, std::vector<std::string> versions) {
      const bool known =
          std::any_of(wanted.begin(), wanted.end(), [&](const auto& w) { return w.first == tool; });
      if (!known && is_version(tool)) wanted.emplace_back(tool, std::move(versions));
    };
    const auto read = [&](const fs::path& at) {
      if (mise)
        for (const auto* name : {"mise.toml", ".mise.toml"})
          if (const auto text = text_of(at / name)) read_tools_table(*text, take);
      if (const auto text = text_of(at / ".tool-versions"))
        for (const auto line : lines(*text))
          if (auto list = spoken_words(line); list.size() > 1) take(list[0], {list.begin() + 1, list.end()});
    };
    (void)upward(directory_, [&](const fs::path& at) -> std::optional<int> {
      read(at);
      return std::nullopt;
    });
    read(home_);
    if (mise)
      if (const auto text = text_of(home_ / ".config/mise/config.toml")) read_tools_table(*text, take);
    std::vector<fs::path> out;
    for (const auto& [tool, versions] : wanted) {
      bool found = false;
      for (const auto& version : versions) {
        if (version == "system") found = true;
        if (found) break;
        const auto name = is_version(version) ? installed(base / "installs" / tool, version) : std::string();
        if (name.empty()) continue;
        found = true;
        const auto at = base / "installs" / tool / name;
        out.push_back(is_dir(at / "bin") ? at / "bin" : at);
      }
      if (!found) missing(mise ? "mise" : "asdf", tool + " " + join(versions, " "), {});
    }
    return out;
  }

  /// Reads `node = "20"` and `python = ["3.12", "3.11"]` below [tools]; other forms are ignored.
  template <class Take>
  static void read_tools_table(std::string_view text, const Take& take) {
    bool inside = false;
    for (const auto raw : lines(text)) {
      const auto line = trim(raw.substr(0, raw.find('#')));
      if (line.starts_with('[')) inside = line == "[tools]";
      const auto equals = line.find('=');
      if (!inside || equals == std::string_view::npos) continue;
      std::vector<std::string> versions;
      const auto parts = split(line.substr(equals + 1), '"');
      for (std::size_t i = 1; i < parts.size(); i += 2) versions.emplace_back(parts[i]);
      auto tool = trim(line.substr(0, equals));
      if (tool.size() > 2 && tool.front() == '"') tool = tool.substr(1, tool.size() - 2);
      if (!versions.empty() && line.find('{') == std::string_view::npos) take(std::string(tool), versions);
    }
  }

  static std::optional<std::string> json_text(const std::string& text,
                                              std::initializer_list<const char*> keys) {
    const auto j = nlohmann::json::parse(text, nullptr, false);
    const auto* at = &j;
    for (const auto* key : keys) {
      if (!at->is_object() || !at->contains(key)) return std::nullopt;
      at = &(*at)[key];
    }
    if (!at->is_string()) return std::nullopt;
    return at->get<std::string>();
  }

  std::vector<fs::path> volta_node(const fs::path& base) {
    auto version = upward(directory_, [&](const fs::path& at) -> std::optional<std::string> {
      const auto text = text_of(at / "package.json");
      return text ? json_text(*text, {"volta", "node"}) : std::nullopt;
    });
    if (!version)
      if (const auto text = text_of(base / "tools/user/platform.json"))
        version = json_text(*text, {"node", "runtime"});
    if (!version) return {};
    const auto at = base / "tools/image/node" / *version / "bin";
    if (is_version(*version) && is_dir(at)) return {at};
    missing("volta", "node " + *version, {});
    return {};
  }

  std::vector<fs::path> rust_toolchain() {
    const auto base = root("RUSTUP_HOME", ".rustup");
    std::string by;
    const auto settings = text_of(base / "settings.toml").value_or("");
    std::optional<std::string> wanted;
    if (const auto set = env_("RUSTUP_TOOLCHAIN"); set && !set->empty()) {
      wanted = *set;
      by = "RUSTUP_TOOLCHAIN";
    } else {
      wanted = upward(directory_, [&](const fs::path& at) -> std::optional<std::string> {
        if (auto set_here = setting(settings, "\"" + at.string() + "\"")) return set_here;
        for (const auto* name : {"rust-toolchain", "rust-toolchain.toml"}) {
          const auto text = text_of(at / name);
          if (!text) continue;
          by = (at / name).string();
          if (auto channel = setting(*text, "channel")) return channel;
          if (text->find('[') == std::string::npos) return std::string(trim(*text));
        }
        return std::nullopt;
      });
      if (!wanted) wanted = setting(settings, "default_toolchain");
    }
    if (!wanted) return {};
    if (is_version(*wanted)) {
      if (is_dir(base / "toolchains" / *wanted / "bin")) return {base / "toolchains" / *wanted / "bin"};
      // "stable" means "stable-x86_64-unknown-linux-gnu".
      std::error_code ec;
      std::vector<fs::path> found;
      for (const auto& entry : entries_of(base / "toolchains", ec))
        if (entry.path().filename().string().starts_with(*wanted + "-") && is_dir(entry.path() / "bin"))
          found.push_back(entry.path() / "bin");
      std::sort(found.begin(), found.end());
      if (!found.empty()) return {found.front()};
    }
    missing("rustup", *wanted, by);
    return {};
  }

  /// Reads a line `KEY = "value"`.
  static std::optional<std::string> setting(std::string_view toml, std::string_view key) {
    for (const auto raw : lines(toml)) {
      const auto line = trim(raw);
      if (!line.starts_with(key)) continue;
      const auto rest = trim(line.substr(key.size()));
      if (!rest.starts_with('=')) continue;
      const auto parts = split(rest, '"');
      if (parts.size() >= 3) return std::string(parts[1]);
    }
    return std::nullopt;
  }

  const EnvLookup& env_;
  fs::path directory_, home_;
  std::vector<std::string> notes_;
};

}  // namespace

FrozenPath freeze_path(const EnvLookup& env, const fs::path& directory) {
  return Freezer(env, directory).run();
}

}  // namespace hydra::cli
