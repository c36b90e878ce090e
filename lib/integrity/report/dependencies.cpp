// Packages that a manifest names and the base does not, and those from outside of the registry. Manifests are
// read by line: advice is no proof, and its reader gets the line.
#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::integrity {
namespace {

bool is_go(Text own) { return own == "go.mod" || own == "go.work"; }

/// Lines of a manifest, from 1, in a table of packages (go.mod and requirements: all); true: the table
/// replaces where packages come from.
std::map<std::int64_t, bool> package_lines(const ChangedFile& file) {
  constexpr Text kReplaced[] = {"[patch", "[replace"};
  constexpr Text kHeaders[] = {"ependenc", "uv.sources", ".source]", ".index]", "[patch", "[replace"};
  constexpr Text kKeys[] = {"ependencies\"", "\"overrides\"", "\"resolutions\"",
                            "ependencies =", "ependencies="};
  const auto own = base_name(file.change.path);
  const bool all = is_go(own) || is_requirements(file.change.path);
  std::map<std::int64_t, bool> out;
  if (!all && own != "package.json" && own != "pyproject.toml" && own != "Cargo.toml") return out;
  std::int64_t number = 0, depth = 0;
  bool below_header = false, replaced = false;
  for (const auto whole : lines(Text(*file.candidate).substr(0, kMostFileBytes))) {
    ++number;
    const auto line = trim(whole);
    if (line.starts_with('[')) {
      below_header = has_any(line, kHeaders);
      replaced = has_any(line, kReplaced);
      depth = 0;
    } else if (all || below_header || depth > 0 || has_any(line, kKeys)) {
      out[number] = replaced;
      for (const char c : line) depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      depth = std::max<std::int64_t>(depth, 0);
    }
  }
  return out;
}

/// Returns whether the value names a file system path, a repository, an address or another package instead of
/// a version from a registry.
bool is_elsewhere(Text value) {
  for (const Text prefix : {"file:", "link:", "portal:", "patch:", "git",
                            "http:", "https:", "npm:", "ssh:", "exec:", "bitbucket:"})
    if (value.starts_with(prefix)) return true;
  // "user/repository" of a code host, or a path; a version has no slash.
  return has(value, " @ ") || (has(value, "/") && !value.starts_with("workspace:"));
}

bool requires_elsewhere(Text line) {
  for (const Text option : {"--index-url", "--extra-index-url", "--find-links", "-i ", "-f ", "--pre "})
    if (line.starts_with(option)) return true;
  for (const Text option : {"-e ", "--editable ", "--editable="})
    if (line.starts_with(option)) line = trim(line.substr(option.size()));
  return line != "./" && is_elsewhere(line);
}

/// Returns whether a value of the line, in quotes and no key before a colon, is_elsewhere().
bool names_elsewhere(Text line) {
  const auto parts = split(line, '"');
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2)
    if (!trim(parts[i + 1]).starts_with(':') && is_elsewhere(parts[i])) return true;
  constexpr Text kPlaces[] = {" @ ", "path =", "path=", "file =", "file=", "git =", "url ="};
  return has_any(line, kPlaces);
}

bool takes_from_elsewhere(Text path, Text line) {
  const auto own = base_name(path);
  constexpr Text kRepository[] = {"git =", "git="};
  if (is_go(own)) return has(line, "=>");
  // A path to a crate of the repository is common.
  if (own == "Cargo.toml") return has_any(line, kRepository);
  return is_requirements(path) ? requires_elsewhere(line) : names_elsewhere(line);
}

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
      findings.add("new_dependency", Severity::warning, file.change.path, 0, host,
                   "takes a package from a host that no other one comes from");
}

void find_dependencies(const TextDiff& diff, Findings& findings) {
  if (!diff.file->candidate) return;
  const auto& path = diff.file->change.path;
  const auto known = package_lines(*diff.file);
  for (const auto& line : diff.added) {
    const auto found = known.find(line.number);
    if (found == known.end() || line.text.starts_with('#') || line.text.starts_with("//")) continue;
    const bool elsewhere = found->second || takes_from_elsewhere(path, line.text);
    // Brackets and options name no package.
    if (line.text.ends_with('{') || line.text.ends_with('[') ||
        (!elsewhere && line.text.find_first_of("0123456789\"") == Text::npos))
      continue;
    findings.add("new_dependency", elsewhere ? Severity::warning : Severity::info, path, line.number,
                 line.text,
                 elsewhere ? "takes a package from another place than the registry"
                           : "a package or version that the base does not have");
  }
}

}  // namespace hydra::integrity
