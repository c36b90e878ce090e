// mutants: small changes of source text, one token or statement each: what a test that notices anything
// should notice. By the tokens of tokens.hpp and a table; no parser, so a
// mutant may not build. Pure: the same call gives the same mutants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::source {

/// Kinds of changes.
enum Kind : unsigned {
  kCompare = 1u << 0,                  ///< == != < <= > >=
  kLogic = 1u << 1,                    ///< && || and or not, true false
  kArithmetic = 1u << 2,               ///< + - * / and their assignments
  kNumber = 1u << 3,                   ///< off by one
  kText = 1u << 4,                     ///< a string becomes another one
  kCondition = 1u << 5,                ///< the condition of an `if` is negated
  kCall = 1u << 6,                     ///< min max, first last, any all, …
  kStatement = 1u << 7,                ///< a simple statement goes
  kCode = 0xff & ~kText,               ///< what changes behaviour
  kValues = kLogic | kNumber | kText,  ///< expected values in assertions
};

struct Request {
  std::vector<int> lines;  ///< from 1; empty: all
  std::size_t most = 12;
  unsigned kinds = kCode;
  std::uint64_t seed = 0;  ///< other seeds choose other mutants of a line; 0: the most telling first
};

struct Mutant {
  int line = 0;             ///< from 1
  std::string description;  ///< "< becomes <=", "return x goes": one line, of the text's own words
  std::string text;         ///< the whole new text
};

/// At most `request.most`, ascending by line, no two of equal text. One of each line before a second one of
/// any; where there are more lines than that, they are spread over the lines. Empty where the language of
/// `path` is not known or the text can't be read to its end.
std::vector<Mutant> mutate(std::string_view path, std::string_view text, const Request& request);

}  // namespace hydra::source
