#include "race/tool_calls.hpp"

#include "base/fd.hpp"
#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace hydra::race {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLineBytes = 1u << 20;
constexpr std::size_t kMostLogBytes = 64u << 20;
constexpr int kMostDepth = 64;

std::string command_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (value.is_array())
    for (const auto& word : value)
      if (word.is_string()) text += (text.empty() ? "" : " ") + word.get<std::string>();
  return text;
}

bool is_known(const std::string& key) {
  return key == "command" || key == "cmd" || key == "script" || key == "url";
}

void collect(const json& value, std::int64_t line, ToolCalls& found) {
  if (found.calls.size() >= kMostToolCalls) {
    found.missing = "its transcript has more than 20,000 tool calls";
    return;
  }
  if (value.is_array()) {
    for (const auto& item : value) collect(item, line, found);
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [key, member] : value.items()) {
    auto text = is_known(key) ? command_text(member) : std::string();
    if (text.empty()) {
      collect(member, line, found);
      continue;
    }
    if (key == "url") text = "webfetch " + text;
    if (text.size() > kMostToolCallBytes) {
      text.resize(kMostToolCallBytes);
      found.missing = "its transcript has a command of more than 8 KiB";
    }
    // A tool's start and its end name the same command, one line after the other.
    auto& calls = found.calls;
    if (calls.empty() || calls.back().text != text) calls.push_back({to_utf8(text), line});
  }
}

struct Log {
  std::string text;
  std::string missing;
};

// A long log has a hole in its middle, whose zeros are no output.
Log kept_parts(const std::filesystem::path& log) {
  Log read;
  auto& text = read.text;
  const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) {
    read.missing = "its transcript can't be read";
    return read;
  }
  for (off_t at = 0;;) {
    const off_t data = ::lseek(fd.get(), at, SEEK_DATA);
    if (data < 0) {
      if (const off_t end = ::lseek(fd.get(), 0, SEEK_END); end > at)
        read.missing = "its transcript has a hole at its end";
      break;
    }
    if (text.size() >= kMostLogBytes) {
      read.missing = "its transcript is longer than 64 MiB";
      break;
    }
    if (data > at) {
      text += '\n';
      read.missing = "the middle of its transcript was not kept";
    }
    const off_t hole = ::lseek(fd.get(), data, SEEK_HOLE);
    const auto room = std::min<std::size_t>(kMostLogBytes - text.size(), 1u << 20);
    const auto want = hole > data ? std::min(room, static_cast<std::size_t>(hole - data)) : room;
    const auto before = text.size();
    text.resize(before + want);
    const auto got = ::pread(fd.get(), text.data() + before, want, data);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) read.missing = "its transcript can't be read to its end";
    if (got <= 0) break;
    at = data + got;
  }
  return read;
}

}  // namespace

ToolCalls tool_calls(std::string_view jsonl) {
  ToolCalls found;
  std::int64_t number = 0;
  for (const auto line : lines(jsonl)) {
    ++number;
    if (line.size() > kMostLineBytes) {
      found.missing = "its transcript has a line of more than 1 MiB";
      continue;
    }
    if (!trim(line).starts_with('{')) continue;
    const auto names = [&](std::string_view key) { return line.find(key) != std::string_view::npos; };
    if (!names("\"command\"") && !names("\"cmd\"") && !names("\"script\"") && !names("\"url\"")) continue;
    // Depth is bounded before anything of it is built.
    const auto limit = [](int depth, json::parse_event_t, json&) { return depth <= kMostDepth; };
    const auto value = json::parse(line, limit, false);
    if (!value.is_discarded()) collect(value, number, found);
  }
  return found;
}

ToolCalls tool_calls(const model::AgentDescriptor& descriptor, const std::filesystem::path& log) {
  ToolCalls found;
  if (descriptor.stream.format != model::StreamFormat::jsonl) {
    found.missing = "its output is not JSON lines: its tool calls are not known";
    return found;
  }
  const auto read = kept_parts(log);
  found = tool_calls(read.text);
  if (!read.missing.empty()) found.missing = read.missing;
  return found;
}

}  // namespace hydra::race
