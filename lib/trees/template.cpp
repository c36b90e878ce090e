// The set of templates: keys, metadata, and the size limit.
#include "trees/template.hpp"

#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "trees/workspace.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sys/stat.h>

namespace hydra::trees {
namespace {

constexpr const char* kMeta = "template.json";
constexpr const char* kOwner = "owner";
constexpr std::string_view kUnfinished = ".new";

}  // namespace

bool keeps_outputs(const model::Config& config) {
  return !config.workspace.outputs.empty() && (config.scoring.build_command || config.workspace.warm);
}

bool warms_up(const model::Config& config) { return keeps_outputs(config) || config.workspace.warm; }

TemplateKey template_key(const model::RaceSpec& spec, const Inputs& inputs) {
  const auto& config = spec.config;
  std::string text = inputs.place;
  text += join(config.workspace.copy, "\n") + "\n\n" + join(config.workspace.share, "\n") + "\n\n";
  text += join(config.workspace.outputs, "\n") + "\n\n";
  if (warms_up(config))
    for (const auto& command : {config.scoring.build_command, config.workspace.warm})
      text += command ? "+" + *command + "\n" : "-\n";
  const auto whole = text + inputs.base;
  return {whole, fingerprint(whole), fingerprint(text)};
}

std::optional<TemplateMeta> Templates::read_meta(const std::string& digest) const {
  const auto text = read_file(directory_ / digest / kMeta, 16u << 20);
  if (!text.ok()) return std::nullopt;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  TemplateMeta meta;
  try {
    meta.key = json.at("key").get<std::string>();
    meta.project = json.at("project").get<std::string>();
    meta.base = json.at("base").get<std::string>();
    meta.warm = json.at("warm").get<bool>();
    meta.finished_ns = json.at("finished_ns").get<std::int64_t>();
    meta.copies_only = json.at("copies_only").get<bool>();
    meta.bytes = json.at("bytes").get<std::uint64_t>();
    meta.used_ms = json.at("used_ms").get<std::int64_t>();
    meta.notes = json.at("notes").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return meta;
}

Result<void> Templates::write_meta(const fs::path& root, const TemplateMeta& meta) const {
  const nlohmann::json json{
      {"key", meta.key},     {"project", meta.project},         {"base", meta.base},
      {"warm", meta.warm},   {"finished_ns", meta.finished_ns}, {"copies_only", meta.copies_only},
      {"bytes", meta.bytes}, {"used_ms", meta.used_ms},         {"notes", meta.notes}};
  return write_file_atomic(root / kMeta, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                           false, 0600);
}

std::optional<TemplateMeta> Templates::find(const TemplateKey& key, std::int64_t now_ms) const {
  auto meta = read_meta(key.digest);
  if (!meta || meta->key != key.text) return std::nullopt;
  meta->used_ms = now_ms;
  (void)write_meta(at(key.digest).root, *meta);  // a failure only affects the order of eviction
  return meta;
}

void Templates::abandon(const TemplateKey& key) const { move_to_trash(unfinished(key.digest).root, trash_); }

void Templates::remember_copies_only(const std::string& digest) const {
  auto meta = read_meta(digest);
  if (!meta) return;
  meta->copies_only = true;
  (void)write_meta(at(digest).root, *meta);
}

std::vector<TemplateInfo> Templates::list() const {
  std::vector<TemplateInfo> found;
  std::error_code ec;
  for (const auto& entry : entries_of(directory_, ec)) {
    const auto name = entry.path().filename().string();
    auto meta = read_meta(name);
    if (!meta) continue;
    found.push_back({name, std::move(*meta)});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.meta.used_ms > b.meta.used_ms; });
  return found;
}

std::vector<std::string> Templates::evict(std::uint64_t cap_bytes,
                                          const std::set<std::string>& in_use) const {
  std::vector<std::string> gone;
  auto templates = list();
  std::uint64_t total = 0;
  for (const auto& t : templates) total += t.meta.bytes;
  while (total > cap_bytes && !templates.empty()) {
    const auto oldest = std::move(templates.back());
    templates.pop_back();
    if (in_use.contains(oldest.digest)) continue;
    move_to_trash(at(oldest.digest).root, trash_);
    total -= oldest.meta.bytes;
    gone.push_back(oldest.digest);
  }
  return gone;
}

void Templates::drop_unfinished(const std::set<std::string>& open_races) const {
  std::error_code ec;
  std::vector<fs::path> left;
  for (const auto& entry : entries_of(directory_, ec)) {
    if (!entry.path().filename().string().ends_with(kUnfinished)) continue;
    const auto owner = read_file(entry.path() / kOwner, 4096);
    if (!owner.ok() || !open_races.contains(*owner)) left.push_back(entry.path());
  }
  for (const auto& path : left) move_to_trash(path, trash_);
}

}  // namespace hydra::trees
