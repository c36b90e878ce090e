// Manifests that take a package from outside the registry.
#include "base/strings.hpp"
#include "base/toml.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace hydra::integrity {
namespace {

using nlohmann::json;

/// Returns whether the value names a file system path, a repository, an address or another package instead of
/// a version from a registry.
bool is_elsewhere(Text value) {
  for (const Text prefix : {"file:", "link:", "portal:", "patch:", "git",
                            "http:", "https:", "npm:", "ssh:", "./", "../", "/", "~/", "exec:", "bitbucket:"})
    if (value.starts_with(prefix)) return true;
  // "user/repository" of a code host; a version has no slash.
  return value.find('/') != Text::npos && !value.starts_with("workspace:");
}

/// Discarded: the text can't be read.
json read_manifest(Text text, bool is_toml) {
  std::string converted;
  if (is_toml) {
    // toml++ is built with exceptions, so they are caught at the library's edge.
    try {
      std::ostringstream out;
      // Not indented: indentation of a deep text would grow quadratically.
      out << toml::json_formatter{parse_toml(text), toml::format_flags::quote_dates_and_times |
                                                        toml::format_flags::quote_infinities_and_nans};
      converted = out.str();
      text = converted;
    } catch (const toml::parse_error&) {
      return json(json::value_t::discarded);
    }
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  constexpr int kMostLevels = 64;  // deeper manifests are discarded
  const auto limit = [](int depth, json::parse_event_t, json&) { return depth <= kMostLevels; };
  return json::parse(text, limit, false, true);
}

constexpr Text kPackage = "takes a package from another place";
constexpr Text kIndex = "takes packages from another index";

/// Finds packages in a manifest that do not come from the public registry.
class SourceFinder {
 public:
  SourceFinder(const TextDiff& diff, Findings& findings)
      : diff_(diff), findings_(findings), own_(base_name(diff.file->change.path)) {}

  void look() {
    if (!diff_.file->candidate) return;
    if (own_ == "package.json") return compare(&SourceFinder::node);
    if (own_ == "pyproject.toml") return compare(&SourceFinder::python);
    if (own_ == "Cargo.toml") return compare(&SourceFinder::cargo);
    const bool requirements = is_requirements(diff_.file->change.path);
    for (const auto& line : diff_.added) {
      if (requirements && !line.text.starts_with('#')) requirement(line);
      if ((own_ == "go.mod" || own_ == "go.work") && !line.text.starts_with("//") && has(line.text, "=>"))
        add(line.text, kPackage, line.number);
    }
  }

 private:
  using Path = std::vector<Text>;  // "devDependencies", "jest"
  using Look = void (SourceFinder::*)(const Path&, const std::string&);

  void compare(Look look) {
    const bool is_toml = own_.ends_with(".toml");
    const auto base = read_manifest(diff_.file->base ? Text(*diff_.file->base) : Text(), is_toml);
    const auto candidate = read_manifest(*diff_.file->candidate, is_toml);
    Path path;
    compare(&base, candidate, path, look);
  }

  /// Visits texts of the candidate that the base does not have at that place.
  void compare(const json* base, const json& candidate, Path& path, Look look) {
    if (base != nullptr && *base == candidate) return;
    const auto inside = [&](Text key, const json* its_base, const json& value) {
      path.push_back(key);
      compare(its_base, value, path, look);
      path.pop_back();
    };
    if (candidate.is_object()) {
      for (const auto& [key, value] : candidate.items()) {
        const bool known = base != nullptr && base->is_object() && base->contains(key);
        inside(key, known ? &(*base)[key] : nullptr, value);
      }
    } else if (candidate.is_array()) {
      for (std::size_t i = 0; i < candidate.size(); ++i) {
        const bool known = base != nullptr && base->is_array() && i < base->size();
        inside({}, known ? &(*base)[i] : nullptr, candidate[i]);
      }
    } else if (candidate.is_string()) {
      (this->*look)(path, candidate.get_ref<const std::string&>());
    }
  }

  void add(Text excerpt, Text reason, std::int64_t line = 0) {
    findings_.add("runner_source", Severity::warning, diff_.file->change.path, line, excerpt,
                  std::string(reason));
  }
  void entry(Text name, Text value, Text reason) {
    add(std::string(name) + " = " + std::string(value.substr(0, 2 * kMostExcerpt)), reason);
  }

  void node(const Path& path, const std::string& value) {
    if (path.size() < 2) return;
    const bool overrides =
        path[0] == "overrides" || path[0] == "resolutions" || (path[0] == "pnpm" && path[1] == "overrides");
    if ((overrides || path[0].ends_with("ependencies")) && is_elsewhere(value))
      entry(path.back(), value, kPackage);
  }

  void python(const Path& path, const std::string& value) {
    const auto within = [&](Text part) {
      return std::any_of(path.begin(), path.end(), [&](Text each) { return has(each, part); });
    };
    if (has(value, " @ ")) return add(value, kPackage);
    const auto key = path.back();
    if ((key == "path" || key == "git" || key == "url" || key == "file") &&
        (within("sources") || within("dependencies")))
      return entry(path.size() > 1 ? path[path.size() - 2] : key, value, kPackage);
    if (key == "url" && (within("index") || within("source"))) add(value, kIndex);
  }

  // A path dependency on a crate of the repository is common; a path that replaces a dependency's source is
  // not.
  void cargo(const Path& path, const std::string& value) {
    if (path.size() < 3) return;
    const auto key = path.back();
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

  const TextDiff& diff_;
  Findings& findings_;
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

bool is_requirements(Text path) {
  const auto own = base_name(path);
  return own.ends_with(".txt") &&
         (has(own, "requirements") || own.starts_with("constraints") || has(path, "requirements/"));
}

void find_other_hosts(const ChangedFile& file, Findings& findings) {
  if (!file.base || !file.candidate) return;
  const auto base = hosts_of(*file.base);
  if (base.empty()) return;  // the base names no host to compare with
  for (const auto host : hosts_of(*file.candidate))
    if (!base.contains(host))
      findings.add("runner_source", Severity::warning, file.change.path, 0, host,
                   "takes a package from a host that no other one comes from");
}

void find_other_sources(const TextDiff& diff, Findings& findings) { SourceFinder(diff, findings).look(); }

}  // namespace hydra::integrity
