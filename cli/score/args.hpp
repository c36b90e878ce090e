// cli: typed reading of one function's arguments. The first error is kept as a problem that names the field;
// later reads return harmless values, so functions check failed() once.
#pragma once

#include "cli/score/json.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::cli::score {

inline constexpr double kMostFinite = std::numeric_limits<double>::max();
inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline constexpr std::int64_t kMostWhole = std::numeric_limits<std::int64_t>::max();

/// Inclusive bounds. NaN is in no range.
struct Range {
  double low = -kMostFinite, high = kMostFinite;
};
inline constexpr Range kAtLeastZero{0, kMostFinite};
inline constexpr Range kFraction{0, 1};
inline constexpr Range kPoints{0, 100};

/// Returns a number, or the number of a text that JSON cannot express (NaN, infinities); nullopt otherwise.
std::optional<double> number_of(const Document& document, const Value& value);

class Args {
 public:
  Args(const Document& document, Problem& problem) : document_(&document), problem_(&problem) {}

  [[nodiscard]] bool failed() const { return !problem_->none(); }
  /// Records the first problem; `field`: path below this object.
  void fail(std::string_view label, std::string_view field, std::string_view what);

  [[nodiscard]] bool has(std::string_view name) const { return document_->find(object_, name) != 0; }
  [[nodiscard]] bool null(std::string_view name) const;

  // Possible labels: missing_argument, wrong_type, out_of_range.
  std::int64_t whole(std::string_view name, std::int64_t low, std::int64_t high);
  std::int64_t count(std::string_view name) { return whole(name, 0, kMostWhole); }
  std::optional<std::int64_t> whole_or_null(std::string_view name, std::int64_t low, std::int64_t high);
  double number(std::string_view name, Range range);
  std::optional<double> number_or_null(std::string_view name, Range range);
  bool flag(std::string_view name);
  std::string_view text(std::string_view name);
  /// Reads a text or whole number, as JSON.
  std::string id(std::string_view name);
  std::vector<double> numbers(std::string_view name, Range range);
  /// Returns the objects of an array.
  std::vector<Args> objects(std::string_view name);
  /// A member of an object of numbers; null is allowed on request.
  struct Named {
    std::string_view name;
    std::optional<double> value;
    bool whole_literal = false;  ///< whether the number was written without fraction or exponent
  };
  std::vector<Named> named(std::string_view name, Range range, bool allow_null);
  /// Returns the index of the member's text in `words`; label unknown_name.
  std::size_t word(std::string_view name, const std::vector<std::string_view>& words);

  /// Returns the index of the member, for an argument of any type.
  [[nodiscard]] std::uint32_t index(std::string_view name) const { return document_->find(object_, name); }
  [[nodiscard]] const Document& document() const { return *document_; }

 private:
  const Value* member(std::string_view name);
  /// Returns a member of this kind, else wrong_type; `must`: the expectation, for the message.
  const Value* member(std::string_view name, Kind kind, std::string_view must);
  std::int64_t whole_of(const Value& value, std::string_view field, std::int64_t low, std::int64_t high);
  double number_in(const Value& value, std::string_view field, Range range);

  const Document* document_;
  Problem* problem_;
  std::uint32_t object_ = 0;
  std::string_view list_;  // the list that contains this object
  std::size_t place_ = 0;
};

}  // namespace hydra::cli::score
