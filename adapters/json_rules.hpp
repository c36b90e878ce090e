// adapters, inside the room: a descriptor's rules over the values that a JsonSkimmer found. Values are
// untrusted: a wrong type or an absurd size counts as absent.
#pragma once

#include "adapters/json_skim.hpp"
#include "model/agent_descriptor.hpp"
#include "model/agent_run.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::adapters {

using Values = std::vector<Found>;

/// A JSON pointer, or alternatives separated by `|`: the first that finds a value counts.
class Pointer {
 public:
  Pointer() = default;
  Pointer(Interest& interest, std::string_view text);
  /// Returns the value; null if no value exists or the pointer is empty.
  [[nodiscard]] const Found* find(const Values& values) const;

 private:
  std::vector<Interest::Slot> slots_;
};

/// Conditions that must all hold; an empty list never holds. A pointer ending in `?` also holds if the value
/// is absent; `|` separates alternative values.
class When {
 public:
  When() = default;
  When(Interest& interest, const model::JsonWhen& when);
  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  [[nodiscard]] bool holds(const Values& values) const;

 private:
  struct Condition {
    Pointer pointer;
    std::vector<std::string> any;  ///< accepted values
    bool optional = false;
  };
  std::vector<Condition> conditions_;
};

std::vector<When> whens(Interest& interest, const std::vector<model::JsonWhen>& list);
bool any_holds(const std::vector<When>& list, const Values& values);
/// Returns a string as UTF-8 (first 4 KiB), a number or boolean as text; empty for null, objects and arrays.
std::string text_at(const Pointer& pointer, const Values& values);
/// Returns the last 4 KiB of the value that text_at() reads.
std::string tail_at(const Pointer& pointer, const Values& values);
/// Returns an HTTP status given as a number or as text.
std::optional<int> status_at(const Pointer& pointer, const Values& values);
/// Returns a count of at most 10^15.
std::optional<std::int64_t> count_at(const Pointer& pointer, const Values& values);

/// Sums tokens and cost over the events of a stream.
class UsageReader {
 public:
  UsageReader() = default;
  /// `always`: an empty condition matches every line.
  UsageReader(Interest& interest, const model::UsageRule& rule, bool always = false);
  void read(const Values& values);
  [[nodiscard]] const model::Usage& usage() const { return usage_; }
  /// Whether the stream reported any tokens.
  [[nodiscard]] bool counted() const;
  /// Returns the usage of this run; `base`: usage of the session before it; `version`: the CLI's version.
  [[nodiscard]] model::Usage since(const model::Usage& base, std::string_view version) const;

 private:
  [[nodiscard]] model::Usage extract(const Values& values) const;

  model::UsageMode mode_ = model::UsageMode::none;
  When when_;
  bool always_ = false;
  Pointer input_, output_, cache_read_, cache_write_, reasoning_, total_, cost_, unique_;
  bool input_includes_cache_ = false, output_excludes_reasoning_ = false, cumulative_ = false;
  std::string cumulative_from_, cost_cumulative_from_;
  model::Usage usage_;
  /// Last usage lines with an id: a repeated line replaces its earlier contribution.
  std::deque<std::pair<std::string, model::Usage>> recent_;
};

/// Adds `more` to `sum`; a field unknown in both stays unknown.
void add_usage(model::Usage& sum, const model::Usage& more);
/// Returns `all` minus `base`, never below 0; a field unknown in `all` stays unknown.
model::Usage minus_usage(model::Usage all, const model::Usage& base);

}  // namespace hydra::adapters
