#include "base/strings.hpp"
#include "config/config.hpp"
#include "config/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace hydra::config {
namespace {

/// Reads the [agents.NAME] tables of one file, each after the one that it is `like`. A table extends the
/// agent of its name in lower layers.
class AgentTables {
 public:
  AgentTables(const Source& source, const toml::table& tables, model::Config& config)
      : source_(source), tables_(tables), config_(config) {}

  void read() {
    for (const auto& [key, value] : tables_) read(key, value);
  }

 private:
  void read(const toml::key& key, const toml::node& value) {
    const std::string written(key.str());
    if (!begun_.insert(written).second) return;
    open_.push_back(written);
    if (const auto* table = value.as_table())
      read(written, key, *table);
    else
      source_.complain(value.source(), fmt::format("'agents.{}' must be a table", written),
                       "write [agents.NAME] and its keys below it");
    open_.pop_back();
  }

  void read(std::string name, const toml::key& key, const toml::table& table) {
    if (!valid_agent_id(name)) {
      source_.complain(key.source(), fmt::format("'{}' is no name for an agent", name),
                       "use 1 to 32 of a-z, 0-9 and -, with no - at the ends");
      return;
    }
    const auto& agents = config_.agents;
    const auto like = table["like"].value_or(std::string());
    // An alias extends its agent; with a command it defines a new agent.
    if (!agents.contains(name) && like.empty() && !table.contains("command") &&
        agents.contains(std::string(canonical_agent(name))))
      name = canonical_agent(name);
    model::AgentDescriptor descriptor;
    if (!like.empty()) {
      descriptor = variant_of(like, *table.get("like"));
    } else if (const auto own = agents.find(name); own != agents.end()) {
      descriptor = own->second;
    } else if (!table.contains("command")) {
      source_.complain(key.source(), fmt::format("agent '{}' is not built in and has no 'command'", name),
                       near_to(name, "add command = [\"program\", \"{prompt}\"]"));
    }
    const auto kind = descriptor.like;
    descriptor.id = name;
    if (descriptor.display.empty()) descriptor.display = name;
    Places places;
    read_table<model::AgentDescriptor>(source_, table, "", agent_keys(), descriptor, places);
    descriptor.like = kind;
    config_.agents[name] = std::move(descriptor);
  }

  model::AgentDescriptor variant_of(const std::string& name, const toml::node& node) {
    constexpr std::size_t kMostOpen = 16;
    if (std::find(open_.begin(), open_.end(), name) != open_.end() || open_.size() > kMostOpen) {
      source_.complain(node.source(), fmt::format("'{}' is like itself, or by a long way", open_.back()),
                       "name an agent that is like no other");
      return {};
    }
    for (const auto& [key, value] : tables_)
      if (key.str() == name) read(key, value);
    const auto* base = find(name);
    if (base == nullptr) {
      source_.complain(node.source(), fmt::format("unknown agent '{}'", name),
                       near_to(name, "`hydra agents` shows them all"));
      return {};
    }
    auto variant = *base;
    variant.like = base->kind();
    variant.display.clear();
    return variant;
  }

  [[nodiscard]] const model::AgentDescriptor* find(const std::string& name) const {
    for (const auto id : {std::string_view(name), canonical_agent(name)})
      if (const auto found = config_.agents.find(std::string(id)); found != config_.agents.end())
        return &found->second;
    return nullptr;
  }

  [[nodiscard]] std::string near_to(const std::string& name, std::string otherwise) const {
    const auto near = nearest(name, known_agents(config_));
    return near ? fmt::format("did you mean '{}'?", *near) : std::move(otherwise);
  }

  const Source& source_;
  const toml::table& tables_;
  model::Config& config_;
  std::set<std::string> begun_;
  std::vector<std::string> open_;  ///< tables being read, each like the next
};

void read_agents(const Source& source, const toml::node& node, model::Config& config) {
  if (const auto* tables = node.as_table())
    AgentTables(source, *tables, config).read();
  else
    source.complain(node.source(), "'agents' is a table",
                    "write [agents.NAME]; which agents race is [race] agents");
}

void read_prices(const Source& source, const toml::node& node, model::Config& config) {
  const auto* table = node.as_table();
  if (table == nullptr) {
    source.complain(node.source(), "'prices' is a table",
                    "write [prices.\"MODEL\"] and input, output below it");
    return;
  }
  for (const auto& [key, value] : *table) {
    const auto* price = value.as_table();
    if (price == nullptr) {
      source.complain(value.source(), fmt::format("'prices.{}' must be a table", key.str()),
                      "write { input = 3.0, output = 15.0 }, in US dollars per million tokens");
      continue;
    }
    model::Price read;
    Places places;
    read_table<model::Price>(source, *price, "", price_keys(), read, places);
    if (!places.contains("input") || !places.contains("output"))
      source.complain(key.source(), fmt::format("'prices.{}' needs 'input' and 'output'", key.str()),
                      "in US dollars per million tokens");
    config.prices[std::string(key.str())] = read;
  }
}

/// Reads [[judges]]; the list of a later file replaces earlier ones.
void read_judges(const Source& source, const toml::node& node, model::Config& config) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    source.complain(node.source(), "'judges' is an array of tables",
                    "write [[judges]] and its keys below it");
    return;
  }
  config.judges.clear();
  std::set<std::string> names;
  for (const auto& item : *array) {
    const auto* table = item.as_table();
    if (table == nullptr) {
      source.complain(item.source(), "a judge must be a table", "write [[judges]] and its keys below it");
      continue;
    }
    model::JudgeConfig judge;
    Places places;
    read_table<model::JudgeConfig>(source, *table, "", judge_keys(), judge, places);
    if (!places.contains("name"))
      source.complain(item.source(), "a judge needs a 'name'", "name = \"reviewer\"");
    else if (!names.insert(judge.name).second)
      source.complain(item.source(), fmt::format("two judges are named '{}'", judge.name));
    if (judge.command.has_value() == !judge.agent.empty())
      source.complain(item.source(), "a judge is either a 'command' or an 'agent'",
                      "command = \"./judge.sh\" or agent = \"claude\"");
    config.judges.push_back(std::move(judge));
  }
}

/// Checks that each judging agent names exactly one known agent.
void check_judges(const model::Config& config, std::vector<Error>& errors) {
  for (const auto& judge : config.judges) {
    if (judge.agent.empty()) continue;
    const auto entries = parse_agents(judge.agent, known_agents(config));
    if (entries.ok() && entries->size() == 1) continue;
    auto error = entries.ok() ? Error{Errc::config, "a judge is one agent", {}, "agent = \"claude\""}
                              : entries.error();
    error.code = Errc::config;
    error.where = "judges." + judge.name + ".agent";
    errors.push_back(std::move(error));
  }
}

void check_weights(const model::Config& config, const Places& places, std::vector<Error>& errors) {
  const auto& w = config.scoring.weights;
  if (w.build > 0 || w.tests > 0 || w.lint > 0 || w.diff_size > 0 || w.speed > 0 || w.judges > 0) return;
  const auto at = places.find("scoring.weights");
  errors.push_back({Errc::config, "all weights are 0: nothing would be scored",
                    at == places.end() ? std::string() : at->second,
                    "give at least one dimension a weight above 0"});
}

void check_agents(const std::vector<std::string>& list, const char* key, const model::Config& config,
                  const Places& places, std::vector<Error>& errors) {
  if (list.empty()) return;
  const auto entries = parse_agents(join(list, ","), known_agents(config));
  if (entries.ok()) return;
  Error error = entries.error();
  error.code = Errc::config;
  if (const auto at = places.find(key); at != places.end()) error.where = at->second;
  errors.push_back(std::move(error));
}

// Refuses keys of a foreign repository that act without a sandbox: it may say how to build, but not whom to
// notify, nor on which machines and account to run.
void refuse_shared(const Source& source, const toml::table& table) {
  constexpr std::pair<const char*, const char*> kOwn[] = {{"notify", "command"},
                                                          {"notify", "webhook"},
                                                          {"execution", "placement"},
                                                          {"execution", "sbatch"},
                                                          {"execution", "scratch"}};
  for (const auto& [section, key] : kOwn)
    if (const auto* node = table[section][key].node())
      source.complain(node->source(), fmt::format("'{}.{}' is read from your own file only", section, key),
                      "put it into ~/.config/hydra/config.toml");
}

// Moves entries with "!" in front to the paths that are not protected.
void part_exceptions(model::EvaluationConfig& evaluation) {
  auto& all = evaluation.protected_paths;
  const auto first =
      std::stable_partition(all.begin(), all.end(), [](const auto& path) { return !path.starts_with('!'); });
  for (auto path = first; path != all.end(); ++path) evaluation.unprotected_paths.push_back(path->substr(1));
  all.erase(first, all.end());
}

}  // namespace

Loaded load(const std::vector<Layer>& layers, const std::map<std::string, model::AgentDescriptor>& builtin) {
  Loaded loaded;
  loaded.config.agents = builtin;
  Places places;
  for (const auto& layer : layers) {
    const Source source{layer.name, &loaded.errors};
    const auto table = parse(source, layer.text);
    if (!table) continue;
    if (layer.shared) refuse_shared(source, *table);
    read_table<model::Config>(source, *table, "", config_keys(), loaded.config, places,
                              {"agents", "prices", "judges"});
    if (const auto* agents = table->get("agents")) read_agents(source, *agents, loaded.config);
    if (const auto* judges = table->get("judges")) read_judges(source, *judges, loaded.config);
    if (const auto* prices = table->get("prices")) read_prices(source, *prices, loaded.config);
  }
  part_exceptions(loaded.config.evaluation);
  check_weights(loaded.config, places, loaded.errors);
  check_agents(loaded.config.default_agents, "race.agents", loaded.config, places, loaded.errors);
  check_agents(loaded.config.selection.testers, "selection.testers", loaded.config, places, loaded.errors);
  check_judges(loaded.config, loaded.errors);
  return loaded;
}

void stands_in(model::Config& config, const std::string& directory) {
  if (directory.empty()) return;
  auto& workspace = config.workspace;
  workspace.directory = directory;
  for (auto* list : {&workspace.copy, &workspace.share, &workspace.outputs})
    for (auto& path : *list) path = directory + "/" + path;
  for (auto& path : workspace.read)
    if (!path.starts_with('/') && !path.starts_with('~')) path = directory + "/" + path;
  // A pattern without a slash matches a name anywhere.
  for (auto* list : {&config.evaluation.protected_paths, &config.evaluation.unprotected_paths})
    for (auto& pattern : *list)
      if (pattern.find('/') != std::string::npos && !pattern.starts_with("**/"))
        pattern = directory + "/" + pattern;
}

Result<model::AgentDescriptor> parse_descriptor(std::string_view file_name, std::string_view toml,
                                                Forms forms) {
  std::vector<Error> errors;
  const Source source{std::string(file_name), &errors, forms};
  const auto table = parse(source, toml);
  if (!table) return errors.front();
  if ((*table)["schema"].value_or<std::int64_t>(0) != 1)
    return Error{Errc::config, "expected schema = 1", source.name, {}};
  const auto* agents = (*table)["agent"].as_table();
  if (agents == nullptr || agents->size() != 1 || table->size() != 2)
    return Error{Errc::config, "expected schema = 1 and one [agent.ID] table", source.name, {}};
  // toml++ returns a reference into the iterator, which must outlive the names below.
  const auto only = agents->begin();
  const auto& [key, node] = *only;
  model::AgentDescriptor descriptor;
  descriptor.id = key.str();
  if (!valid_agent_id(descriptor.id) || !node.is_table())
    return Error{
        Errc::config, "expected [agent.ID] with an id of a-z, 0-9 and -", source.where(key.source()), {}};
  Places places;
  read_table<model::AgentDescriptor>(source, *node.as_table(), "", agent_keys(), descriptor, places);
  if (!errors.empty()) return errors.front();
  if (descriptor.command.empty()) return Error{Errc::config, "'command' is missing", source.name, {}};
  if (descriptor.display.empty()) descriptor.display = descriptor.id;
  return descriptor;
}

}  // namespace hydra::config
