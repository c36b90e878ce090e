#include "adapters/adapters.hpp"
#include "adapters/embedded.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hydra::adapters {

namespace {

/// Returns the descriptors embedded by the build.
std::map<std::string, model::AgentDescriptor> embedded() {
  std::map<std::string, model::AgentDescriptor> map;
  for (std::size_t i = 0; i < kDescriptors_count; ++i) {
    auto descriptor =
        config::parse_descriptor(kDescriptors[i].name, kDescriptors[i].text, config::Forms::known);
    if (!descriptor.ok()) {
      // Built-in descriptors are covered by a test, so an error means a broken build.
      fmt::print(stderr, "hydra: built-in agent: {}\n", describe(descriptor.error()));
      std::abort();
    }
    map.emplace(descriptor->id, *descriptor);
  }
  return map;
}

}  // namespace

const std::map<std::string, model::AgentDescriptor>& builtin() {
  static const auto all = [] {
    auto map = embedded();
    map.erase("custom");
    return map;
  }();
  return all;
}

const model::AgentDescriptor* find_agent(const std::map<std::string, model::AgentDescriptor>& agents,
                                         std::string_view name) {
  for (const auto id : {name, config::canonical_agent(name)})
    if (const auto it = agents.find(std::string(id)); it != agents.end()) return &it->second;
  // `custom` describes an agent of which only the command is known: plain text, judged by the exit code.
  static const auto custom = embedded().at("custom");
  return name == "custom" || name == "text" ? &custom : nullptr;
}

namespace {

/// Returns up to four numbers of a version: "1.2.34-rc1", "codex 0.169".
std::vector<std::int64_t> numbers(std::string_view version) {
  std::vector<std::int64_t> all;
  std::size_t i = version.find_first_of("0123456789");
  while (i < version.size() && all.size() < 4) {
    const auto end = std::min(version.find_first_not_of("0123456789", i), version.size());
    const auto number = parse_int(version.substr(i, end - i));
    if (!number) break;
    all.push_back(*number);
    if (end >= version.size() || version[end] != '.') break;
    i = end + 1;
  }
  return all;
}

}  // namespace

VersionFit version_fit(const model::AgentDescriptor& descriptor, std::string_view version) {
  const auto have = numbers(version);
  if (have.empty()) return VersionFit::unknown;
  if (const auto min = numbers(descriptor.version_min); !min.empty() && have < min)
    return VersionFit::too_old;
  const auto tested = numbers(descriptor.version_tested);
  if (tested.empty()) return VersionFit::unknown;
  // Patch levels count too: one of them changed the base of a reported cost.
  return have > tested ? VersionFit::newer : VersionFit::known;
}

bool version_reaches(std::string_view version, std::string_view from) {
  const auto have = numbers(version), least = numbers(from);
  return !have.empty() && !least.empty() && have >= least;
}

std::string version_note(const model::AgentDescriptor& descriptor, std::string_view version) {
  switch (version_fit(descriptor, version)) {
    case VersionFit::too_old:
      return fmt::format(
          "version {} is older than {}, which its flags need; {}", sanitize(version), descriptor.version_min,
          descriptor.install_hint.empty() ? "update it" : "update it: " + descriptor.install_hint);
    case VersionFit::newer:
      return fmt::format(
          "version {} is newer than {}, the last that was tried; it should work, look at its first run",
          sanitize(version), descriptor.version_tested);
    default:
      return {};
  }
}

std::string home_file(const std::string& home, const std::string& relative,
                      const std::string& xdg_config_home, const std::string& xdg_data_home) {
  for (const auto& [prefix, moved] :
       {std::pair<std::string_view, const std::string&>{".config/", xdg_config_home},
        {".local/share/", xdg_data_home}})
    if (relative.starts_with(prefix) && moved.starts_with('/'))
      return moved + "/" + relative.substr(prefix.size());
  return home + "/" + relative;
}

std::vector<SeedFile> seed_files(const std::vector<std::string>& rows) {
  std::vector<SeedFile> seeds;
  for (std::string_view text : rows) {
    SeedFile seed;
    const auto arrow = text.find(" -> ");
    auto source = text.substr(0, arrow);
    if (source.ends_with('?')) {
      seed.optional = true;
      source.remove_suffix(1);
    }
    seed.source = source;
    if (arrow != std::string_view::npos) {
      seed.target = text.substr(arrow + 4);
    } else {
      seed.target = source.substr(source.rfind('/') + 1);  // npos + 1 is 0: the whole source
    }
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

}  // namespace hydra::adapters
