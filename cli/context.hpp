// cli: facilities of every verb: paths, style, the daemon, and errors.
#pragma once

#include "base/paths.hpp"
#include "base/result.hpp"
#include "cli/app.hpp"
#include "cli/render/style.hpp"
#include "client/client.hpp"
#include "wire/requests.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::cli {

class Context {
 public:
  explicit Context(ColourMode colour);

  [[nodiscard]] const Style& out() const { return out_; }
  [[nodiscard]] const Style& err() const { return err_; }
  [[nodiscard]] const EnvLookup& env() const { return env_; }
  [[nodiscard]] bool interactive() const;  ///< whether a person can see and answer a question

  Result<Paths> paths() const;
  /// Refuses to start agents from a run of a race: their cost is in no budget, their keys are the user's.
  /// HYDRA_NESTED=1 permits that.
  Result<void> demand_no_run() const;
  /// Connects to the daemon and starts the daemon if necessary. `patience`: timeout of each request.
  Result<client::Client> daemon(std::chrono::milliseconds patience = std::chrono::minutes(1)) const;

  /// Prints the error to standard error and returns its exit code.
  int fail(const Error& error) const;
  /// Returns the verb's exit code; prints its error.
  int exit(const Result<int>& end) const { return end ? *end : fail(end.error()); }
  void warn(std::string_view text) const;

 private:
  [[nodiscard]] bool is_replaced(const Paths& where, const wire::Health& health) const;
  EnvLookup env_;
  Style out_, err_;
};

/// Returns whether this process belongs to a run of a race and may not start agents.
bool in_a_run(const EnvLookup& env);
/// Writes all of `text` to standard output.
void print(std::string_view text);
/// Prints `text` with exactly one newline at its end.
void print_line(std::string_view text);
/// Prints `text` with exactly one newline and returns `code`; the last output of a verb.
int say(std::string_view text, int code = kDone);
/// Prints the daemon's answer, see with_schema().
int print_json(std::string_view body);
/// Asks "QUESTION [y/N] "; returns true for yes.
bool yes_to(const std::string& question);
/// Returns the program's exit code: `code`, or 3 with a message if the output could not be written. A closed
/// pipe is no failure.
int finish_output(int code);
/// Returns the environment for the API, with PATH from freeze_path(). Entries with invalid UTF-8 are left
/// out.
wire::Environment environment();
/// Adds the member `schema` (1) in front of a JSON object without one; returns other text unchanged.
std::string with_schema(std::string_view body);
/// Returns `text` as a quoted JSON string; invalid UTF-8 is replaced.
std::string json_string(std::string_view text);

}  // namespace hydra::cli
