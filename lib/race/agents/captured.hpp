// race: properties of a captured diff: its counted size, without lock, generated and vendored files
// (config/file_class.hpp; docs/scoring.md, H26), and files that contain a secret's value, since a capture
// keeps their bytes. Blocking: runs git.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/agent_run.hpp"
#include "race/agents/secrets.hpp"

#include <string>

namespace hydra::race {

/// Sets `weighed` and `set_apart` by the base's attributes (both stay empty if everything counts), `tests`,
/// and `trivial` if only comments and documentation differ.
Result<void> weigh(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                   model::Capture& capture);

/// Adds the flag "holds_secret:PATH" (model/capture_words.hpp) for each file whose new content or name has a
/// secret's value that the base's lacks (at most 20; files of more than 8 MiB are skipped). Returns a message
/// for the user; empty: none.
Result<std::string> flag_secrets(const git::Store& store, model::Capture& capture, const Secrets& secrets);

}  // namespace hydra::race
