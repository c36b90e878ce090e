#include "integrity/protect/known_rules.hpp"

#include "model/environment.hpp"

namespace hydra::integrity {
namespace {

constexpr std::size_t kRaceRulesMostManifestBytes = 8u << 20;
constexpr std::size_t kRaceRulesMostText = 1u << 20,
                      kRaceRulesMostTexts = 16u << 20;  // bytes of one test; of all tests

ProtectionContext context_of(const RaceRules& rules, const model::RaceSpec& spec) {
  const auto& config = spec.config;
  ProtectionContext context;
  context.base = &rules.base;
  context.commands = {config.scoring.build_command.value_or(""), config.scoring.test_command.value_or(""),
                      config.scoring.lint_command.value_or(""), config.workspace.setup.value_or("")};
  if (const auto path = model::variable(spec, "PATH"); !path.empty()) context.path = path;
  context.protect = config.evaluation.protected_paths;
  context.unprotect = config.evaluation.unprotected_paths;
  context.base_text = [store = &rules.store](std::string_view path) {
    return store->base_file(std::string(path), kRaceRulesMostManifestBytes);
  };
  context.base_texts = reader_of(rules.store, spec.repository.base);
  context.checkout = spec.repository.root;
  return context;
}

}  // namespace

ReadTexts reader_of(const git::Store& store, std::string commit) {
  return [&store, commit = std::move(commit)](const auto& paths) {
    std::vector<std::string> names;
    for (const auto& path : paths) names.push_back(commit + ":" + path);
    std::vector<std::string> texts(paths.size());
    std::size_t size = 0;
    if (auto found = store.blobs(names, kRaceRulesMostText); found.ok())
      for (std::size_t i = 0; i < texts.size(); ++i)
        if (auto& text = (*found)[i]; text && size < kRaceRulesMostTexts)
          size += text->size(), texts[i] = std::move(*text);
    return texts;
  };
}

RaceRules::RaceRules(git::Store store_in, const model::RaceSpec& spec, std::vector<std::string> base_paths)
    : store(std::move(store_in)), base(std::move(base_paths)), paths(context_of(*this, spec)) {}

Result<std::shared_ptr<const RaceRules>> KnownRules::get(const git::Store& store,
                                                         const model::RaceSpec& spec) {
  if (auto known = known_.load()) return known;
  HYDRA_TRY(auto paths, store.base_paths());
  // Concurrent calls make equal rules.
  std::shared_ptr<const RaceRules> made = std::make_shared<const RaceRules>(store, spec, std::move(paths));
  known_.store(made);
  return made;
}

}  // namespace hydra::integrity
