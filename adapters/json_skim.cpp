#include "adapters/json_skim.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hydra::adapters {
namespace {

constexpr std::size_t kText = 4096;
constexpr std::size_t kKey = 256;
constexpr std::size_t kScalar = 400;
constexpr std::size_t kDepth = 10'000;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::optional<double> number_of(std::string_view text) {
  if (text.empty() || !(text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) return std::nullopt;
  if (text[0] == '-' && (text.size() == 1 || text[1] < '0' || text[1] > '9')) return std::nullopt;
  if (text.back() < '0' || text.back() > '9') return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

bool Found::scalar_equals(std::string_view other) const {
  switch (kind) {
    case Kind::text:
      return tail.empty() && text == other;
    case Kind::boolean:
      return other == (truth ? "true" : "false");
    case Kind::null:
      return other == "null";
    case Kind::number: {
      if (text == other) return true;
      const auto value = number_of(other);
      return value && *value == number;
    }
    default:
      return false;
  }
}

Interest::Slot Interest::add(std::string_view pointer) {
  if (pointer.empty()) return kNone;
  std::vector<std::size_t> path{0};
  bool sums = false;
  for (const auto raw : split(pointer.substr(1), '/')) {
    const auto part = replace_all(replace_all(std::string(raw), "~1", "/"), "~0", "~");
    sums = sums || part == "*";
    const auto it = nodes_[path.back()].children.find(part);
    std::size_t next = nodes_.size();
    if (it != nodes_[path.back()].children.end()) {
      next = it->second;
    } else {
      nodes_.emplace_back();
      nodes_[path.back()].children.emplace(part, next);
    }
    path.push_back(next);
  }
  auto& slot = nodes_[path.back()].slot;
  if (slot == kNone) {
    slot = slots_++;
    if (!sums)
      for (const auto node : path) nodes_[node].below.push_back(slot);
  }
  return slot;
}

JsonSkimmer::JsonSkimmer(const Interest& interest)
    : interest_(&interest), values_(interest.slots()), dirty_(interest.slots()) {
  begin();
}

void JsonSkimmer::begin() {
  for (const auto slot : touched_) {
    values_[slot] = Found();
    dirty_[slot] = false;
  }
  touched_.clear();
  frames_.clear();
  current_.assign(1, 0);
  state_ = State::start;
  high_ = 0;
}

bool JsonSkimmer::feed(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size() && state_ != State::bad) {
    if (state_ == State::text) {
      std::size_t end = i;
      while (end < bytes.size() && bytes[end] != '"' && bytes[end] != '\\' &&
             static_cast<unsigned char>(bytes[end]) >= 0x20)
        ++end;
      put(bytes.substr(i, end - i));
      i = end;
      if (i == bytes.size()) break;
    }
    if (!one(bytes[i])) state_ = State::bad;
    ++i;
  }
  return state_ != State::bad;
}

bool JsonSkimmer::one(char c) {
  switch (state_) {
    case State::start:
      if (blank(c)) return true;
      if (c != '{') return false;
      enter(false);
      return true;
    case State::first_value:
      if (blank(c)) return true;
      if (c == ']') return leave(true);
      next_element();
      return begin_value(c);
    case State::value:
      return blank(c) || begin_value(c);
    case State::first_key:
      if (c == '}') return leave(false);
      [[fallthrough]];
    case State::key:
      if (blank(c)) return true;
      if (c != '"') return false;
      begin_text(true);
      return true;
    case State::colon:
      if (blank(c)) return true;
      if (c != ':') return false;
      state_ = State::value;
      return true;
    case State::after:
      if (blank(c)) return true;
      if (c == ']') return leave(true);
      if (c == '}') return leave(false);
      if (c != ',') return false;
      if (frames_.back().array) {
        next_element();
        state_ = State::value;
      } else {
        state_ = State::key;
      }
      return true;
    case State::text:
      if (c == '"') {
        end_text();
        return true;
      }
      state_ = State::escape;
      return c == '\\';
    case State::escape: {
      if (c == 'u') {
        code_ = digits_ = 0;
        state_ = State::unicode;
        return true;
      }
      static constexpr std::string_view names = "\"\\/bfnrt", codes = "\"\\/\b\f\n\r\t";
      const auto at = names.find(c);
      if (at == std::string_view::npos) return false;
      state_ = State::text;
      put(codes.substr(at, 1));
      return true;
    }
    case State::unicode: {
      unsigned digit = 0;
      if (c >= '0' && c <= '9')
        digit = static_cast<unsigned>(c - '0');
      else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        digit = static_cast<unsigned>((c | 0x20) - 'a') + 10;
      else
        return false;
      code_ = code_ * 16 + digit;
      if (++digits_ == 4) {
        state_ = State::text;
        put_code_point(code_);
      }
      return true;
    }
    case State::scalar:
      if (!blank(c) && c != ',' && c != ']' && c != '}') {
        scalar_ += c;
        return scalar_.size() <= kScalar;
      }
      return end_scalar() && one(c);
    case State::done:
      return blank(c);
    default:
      return false;
  }
}

bool JsonSkimmer::begin_value(char c) {
  if (c == '{' || c == '[') {
    if (frames_.size() >= kDepth) return false;
    enter(c == '[');
    return true;
  }
  if (c == '"') {
    begin_text(false);
    return true;
  }
  scalar_.assign(1, c);
  state_ = State::scalar;
  return c == '-' || (c >= '0' && c <= '9') || c == 't' || c == 'f' || c == 'n';
}

void JsonSkimmer::enter(bool array) {
  Found found;
  found.kind = array ? Found::Kind::array : Found::Kind::object;
  store(found);
  frames_.push_back({array, 0, current_});
  state_ = array ? State::first_value : State::first_key;
}

bool JsonSkimmer::leave(bool array) {
  if (frames_.empty() || frames_.back().array != array) return false;
  for (const auto node : frames_.back().nodes) {
    const auto slot = interest_->nodes_[node].slot;
    if (slot != Interest::kNone) values_[slot].size = frames_.back().count;
  }
  frames_.pop_back();
  state_ = frames_.empty() ? State::done : State::after;
  return true;
}

void JsonSkimmer::next_element() {
  Frame& frame = frames_.back();
  current_.clear();
  if (!frame.nodes.empty()) match(frame, std::to_string(frame.count));
  ++frame.count;
}

/// Makes the nodes of the frame's member `name` current and clears their values.
void JsonSkimmer::match(const Frame& frame, std::string_view name) {
  for (const auto node : frame.nodes) {
    const auto& children = interest_->nodes_[node].children;
    const auto take = [&](std::string_view key, bool sums) {
      const auto it = children.find(key);
      if (it == children.end() || std::find(current_.begin(), current_.end(), it->second) != current_.end())
        return;
      if (!sums) clear_below(it->second);
      current_.push_back(it->second);
    };
    take("*", true);
    take(name, false);
    if (frame.array) take("-1", false);
  }
}

void JsonSkimmer::clear_below(std::size_t node) {
  for (const auto slot : interest_->nodes_[node].below) values_[slot] = Found();
}

void JsonSkimmer::begin_text(bool is_key) {
  is_key_ = is_key;
  key_.clear();
  wanted_ = is_key ? !frames_.back().nodes.empty()
                   : std::any_of(current_.begin(), current_.end(), [&](std::size_t node) {
                       return interest_->nodes_[node].slot != Interest::kNone;
                     });
  text_ = Found();
  text_.kind = Found::Kind::text;
  high_ = 0;
  state_ = State::text;
}

void JsonSkimmer::put(std::string_view bytes) {
  if (bytes.empty()) return;
  high_ = 0;
  if (!wanted_) return;
  if (is_key_) {
    if (key_.size() <= kKey) key_ += bytes.substr(0, kKey + 1);
    return;
  }
  text_.size += bytes.size();
  const auto room = kText - text_.text.size();
  text_.text += bytes.substr(0, room);
  // The tail is the end of the whole text, so it also receives bytes that fit into the head.
  if (bytes.size() > kText) bytes.remove_prefix(bytes.size() - kText);
  text_.tail += bytes;
  if (text_.tail.size() > 4 * kText) text_.tail.erase(0, text_.tail.size() - kText);
}

void JsonSkimmer::put_code_point(unsigned code) {
  if (code >= 0xDC00 && code < 0xE000 && high_ != 0) {
    code = 0x10000 + ((high_ - 0xD800) << 10) + (code - 0xDC00);
    high_ = 0;
  } else if (code >= 0xD800 && code < 0xDC00) {
    high_ = code;
    return;
  }
  if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
  std::string out;
  append_utf8(out, code);
  put(out);
}

void JsonSkimmer::end_text() {
  if (is_key_) {
    Frame& frame = frames_.back();
    ++frame.count;
    current_.clear();
    if (wanted_ && key_.size() <= kKey) match(frame, key_);
    state_ = State::colon;
    return;
  }
  if (wanted_) {
    if (text_.tail.size() > kText) text_.tail.erase(0, text_.tail.size() - kText);
    if (text_.size <= text_.text.size()) text_.tail.clear();
    text_.size = 0;
    store(text_);
  }
  state_ = State::after;
}

bool JsonSkimmer::end_scalar() {
  Found found;
  if (scalar_ == "null") {
    found.kind = Found::Kind::null;
  } else if (scalar_ == "true" || scalar_ == "false") {
    found.kind = Found::Kind::boolean;
    found.truth = scalar_ == "true";
  } else if (const auto number = number_of(scalar_)) {
    found.kind = Found::Kind::number;
    found.number = *number;
    found.text = scalar_;
  } else {
    return false;
  }
  store(found);
  state_ = State::after;
  return true;
}

void JsonSkimmer::store(const Found& value) {
  for (const auto node : current_) {
    const auto& at = interest_->nodes_[node];
    if (at.slot == Interest::kNone) continue;
    if (!dirty_[at.slot]) touched_.push_back(at.slot);
    dirty_[at.slot] = true;
    auto& held = values_[at.slot];
    const bool sums = std::find(at.below.begin(), at.below.end(), at.slot) == at.below.end();
    if (sums && held.kind == Found::Kind::number) {
      if (value.kind == Found::Kind::number && value.number >= 0) {
        held.number += value.number;
        held.text.clear();
      }
    } else {
      held = value;
    }
  }
}

}  // namespace hydra::adapters
