// cli: the options of one verb. Hides CLI11, which costs four seconds of compile time a file: only app.cpp
// knows it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hydra::cli {

class Context;

/// Where a verb declares what it takes. The references must live until the verb has run.
class Options {
 public:
  virtual ~Options() = default;
  virtual void flag(const std::string& name, bool& value, const std::string& help) = 0;
  virtual void value(const std::string& name, std::string& value, const std::string& placeholder,
                     const std::string& help) = 0;
  virtual void number(const std::string& name, int& value, int low, int high, const std::string& help) = 0;
  virtual void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                      const std::string& help) = 0;
  virtual void positional(const std::string& name, std::string& value, bool required,
                          const std::string& help) = 0;
  /// An option that may be given again and again, with one word each time.
  virtual void repeated(const std::string& name, std::vector<std::string>& values,
                        const std::string& placeholder, const std::string& help) = 0;
  /// An option (or, without dashes, a positional) that takes any number of words.
  virtual void words(const std::string& name, std::vector<std::string>& values,
                     const std::string& placeholder, const std::string& help) = 0;
  /// Everything from the first word on that is no option: another command line.
  virtual void command(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) = 0;
};

/// One word of the command line. `run` gives the exit code; a verb with children has none.
struct Verb {
  std::string name;
  std::string summary;
  std::vector<std::string> examples;  ///< "hydra race ... # what it does"
  std::function<void(Options&)> options;
  std::function<int(Context&)> run;
  std::vector<Verb> children;
};

}  // namespace hydra::cli
