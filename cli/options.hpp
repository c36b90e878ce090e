// cli: the arguments of a verb as rows of data, from which command line, completion and manual pages are
// made.
#pragma once

#include "base/result.hpp"
#include "base/strings.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hydra::cli {

class Context;

/// An option or positional argument of a verb.
struct Option {
  enum class Kind { flag, value, number, choice, positional, repeated, words, command };
  Kind kind = Kind::flag;
  std::string names;  ///< "--agents,-a"; without dashes: a positional
  std::variant<bool*, int*, std::string*, std::vector<std::string>*> to;
  std::string help;
  std::string placeholder{};  ///< name of the value in the help
  std::vector<std::string> choices{};
  int low = 0, high = 0;  ///< range of a number
  bool required = false;  ///< whether a positional is required

  [[nodiscard]] bool positional() const { return !names.starts_with('-'); }
};

/// Returns the help text, with the range of a number.
inline std::string help_of(const Option& option) {
  if (option.kind != Option::Kind::number) return option.help;
  return option.help + " (" + std::to_string(option.low) + " to " + std::to_string(option.high) + ")";
}

/// Declares the arguments of a verb. The references must live until the verb has run.
class Options {
 public:
  void flag(std::string name, bool& value, std::string help) {
    rows_.push_back({Option::Kind::flag, std::move(name), &value, std::move(help)});
  }
  void value(std::string name, std::string& value, std::string placeholder, std::string help) {
    rows_.push_back({Option::Kind::value, std::move(name), &value, std::move(help), std::move(placeholder)});
  }
  void number(std::string name, int& value, int low, int high, std::string help) {
    rows_.push_back({Option::Kind::number, std::move(name), &value, std::move(help), "N", {}, low, high});
  }
  void choice(std::string name, std::string& value, const std::vector<std::string>& choices,
              std::string help) {
    rows_.push_back(
        {Option::Kind::choice, std::move(name), &value, std::move(help), join(choices, "|"), choices});
  }
  void positional(std::string name, std::string& value, bool required, std::string help) {
    rows_.push_back(
        {Option::Kind::positional, std::move(name), &value, std::move(help), {}, {}, 0, 0, required});
  }
  /// Declares an option that may be repeated, with one word each time.
  void repeated(std::string name, std::vector<std::string>& values, std::string placeholder,
                std::string help) {
    rows_.push_back(
        {Option::Kind::repeated, std::move(name), &values, std::move(help), std::move(placeholder)});
  }
  /// Declares an option, or a positional without dashes, with any number of words.
  void words(std::string name, std::vector<std::string>& values, std::string placeholder, std::string help) {
    rows_.push_back({Option::Kind::words, std::move(name), &values, std::move(help), std::move(placeholder)});
  }
  /// Takes everything from the first word that is no option: another command line.
  void command(std::string name, std::vector<std::string>& values, std::string help) {
    rows_.push_back({Option::Kind::command, std::move(name), &values, std::move(help)});
  }

  [[nodiscard]] const std::vector<Option>& rows() const { return rows_; }

 private:
  std::vector<Option> rows_;
};

/// A verb of the command line; `run` returns the exit code and may be empty for a verb with children.
struct Verb {
  std::string name;
  std::string summary;
  std::vector<std::string> examples;  ///< "hydra race ... # what it does"
  std::function<void(Options&)> options{};
  std::function<Result<int>(Context&)> run{};
  std::vector<Verb> children{};
};

/// Makes a verb that owns an Args until it runs.
template <class Args>
Verb verb_of(std::string name, std::string summary, std::vector<std::string> examples,
             void (*declare)(Options&, Args&), Result<int> (*run)(const Args&, Context&),
             std::vector<Verb> children = {}) {
  const auto args = std::make_shared<Args>();
  return {std::move(name),
          std::move(summary),
          std::move(examples),
          [args, declare](Options& options) { declare(options, *args); },
          [args, run](Context& context) { return run(*args, context); },
          std::move(children)};
}

/// Args of a verb with only --json.
struct JsonArgs {
  bool json = false;
};

}  // namespace hydra::cli
