// checks: whether a change of a file is a change of what it says to a machine: comments, white space and
// documentation are none (ruling H25). By one table of languages; what is not known there is never taken for
// harmless. Pure.
#pragma once

#include <string_view>

namespace hydra::checks {

/// The same tokens in the same order, where only comments, white space that means nothing and documentation
/// strings differ. False where the language is not known, a text can't be read to its end, or holds what the
/// table does not read (here-documents). Comments that tools obey ("//go:build", "# type:") are tokens.
bool same_tokens(std::string_view path, std::string_view before, std::string_view after);

/// Read by people only, by its name: README.md, docs/guide.rst, LICENSE.
bool is_documentation(std::string_view path);

}  // namespace hydra::checks
