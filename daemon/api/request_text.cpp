#include "daemon/api/request_text.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace hydra::api {
namespace {

std::string decode(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const auto byte = percent_byte(text.substr(i))) {
      out += *byte;
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

bool plain_segment(const std::string& segment) {
  return segment != ".." && segment != "." && segment.find('\0') == std::string::npos &&
         segment.find('/') == std::string::npos && to_utf8(segment) == segment;
}

const std::string kNothing;

}  // namespace

std::string bad_header(std::string_view header) {
  bool length = false, chunks = false;
  for (std::size_t begin = 0; begin < header.size();) {
    const auto end = header.find('\n', begin);
    if (end == std::string_view::npos) break;
    if (end == begin || header[end - 1] != '\r') return "a line of the header does not end with CR LF";
    const auto line = header.substr(begin, end - 1 - begin);
    if (begin > 0 && !line.empty() && (line.front() == ' ' || line.front() == '\t'))
      return "a line of the header is folded";
    const auto colon = std::min(line.find(':'), line.size());
    const auto name = to_lower(line.substr(0, colon));
    length = length || name == "content-length";
    if (name == "transfer-encoding") {
      if (chunks || colon == line.size() || to_lower(trim(line.substr(colon + 1))) != "chunked")
        return "a Transfer-Encoding other than one `chunked`";
      chunks = true;
    }
    begin = end + 1;
  }
  return length && chunks ? "both Content-Length and Transfer-Encoding" : std::string();
}

std::optional<Request> read_target(std::string_view target) {
  if (target.empty() || target.front() != '/') return std::nullopt;
  Request request;
  const auto mark = target.find('?');
  request.path = target.substr(0, mark);
  for (const auto part : split(std::string_view(request.path).substr(1), '/')) {
    auto segment = decode(part, false);
    if (!plain_segment(segment)) return std::nullopt;
    request.segments.push_back(std::move(segment));
  }
  if (mark == std::string_view::npos) return request;
  for (const auto pair : split(target.substr(mark + 1), '&')) {
    const auto equals = pair.find('=');
    const auto value = equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
    request.query.emplace_back(decode(pair.substr(0, equals), true), decode(value, true));
  }
  return request;
}

const std::string& Request::param(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return value;
  return kNothing;
}

const std::string& Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return kNothing;
}

std::size_t Request::count(std::string_view name) const {
  std::size_t found = 0;
  for (const auto& [key, value] : headers) found += key == name ? 1 : 0;
  return found;
}

}  // namespace hydra::api
