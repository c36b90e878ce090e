#include "cli/score/args.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hydra::cli::score {
namespace {

std::string element(std::string_view name, std::size_t i) { return fmt::format("{}[{}]", shown(name), i); }

std::string range_text(Range r) {
  if (r.low == -kMostFinite && r.high == kMostFinite) return "a finite number";
  if (r.high == kMostFinite) return fmt::format("a finite number of at least {}", r.low);
  if (r.high == kInfinite) return fmt::format("a number of at least {}", r.low);
  return fmt::format("a number from {} to {}", r.low, r.high);
}

std::string whole_text(std::int64_t low, std::int64_t high) {
  // Bounds that are the type's limits are not worth telling.
  if (low <= -kMostWhole && high == kMostWhole) return "a whole number";
  if (high == kMostWhole) return fmt::format("a whole number of at least {}", low);
  return fmt::format("a whole number from {} to {}", low, high);
}

}  // namespace

std::optional<double> number_of(const Document& document, const Value& value) {
  if (value.kind == Kind::integer || value.kind == Kind::real) return value.number;
  if (value.kind != Kind::text) return std::nullopt;
  const auto text = document.text(value);
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return kInfinite;
  if (text == "-Infinity") return -kInfinite;
  return std::nullopt;
}

void Args::fail(std::string_view label, std::string_view field, std::string_view what) {
  if (failed()) return;
  std::string path = list_.empty() ? "" : element(list_, place_) + ".";
  *problem_ = {std::string(label), path + shown(field) + ": " + std::string(what)};
}

bool Args::null(std::string_view name) const {
  const auto i = document_->find(object_, name);
  return i != 0 && document_->at(i).kind == Kind::null;
}

const Value* Args::member(std::string_view name) {
  const auto i = document_->find(object_, name);
  if (i == 0) {
    fail("missing_argument", name, "is missing");
    return nullptr;
  }
  return &document_->at(i);
}

const Value* Args::member(std::string_view name, Kind kind, std::string_view must) {
  const auto* v = member(name);
  if (v == nullptr || v->kind == kind) return v;
  fail("wrong_type", name, must);
  return nullptr;
}

std::int64_t Args::whole_of(const Value& value, std::string_view field, std::int64_t low, std::int64_t high) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  std::int64_t n = value.integer;
  if (value.kind == Kind::real && !value.flag && std::trunc(value.number) == value.number) {
    // 5.0 is the integer 5, as in JSON Schema.
    if (value.number < -kTwoTo63 || value.number >= kTwoTo63) {
      fail("out_of_range", field, "must be " + whole_text(low, high));
      return low;
    }
    n = static_cast<std::int64_t>(value.number);
  } else if (value.kind != Kind::integer) {
    const bool number = number_of(*document_, value).has_value() && (value.kind != Kind::real || value.flag);
    fail(number ? "out_of_range" : "wrong_type", field, "must be " + whole_text(low, high));
    return low;
  }
  if (n < low || n > high) {
    fail("out_of_range", field, "must be " + whole_text(low, high));
    return low;
  }
  return n;
}

double Args::number_in(const Value& value, std::string_view field, Range range) {
  const auto number = number_of(*document_, value);
  if (!number) {
    fail("wrong_type", field, "must be " + range_text(range));
  } else if (!(*number >= range.low && *number <= range.high)) {
    fail("out_of_range", field, "must be " + range_text(range));
  } else {
    return *number;
  }
  return range.low == -kMostFinite ? 0 : range.low;
}

std::int64_t Args::whole(std::string_view name, std::int64_t low, std::int64_t high) {
  const auto* v = member(name);
  return v == nullptr ? low : whole_of(*v, name, low, high);
}

std::optional<std::int64_t> Args::whole_or_null(std::string_view name, std::int64_t low, std::int64_t high) {
  const auto* v = member(name);
  if (v == nullptr || v->kind == Kind::null) return std::nullopt;
  return whole_of(*v, name, low, high);
}

double Args::number(std::string_view name, Range range) {
  const auto* v = member(name);
  return v == nullptr ? 0 : number_in(*v, name, range);
}

std::optional<double> Args::number_or_null(std::string_view name, Range range) {
  const auto* v = member(name);
  if (v == nullptr || v->kind == Kind::null) return std::nullopt;
  return number_in(*v, name, range);
}

bool Args::flag(std::string_view name) {
  const auto* v = member(name, Kind::boolean, "must be true or false");
  return v != nullptr && v->flag;
}

std::string_view Args::text(std::string_view name) {
  const auto* v = member(name, Kind::text, "must be a text");
  return v == nullptr ? std::string_view() : document_->text(*v);
}

std::string Args::id(std::string_view name) {
  const auto* v = member(name);
  if (v == nullptr) return {};
  if (v->kind == Kind::integer) return std::to_string(v->integer);
  if (v->kind != Kind::text) {
    fail("wrong_type", name, "must be a text or a whole number");
    return {};
  }
  std::string out;
  Writer(out).text(document_->text(*v));
  return out;
}

std::vector<double> Args::numbers(std::string_view name, Range range) {
  std::vector<double> out;
  const auto* v = member(name, Kind::array, "must be an array of numbers");
  if (v == nullptr) return out;
  for (auto i = document_->find(object_, name) + 1; i < v->end && !failed(); i = document_->at(i).end) {
    const auto& value = document_->at(i);
    // The path is built only after an error, since building it is slow.
    const auto number = number_of(*document_, value);
    const bool good = number && *number >= range.low && *number <= range.high;
    out.push_back(good ? *number : number_in(value, element(name, out.size()), range));
  }
  return out;
}

std::vector<Args> Args::objects(std::string_view name) {
  std::vector<Args> out;
  const auto* v = member(name, Kind::array, "must be an array of objects");
  if (v == nullptr) return out;
  for (auto i = document_->find(object_, name) + 1; i < v->end && !failed(); i = document_->at(i).end) {
    Args element_args(*document_, *problem_);
    element_args.object_ = i;
    element_args.list_ = name;
    element_args.place_ = out.size();
    if (document_->at(i).kind != Kind::object)
      fail("wrong_type", element(name, out.size()), "must be an object");
    else
      out.push_back(element_args);
  }
  return out;
}

std::vector<Args::Named> Args::named(std::string_view name, Range range, bool allow_null) {
  std::vector<Named> out;
  const auto* v = member(name, Kind::object, "must be an object of numbers");
  if (v == nullptr) return out;
  for (auto i = document_->find(object_, name) + 1; i < v->end && !failed(); i = document_->at(i).end) {
    const auto& value = document_->at(i);
    Named row{document_->key(value), std::nullopt,
              value.kind == Kind::integer || (value.kind == Kind::real && value.flag)};
    if (!(allow_null && value.kind == Kind::null))
      row.value = number_in(value, fmt::format("{}.{}", name, shown(row.name)), range);
    out.push_back(row);
  }
  return out;
}

std::size_t Args::word(std::string_view name, const std::vector<std::string_view>& words) {
  const auto given = text(name);
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (given == words[i]) return i;
    list += (i == 0 ? "" : ", ") + std::string(words[i]);
  }
  fail("unknown_name", name, "must be one of " + list);
  return 0;
}

}  // namespace hydra::cli::score
