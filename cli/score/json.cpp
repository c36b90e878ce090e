#include "cli/score/json.hpp"

#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace hydra::cli::score {

std::string shown(std::string_view field) { return ellipsize(sanitize(field.substr(0, 400)), 80); }

/// Fills a Document from nlohmann's SAX parser, which does not recurse.
class Document::Reader {
 public:
  Reader(Document& document, Problem& problem) : d_(document), problem_(problem) {}

  bool null() { return add(Kind::null) != nullptr; }
  bool boolean(bool value) {
    auto* v = add(Kind::boolean);
    if (v != nullptr) v->flag = value;
    return v != nullptr;
  }
  bool number_integer(std::int64_t value) {
    auto* v = add(Kind::integer);
    if (v == nullptr) return false;
    v->integer = value;
    v->number = static_cast<double>(value);
    return true;
  }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX))
      return number_integer(static_cast<std::int64_t>(value));
    return real(static_cast<double>(value), true);
  }
  bool number_float(double value, const std::string& literal) {
    return real(value, literal.find_first_of(".eE") == std::string::npos);
  }
  bool string(std::string& value) {
    auto* v = add(Kind::text);
    if (v == nullptr) return false;
    v->text_at = keep(value);
    v->text_size = static_cast<std::uint32_t>(value.size());
    return true;
  }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) { return begin(Kind::object); }
  bool start_array(std::size_t /*size*/) { return begin(Kind::array); }
  bool key(std::string& value) {
    key_at_ = keep(value);
    key_size_ = static_cast<std::uint32_t>(value.size());
    return true;
  }
  bool end_array() {
    close();
    return true;
  }
  bool end_object() {
    const auto object = d_.open_.back();
    close();
    return unique_keys(object);
  }
  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& e) {
    constexpr int kNumberTooLarge = 406;
    const std::string place = path();
    if (e.id == kNumberTooLarge) {
      problem_ = {"out_of_range", (place.empty() ? "the line" : place) + ": a number too large for a double"};
    } else {
      problem_ = {"malformed_json", "the line is no valid JSON at byte " + std::to_string(position) +
                                        (place.empty() ? "" : ", in or after member " + place)};
    }
    return false;
  }

 private:
  Value* add(Kind kind) {
    if (d_.values_.size() >= kMostValues) {
      problem_ = {"too_many_values", "the line holds more than " + std::to_string(kMostValues) + " values"};
      return nullptr;
    }
    auto& v = d_.values_.emplace_back();
    v.kind = kind;
    v.end = static_cast<std::uint32_t>(d_.values_.size());
    v.key_at = key_at_;
    v.key_size = key_size_;
    return &v;
  }
  bool real(double value, bool whole) {
    auto* v = add(Kind::real);
    if (v == nullptr) return false;
    v->number = value;
    v->flag = whole;
    return true;
  }
  bool begin(Kind kind) {
    if (add(kind) == nullptr) return false;
    d_.open_.push_back(static_cast<std::uint32_t>(d_.values_.size() - 1));
    key_at_ = key_size_ = 0;
    return true;
  }
  void close() {
    d_.values_[d_.open_.back()].end = static_cast<std::uint32_t>(d_.values_.size());
    d_.open_.pop_back();
  }
  std::uint32_t keep(std::string_view text) {
    const auto at = static_cast<std::uint32_t>(d_.text_.size());
    d_.text_ += text;
    return at;
  }
  bool unique_keys(std::uint32_t object) {
    std::vector<std::string_view>& keys = keys_;
    keys.clear();
    for (auto i = object + 1; i < d_.values_[object].end; i = d_.values_[i].end)
      keys.push_back(d_.key(d_.values_[i]));
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice == keys.end()) return true;
    problem_ = {"duplicate_key", "member " + shown(*twice) + " is given twice in one object"};
    return false;
  }
  /// Returns the path of the current member, as far as known: "weights.build".
  [[nodiscard]] std::string path() const {
    std::string out;
    const auto step = [&](std::uint32_t at, std::uint32_t size) {
      if (size > 0) out += (out.empty() ? "" : ".") + shown({d_.text_.data() + at, size});
    };
    for (std::size_t i = 1; i < d_.open_.size() && i < 8; ++i)
      step(d_.values_[d_.open_[i]].key_at, d_.values_[d_.open_[i]].key_size);
    step(key_at_, key_size_);
    return out;
  }

  Document& d_;
  Problem& problem_;
  std::uint32_t key_at_ = 0, key_size_ = 0;
  std::vector<std::string_view> keys_;
};

bool Document::parse(std::string_view line, Problem& problem) {
  constexpr std::size_t kKeptValues = 4096;
  if (values_.capacity() > kKeptValues * 16) values_ = {};
  if (text_.capacity() > kKeptValues * 64) text_ = {};
  values_.clear();
  text_.clear();
  open_.clear();
  // nlohmann's parser takes a zero byte for the end of input.
  if (line.find('\0') != std::string_view::npos) {
    problem = {"malformed_json", "the line holds a zero byte"};
    return false;
  }
  Reader reader(*this, problem);
  if (!nlohmann::json::sax_parse(line.begin(), line.end(), &reader)) {
    if (problem.none()) problem = {"malformed_json", "the line is no valid JSON"};
    return false;
  }
  if (values_[0].kind == Kind::object) return true;
  problem = {"not_an_object", "the line must be a JSON object with the member fn"};
  return false;
}

std::uint32_t Document::find(std::uint32_t object, std::string_view name) const {
  for (auto i = object + 1; i < values_[object].end; i = values_[i].end)
    if (key(values_[i]) == name) return i;
  return 0;
}

void Writer::separate() {
  constexpr std::string_view kNothingBefore = "{[:\n";
  if (!out_.empty() && kNothingBefore.find(out_.back()) == std::string_view::npos) out_ += ',';
}

void Writer::begin_object() {
  separate();
  out_ += '{';
}

void Writer::begin_array() {
  separate();
  out_ += '[';
}

void Writer::key(std::string_view name) {
  text(name);
  out_ += ':';
}

void Writer::null() { raw("null"); }

void Writer::flag(bool value) { raw(value ? "true" : "false"); }

void Writer::whole(std::int64_t value) { raw(std::to_string(value)); }

void Writer::number(double value) {
  if (!std::isfinite(value)) {
    finite_ = false;
    null();
    return;
  }
  std::array<char, 32> buffer{};
  // A whole number stays one for readers of integers: 1000000, not 1e+06.
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  const auto end = whole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0,
                                         std::chars_format::fixed)
                         : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0);
  raw({buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())});
}

void Writer::text(std::string_view value) {
  separate();
  out_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out_ += "\\u00";
      out_ += kDigits[static_cast<unsigned char>(c) >> 4U];
      out_ += kDigits[static_cast<unsigned char>(c) & 15U];
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void Writer::raw(std::string_view json) {
  separate();
  out_ += json;
}

}  // namespace hydra::cli::score
