// race: what is told of a captured diff. How much of it counts as its size: lock, generated and vendored
// files are set apart by the rules of config/file_class.hpp (reliability reference, row E22). And which of
// its files hold the value of a secret: a capture keeps its bytes. Blocking: asks git.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/agent_run.hpp"
#include "race/agents/secrets.hpp"

#include <string>

namespace hydra::race {

/// Fills in `weighed` and `set_apart`, by the base's attributes (both stay empty where everything counts),
/// `tests`, and `trivial` where nothing but comments and documentation differs.
Result<void> weigh(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                   model::Capture& capture);

/// Adds the flag "holds_secret:PATH" (model/capture_words.hpp) for each file of the result that has a value
/// in its new content or its name and had none in the base (at most 20; files of more than 8 MiB are passed
/// over), and returns what to tell the user; empty: nothing.
Result<std::string> flag_secrets(const git::Store& store, model::Capture& capture, const Secrets& secrets);

}  // namespace hydra::race
