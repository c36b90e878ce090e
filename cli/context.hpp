// cli: what every verb needs: paths, style, the daemon, and how to end with an error.
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
  [[nodiscard]] bool interactive() const;  ///< a person can see and answer a question

  Result<Paths> paths() const;
  /// A connection to the daemon, which is started if need be. Each request gets so much time.
  Result<client::Client> daemon(std::chrono::milliseconds patience = std::chrono::minutes(1)) const;

  /// Prints an error to standard error; gives the exit code for it.
  int fail(const Error& error) const;
  /// The exit code of a verb, whose Error is printed.
  int exit(const Result<int>& end) const { return end ? *end : fail(end.error()); }
  void warn(std::string_view text) const;

 private:
  EnvLookup env_;
  Style out_, err_;
};

/// To standard output, whole.
void print(std::string_view text);
/// Text with one newline at its end.
void print_line(std::string_view text);
/// Text with one newline at its end, and the exit code: a verb's last words.
int say(std::string_view text, int code = kDone);
/// The daemon's answer, as with_schema() has it.
int print_json(std::string_view body);
/// "QUESTION [y/N] ", and whether the user answers yes.
bool yes_to(const std::string& question);
/// The program's exit code: `code`, or 3 with a message where the output could not be written. A pipe that
/// nobody reads any more is no failure.
int finish_output(int code);
/// The whole environment, for the API, PATH as freeze_path() has it. Entries that are no valid UTF-8 are left
/// out.
wire::Environment environment();
/// A JSON object with the member `schema` (1) in front, unless it has one; anything else as it is.
std::string with_schema(std::string_view body);
/// `text` as a JSON string, quotes included; invalid UTF-8 is replaced.
std::string json_string(std::string_view text);

}  // namespace hydra::cli
