// checks, inside only: test runners and how each of them is told which files to run.
#pragma once

#include <span>
#include <string_view>

namespace hydra::checks {

enum class FilesAs {
  words,     ///< "pytest FILE..."
  discover,  ///< unittest: words, or one discovery a file where the command discovers
  classes,   ///< "mvn -Dtest=A,B test": names of the files without extension
  go,        ///< "go test -run '^(A|B)$' ./pkg"
  cargo,     ///< "cargo test --test FILE", in the crate that the file belongs to
};

/// What one file that can't be loaded does to the others of the same run.
enum class OneByOne {
  already,    ///< nothing
  by_option,  ///< nothing, with the words of Runner::add
  apart,      ///< it ends the run: each file needs a command of its own
};

struct Runner {
  std::string_view program;  ///< without directory; of "python -m X" the X
  std::string_view verb;     ///< a later word that must be there: "test"; empty: none
  FilesAs as = FilesAs::words;
  std::span<const std::string_view> files;   ///< names of files that it runs
  std::span<const std::string_view> drop;    ///< words that would hide names or end the run early
  std::span<const std::string_view> valued;  ///< options whose next word is their value
  std::string_view add;                      ///< so that every test is named, and one bad file stops no other
  std::string_view before{};                 ///< environment
  OneByOne one_by_one = OneByOne::already;
  std::string_view each{}, between{}, around{};  ///< of classes: "{}" is the name; the list
};

std::span<const Runner> runners();

/// Words that may stand before a runner: "env", "npx", "poetry run".
bool stands_before_runner(std::string_view word);

}  // namespace hydra::checks
