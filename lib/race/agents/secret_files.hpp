// race: files of a result that hold the value of a secret. A capture keeps its bytes, so this is told.
// Blocking.
#pragma once

#include "git/repository.hpp"
#include "race/agents/secrets.hpp"

#include <string>

namespace hydra::race {

/// Adds the flag "holds_secret:PATH" (model/capture_words.hpp) for each file of the result that has a value
/// in its new content or its name and had none in the base (at most 20; files of more than 8 MiB are passed
/// over), and returns what to tell the user; empty: nothing.
Result<std::string> flag_secrets(const git::Store& store, model::Capture& capture, const Secrets& secrets);

}  // namespace hydra::race
