#include "parsers/xml.hpp"

#include "base/utf8.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace hydra::parsers {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

void append_character(std::string& out, std::uint32_t c) {
  const bool valid = c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
  if (c < 0x20 && c != '\t')
    out += ' ';  // a line end inside a name would look like two names
  else
    append_utf8(out, valid ? c : 0xFFFD);
}

/// Drops "&#x27;" or "&#39;" from `s` and returns the character.
std::optional<std::uint32_t> eat_reference(std::string_view& s) {
  auto rest = s;
  if (!eat(rest, "&#")) return std::nullopt;
  const bool hexadecimal = eat(rest, "x") || eat(rest, "X");
  std::uint32_t value = 0;
  std::size_t n = 0;
  for (; n < rest.size() && n < 8 && rest[n] != ';'; ++n) {
    const char c = rest[n];
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c))
      value = value * (hexadecimal ? 16 : 10) + static_cast<std::uint32_t>(c - '0');
    else if (hexadecimal && lower >= 'a' && lower <= 'f')
      value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    else
      return std::nullopt;
  }
  if (n == 0 || n >= rest.size() || rest[n] != ';') return std::nullopt;
  s = rest.substr(n + 1);
  return value;
}

/// Returns the attribute's value without its quotes, not decoded.
std::optional<std::string_view> raw_value(std::string_view s, std::string_view name) {
  while (!s.empty()) {
    s.remove_prefix(std::min(s.find_first_not_of(kBlanks), s.size()));
    const auto equals = s.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    auto key = s.substr(0, equals);
    while (!key.empty() && blank(key.back())) key.remove_suffix(1);
    s.remove_prefix(equals + 1);
    s.remove_prefix(std::min(s.find_first_not_of(kBlanks), s.size()));
    if (s.empty() || (s[0] != '"' && s[0] != '\'')) return std::nullopt;
    const auto end = s.find(s[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    if (key == name) return s.substr(1, end - 1);
    s.remove_prefix(end + 1);
  }
  return std::nullopt;
}

}  // namespace

std::string xml_text(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    if (raw[0] == '&') {
      if (const auto c = eat_reference(raw)) {
        append_character(out, *c);
        continue;
      }
      constexpr std::pair<std::string_view, char> kNamed[] = {
          {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
      const auto* found = std::find_if(std::begin(kNamed), std::end(kNamed),
                                       [&raw](const auto& entity) { return eat(raw, entity.first); });
      if (found != std::end(kNamed)) {
        out += found->second;
        continue;
      }
    }
    out += raw[0] == '\n' || raw[0] == '\r' ? ' ' : raw[0];
    raw.remove_prefix(1);
  }
  return out;
}

std::string XmlTag::value(std::string_view attribute) const {
  const auto raw = raw_value(attributes, attribute);
  return raw ? xml_text(*raw) : std::string();
}

bool XmlTag::has(std::string_view attribute) const { return raw_value(attributes, attribute).has_value(); }

bool XmlReader::skip_to(std::string_view end, std::size_t from) {
  const auto found = text_.find(end, from);
  at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  return found != std::string_view::npos;
}

/// Skips "<!DOCTYPE a [ <!ENTITY b "…"> ]>", whatever the declarations.
bool XmlReader::skip_doctype() {
  char quote = 0;
  std::size_t brackets = 0;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[') {
      ++brackets;
    } else if (c == ']' && brackets > 0) {
      --brackets;
    } else if (c == '>' && brackets == 0) {
      ++at_;
      return true;
    }
  }
  return false;
}

bool XmlReader::next(XmlTag& tag) {
  if (ended_) return false;
  while (true) {
    at_ = std::min(text_.find('<', at_), text_.size());
    const auto rest = text_.substr(at_);
    if (rest.empty()) return false;
    if (rest.starts_with("<![CDATA[")) {
      if (!skip_to("]]>", at_)) return false;
    } else if (rest.starts_with("<!--")) {
      if (!skip_to("-->", at_ + 4)) return false;
    } else if (rest.starts_with("<?")) {
      if (!skip_to("?>", at_)) return false;
    } else if (rest.starts_with("<!")) {
      if (!skip_doctype()) return false;
    } else {
      break;
    }
  }
  char quote = 0;
  std::size_t end = at_ + 1;
  for (; end < text_.size(); ++end) {
    const char c = text_[end];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      break;
    }
  }
  if (end >= text_.size()) {
    at_ = text_.size();
    return false;
  }
  auto body = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  tag.kind = XmlTag::Kind::open;
  if (eat(body, "/")) tag.kind = XmlTag::Kind::close;
  if (eat_end(body, "/")) tag.kind = XmlTag::Kind::empty;
  const auto stop = std::min(body.find_first_of(kBlanks), body.size());
  tag.name = body.substr(0, stop);
  tag.attributes = body.substr(stop);
  if (const auto colon = tag.name.find(':'); colon != std::string_view::npos)
    tag.name.remove_prefix(colon + 1);
  if (tag.kind == XmlTag::Kind::open) ++depth_;
  if (tag.kind == XmlTag::Kind::close && depth_ > 0) --depth_;
  if (depth_ == 0) ended_ = true;
  return true;
}

}  // namespace hydra::parsers
