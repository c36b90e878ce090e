// adapters, inside the room: a descriptor's rules over the values that a JsonSkimmer found. Foreign values
// are never trusted: what has the wrong type or no sensible size counts as absent.
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

/// One pointer, or several with `|` between them: the first that leads to something.
class Pointer {
 public:
  Pointer() = default;
  Pointer(Interest& interest, std::string_view text);
  /// The value there; null when there is none, or when the pointer is empty.
  [[nodiscard]] const Found* find(const Values& values) const;

 private:
  std::vector<Interest::Slot> slots_;
};

/// Conditions that must all hold. None: never. A pointer that ends in `?` also holds where nothing stands;
/// `|` stands between values of which any will do.
class When {
 public:
  When() = default;
  When(Interest& interest, const model::JsonWhen& when);
  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  [[nodiscard]] bool holds(const Values& values) const;

 private:
  struct Condition {
    Pointer pointer;
    std::vector<std::string> any;  ///< what it may equal
    bool optional = false;
  };
  std::vector<Condition> conditions_;
};

std::vector<When> whens(Interest& interest, const std::vector<model::JsonWhen>& list);
bool any_holds(const std::vector<When>& list, const Values& values);
/// A string as UTF-8, its first 4 KiB; a number or boolean as text; nothing for null, objects and arrays.
std::string text_at(const Pointer& pointer, const Values& values);
/// The same, the last 4 KiB.
std::string tail_at(const Pointer& pointer, const Values& values);
/// An HTTP status, as number or text.
std::optional<int> status_at(const Pointer& pointer, const Values& values);
/// A count of at most 10^15.
std::optional<std::int64_t> count_at(const Pointer& pointer, const Values& values);

/// Counts tokens and money as the stream goes by.
class UsageReader {
 public:
  UsageReader() = default;
  /// `always`: no condition means every line.
  UsageReader(Interest& interest, const model::UsageRule& rule, bool always = false);
  void read(const Values& values);
  [[nodiscard]] const model::Usage& usage() const { return usage_; }
  /// Were there any tokens?
  [[nodiscard]] bool counted() const;
  /// What this run used, where its session had used `base` before and the CLI is of that version.
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
  /// The last lines with an id, so that a repeated one replaces what it added before.
  std::deque<std::pair<std::string, model::Usage>> recent_;
};

/// `more` is added to `sum`; what neither knows stays unknown.
void add_usage(model::Usage& sum, const model::Usage& more);
/// What `all` has beyond `base`, never below 0; unknown in `all` stays unknown.
model::Usage minus_usage(model::Usage all, const model::Usage& base);

}  // namespace hydra::adapters
