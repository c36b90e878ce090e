// Manifests that take a package from another place than the registry.
#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>

namespace hydra::integrity {
namespace {

/// "devDependencies/jest" -> "^29"
struct Leaves {
  std::map<std::string, std::string> values;
  std::size_t bytes = 0;
  bool whole = true;  ///< nothing was left out for its size

  void add(const std::string& path, std::string value) {
    constexpr std::size_t kMost = 50'000, kMostBytes = 32U << 20U;
    bytes += path.size() + value.size();
    whole = whole && values.size() < kMost && bytes < kMostBytes;
    if (whole) values[path] = std::move(value);
  }
};

constexpr int kTamperSourcesMostDepth = 64;

/// Of the file system, a repository or an address, or another package's name: not of a registry.
bool is_elsewhere(Text value) {
  for (const Text prefix : {"file:", "link:", "portal:", "patch:", "git",
                            "http:", "https:", "npm:", "ssh:", "./", "../", "/", "~/", "exec:", "bitbucket:"})
    if (value.starts_with(prefix)) return true;
  // "user/repository" of a code host; a version has no slash.
  return value.find('/') != Text::npos && !value.starts_with("workspace:");
}

void flatten(const nlohmann::json& value, const std::string& path, Leaves& out) {
  if (!out.whole) return;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      if (out.whole) flatten(inner, path + "\n" + key, out);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size() && out.whole; ++i)
      flatten(value[i], path + "\n" + std::to_string(i), out);
  } else if (value.is_string()) {
    out.add(path, value.get<std::string>());
  }
}

Leaves json_leaves(Text text) {
  Leaves out;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto limit = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth <= kTamperSourcesMostDepth;
  };
  const auto json = nlohmann::json::parse(text, limit, false, true);
  if (!json.is_discarded()) flatten(json, {}, out);
  return out;
}

void flatten(const toml::node& node, const std::string& path, Leaves& out) {
  if (!out.whole) return;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, inner] : *table)
      if (out.whole) flatten(inner, path + "\n" + std::string(key.str()), out);
  } else if (const auto* array = node.as_array()) {
    std::size_t i = 0;
    for (const auto& inner : *array)
      if (out.whole) flatten(inner, path + "\n" + std::to_string(i++), out);
  } else if (const auto* text = node.as_string()) {
    out.add(path, text->get());
  } else if (const auto* flag = node.as_boolean()) {
    out.add(path, flag->get() ? "true" : "false");
  }
}

Leaves toml_leaves(Text text) {
  Leaves out;
  // toml++ is built with exceptions: a library edge.
  try {
    flatten(toml::parse(text), {}, out);
  } catch (const toml::parse_error&) {
    out = {};
  }
  return out;
}

constexpr Text kPackage = "takes a package from another place";
constexpr Text kIndex = "takes packages from another index";

/// What a manifest names that does not come from the registry that everybody's copy comes from.
class SourceFinder {
 public:
  SourceFinder(const TextDiff& diff, Signals& signals)
      : diff_(diff), signals_(signals), own_(base_name(diff.file->change.path)) {}

  void look() {
    if (!diff_.file->candidate) return;
    const Text text = *diff_.file->candidate;
    const Text base = diff_.file->base ? Text(*diff_.file->base) : Text();
    if (own_ == "package.json") return changed(json_leaves(base), json_leaves(text), &SourceFinder::node);
    if (own_ == "pyproject.toml") return changed(toml_leaves(base), toml_leaves(text), &SourceFinder::python);
    if (own_ == "Cargo.toml") return changed(toml_leaves(base), toml_leaves(text), &SourceFinder::cargo);
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (line.comment) continue;
      if (own_.ends_with(".txt") && diff_.language == Language::configuration) requirement(line);
      if (own_ == "go.mod" || own_ == "go.work") go_module(line);
    }
  }

 private:
  using Look = void (SourceFinder::*)(const std::vector<std::string>&, const std::string&);

  void changed(const Leaves& base, const Leaves& candidate, Look each) {
    if (!candidate.whole)
      signals_.add(SignalKind::not_inspected, Severity::warning, diff_.file->change.path, 0, {},
                   "a manifest with more entries than are looked at");
    for (const auto& [path, value] : candidate.values) {
      const auto found = base.values.find(path);
      if (found != base.values.end() && found->second == value) continue;
      std::vector<std::string> parts;
      for (const auto part : split(Text(path).substr(std::min<std::size_t>(1, path.size())), '\n'))
        parts.emplace_back(part);
      (this->*each)(parts, value);
    }
  }

  void add(Text excerpt, Text reason, std::int64_t line = 0) {
    signals_.add(SignalKind::runner_source, Severity::warning, diff_.file->change.path, line, excerpt,
                 std::string(reason));
  }
  void entry(Text name, Text value, Text reason) {
    add(std::string(name) + " = " + std::string(value.substr(0, 2 * kMostExcerpt)), reason);
  }

  void node(const std::vector<std::string>& path, const std::string& value) {
    if (path.size() < 2) return;
    const bool overrides =
        path[0] == "overrides" || path[0] == "resolutions" || (path[0] == "pnpm" && path[1] == "overrides");
    if ((overrides || path[0].ends_with("ependencies")) && is_elsewhere(value))
      entry(path.back(), value, kPackage);
  }

  void python(const std::vector<std::string>& path, const std::string& value) {
    const auto within = [&](Text part) {
      return std::any_of(path.begin(), path.end(), [&](const std::string& each) { return has(each, part); });
    };
    if (has(value, " @ ")) return add(value, kPackage);
    const auto& key = path.back();
    if ((key == "path" || key == "git" || key == "url" || key == "file") &&
        (within("sources") || within("dependencies")))
      return entry(path.size() > 1 ? path[path.size() - 2] : key, value, kPackage);
    if (key == "url" && (within("index") || within("source"))) add(value, kIndex);
  }

  // A path to another crate of the same repository is everybody's; what replaces a dependency's own is not.
  void cargo(const std::vector<std::string>& path, const std::string& value) {
    if (path.size() < 3) return;
    const auto& key = path.back();
    const bool replaces = path[0] == "patch" || path[0] == "replace";
    if (key == "git" || (replaces && (key == "path" || key == "package")))
      entry(path[path.size() - 2], value, kPackage);
  }

  void requirement(const TextLine& line) {
    auto text = line.text;
    for (const Text option : {"--index-url", "--extra-index-url", "--find-links", "-i ", "-f ", "--pre "})
      if (text.starts_with(option)) return add(text, kIndex, line.number);
    for (const Text option : {"-e ", "--editable ", "--editable="})
      if (text.starts_with(option)) text = trim(text.substr(option.size()));
    if (has(text, " @ ") || (text != "./" && is_elsewhere(text) && !text.starts_with("npm:")))
      add(line.text, kPackage, line.number);
  }

  void go_module(const TextLine& line) {
    if (has(line.text, "=>")) add(line.text, kPackage, line.number);
  }

  const TextDiff& diff_;
  Signals& signals_;
  Text own_;
};

/// Hosts of the addresses in a text: "registry.npmjs.org" of "https://registry.npmjs.org/a".
std::set<Text> hosts_of(Text text) {
  std::set<Text> hosts;
  for (auto at = text.find("://"); at != Text::npos; at = text.find("://", at)) {
    at += 3;
    hosts.insert(text.substr(at, text.find_first_of("/\"' \n\r)", at) - at));
  }
  return hosts;
}

}  // namespace

void find_other_hosts(const ChangedFile& file, Signals& signals) {
  if (!file.base || !file.candidate) return;
  const auto base = hosts_of(*file.base);
  if (base.empty()) return;  // what it does not say, nobody can change
  for (const auto host : hosts_of(*file.candidate))
    if (!base.contains(host))
      signals.add(SignalKind::runner_source, Severity::warning, file.change.path, 0, host,
                  "takes a package from a host that no other one comes from");
}

void find_other_sources(const TextDiff& diff, Signals& signals) { SourceFinder(diff, signals).look(); }

}  // namespace hydra::integrity
