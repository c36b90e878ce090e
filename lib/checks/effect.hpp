// checks: tells whether a change has any effect, after comments, white space, documentation and files that
// the checks take from the base are removed.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/agent_run.hpp"
#include "model/race_spec.hpp"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Returns whether the tokens and their order are equal, so that only comments, insignificant white space and
/// documentation strings differ. False when the language is unknown, or a text can't be read to its end or
/// has constructs that the table does not cover (here-documents). Comments that tools obey ("//go:build", "#
/// type:") are tokens.
bool same_tokens(std::string_view path, std::string_view before, std::string_view after);

/// Returns whether only people read the file, by its name: README.md, docs/guide.rst, LICENSE.
bool is_documentation(std::string_view path);

/// Sets `capture.trivial` when only comments, white space, modes and documentation differ; never for `--kind
/// docs`, whose work is documentation. Blocking: asks git twice, unless names alone decide.
Result<void> find_trivial(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                          model::Capture& capture);

/// Returns those of `paths` that hold tests or files that tests need.
Result<std::set<std::string>> test_paths(integrity::KnownRules& known, const git::Store& store,
                                         const model::RaceSpec& spec, const std::vector<std::string>& paths);

/// Bytes of both sides of one change; absent: missing or unreadable.
struct ChangeTexts {
  const std::optional<std::string>& base;
  const std::optional<std::string>& candidate;
};
/// Returns whether this change alone has no effect. Pure.
bool has_no_effect(const git::TreeChange& change, const ChangeTexts& texts,
                   const integrity::ProtectedPaths& rules, model::TaskKind kind);

}  // namespace hydra::checks
