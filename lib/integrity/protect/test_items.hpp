// integrity: tests of Rust that stand in product files (`#[cfg(test)]`). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

struct TestItems {
  std::string text;                ///< the candidate's file with the base's test items
  std::vector<std::string> heads;  ///< "mod tests" of each item that was put back or left out
};

/// Returns the candidate's file with the `#[cfg(test)]` items of the base in place of its own; no heads: the
/// candidate has all items of the base, by tokens, and adds nothing but tests. nullopt: a text is no Rust
/// that scan() reads.
std::optional<TestItems> restore_test_items(std::string_view base, std::string_view candidate);

struct SplitText {
  std::string product, tests;
};
/// Splits a file of Rust in what is compiled for tests only, and the rest; a text that scan() does not read
/// is product.
SplitText without_test_items(std::string_view text);

}  // namespace hydra::integrity
