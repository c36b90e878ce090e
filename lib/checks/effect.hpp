// checks: whether a change does anything: what is left of it without comments, white space, documentation and
// what its checks took from the base (rulings H25, H26).
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

/// The same tokens in the same order, where only comments, white space that means nothing and documentation
/// strings differ. False where the language is not known, a text can't be read to its end, or holds what the
/// table does not read (here-documents). Comments that tools obey ("//go:build", "# type:") are tokens.
bool same_tokens(std::string_view path, std::string_view before, std::string_view after);

/// Read by people only, by its name: README.md, docs/guide.rst, LICENSE.
bool is_documentation(std::string_view path);

/// Sets `capture.trivial` where only comments, white space, modes and documentation differ. With `--kind
/// docs` they are the work: nothing is set. Blocking: asks git twice, where names alone do not answer it.
Result<void> find_trivial(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                          model::Capture& capture);

/// Those of `paths` that hold tests or what tests need.
Result<std::set<std::string>> test_paths(integrity::KnownRules& known, const git::Store& store,
                                         const model::RaceSpec& spec, const std::vector<std::string>& paths);

/// Bytes of both sides of one change; absent: there is none, or it can't be read.
struct ChangeTexts {
  const std::optional<std::string>& base;
  const std::optional<std::string>& candidate;
};
/// Whether this change by itself does nothing. Pure.
bool has_no_effect(const git::TreeChange& change, const ChangeTexts& texts,
                   const integrity::ProtectedPaths& rules, model::TaskKind kind);

}  // namespace hydra::checks
