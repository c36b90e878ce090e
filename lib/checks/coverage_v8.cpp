// Which lines ran, by the byte ranges that Node writes (NODE_V8_COVERAGE).
#include "base/strings.hpp"
#include "checks/coverage.hpp"
#include "mutants/tokens.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace hydra::checks {
namespace {

using nlohmann::json;

struct V8Range {
  std::int64_t from = 0, to = 0;
  bool ran = false;
  bool function = false;  ///< a whole function, but for that of the module
};

struct V8Line {
  int number = 0;
  std::int64_t first = 0, end = 0;  ///< of its text, in units of UTF-16
};

// V8 counts units of UTF-16. Lines with tokens only: blank ones and comments are nothing to run.
std::vector<V8Line> v8_lines(const std::string& path, const std::string& text) {
  std::set<int> with_code;
  if (const auto scanned = mutants::scan(path, text))
    for (const auto& token : scanned->tokens) {
      const auto own = std::string_view(text).substr(token.begin, token.end - token.begin);
      if (own != "}" && own != ")" && own != ";" && own != "]") with_code.insert(token.line);
    }
  std::vector<V8Line> found;
  V8Line line{1, -1, 0};
  std::int64_t at = 0;
  const auto close = [&] {
    line.end = at;
    if (line.first >= 0 && with_code.contains(line.number)) found.push_back(line);
    line = {line.number + 1, -1, 0};
  };
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') close();
    if (line.first < 0 && c != ' ' && c != '\t' && c != '\n') line.first = at;
    if ((byte & 0xc0) != 0x80) at += byte >= 0xf0 ? 2 : 1;
  }
  close();
  return found;
}

std::vector<V8Range> v8_ranges(const json& script) {
  std::vector<V8Range> ranges;
  bool module = true;  // the first function is the whole file
  for (const auto& function : script.value("functions", json::array())) {
    bool whole = true;
    for (const auto& range : function.value("ranges", json::array())) {
      ranges.push_back({range.value("startOffset", std::int64_t{0}),
                        range.value("endOffset", std::int64_t{0}), range.value("count", std::int64_t{0}) > 0,
                        whole && !module});
      whole = false;
    }
    module = false;
  }
  return ranges;
}

// Inside a function: by the innermost range. A function that begins and ends on the line: by its own range.
// Anything else runs when the file is loaded, which is no test.
std::optional<bool> v8_ran(const std::vector<V8Range>& ranges, const V8Line& line) {
  const V8Range* inner = nullptr;
  bool inside = false;
  std::optional<bool> own;
  for (const auto& range : ranges) {
    if (range.from <= line.first && line.first < range.to) {
      if (range.function && range.from < line.first) inside = true;
      if (!inner || range.to - range.from <= inner->to - inner->from) inner = &range;
    }
    if (range.function && range.from >= line.first && range.to <= line.end)
      own = own.value_or(true) && range.ran;
  }
  if (own && !inside) return own;
  if (!inside || !inner) return std::nullopt;
  return inner->ran && own.value_or(true);
}

}  // namespace

void add_v8(std::string_view text, const Sources& sources, Coverage& coverage) {
  const auto document = json::parse(text, nullptr, false);
  if (!document.is_object()) return;
  try {
    for (const auto& script : document.value("result", json::array())) {
      const auto url = script.value("url", std::string());
      if (!url.starts_with("file://")) continue;
      for (const auto& [path, source] : sources) {
        if (!url.ends_with("/" + path)) continue;
        const auto ranges = v8_ranges(script);
        for (const auto& line : v8_lines(path, source))
          if (const auto ran = v8_ran(ranges, line)) hit(coverage[path], line.number, *ran);
      }
    }
  } catch (const json::exception&) {
    // Written by code that is being judged: what is not of this form says nothing.
  }
}

}  // namespace hydra::checks
