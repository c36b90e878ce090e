#include "integrity/report/tool_calls.hpp"

#include "base/fd.hpp"
#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>

namespace hydra::integrity {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLineBytes = 1u << 20;
constexpr std::size_t kMostLogBytes = 64u << 20;
constexpr int kDeepestCall = 64;

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
    // A tool's start and end events name one command twice in succession.
    auto& calls = found.calls;
    if (calls.empty() || calls.back().text != text) calls.push_back({to_utf8(text), line});
  }
}

struct KeptLog {
  std::string text;
  bool there = false;
  bool cut = false;  ///< `text` lacks a part of the log
};

// Reads a log around the hole in its middle, whose zeros are no output.
KeptLog kept_parts(const std::filesystem::path& log) {
  KeptLog kept;
  auto& text = kept.text;
  const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) return kept;
  kept.there = true;
  const off_t size = ::lseek(fd.get(), 0, SEEK_END);
  off_t at = 0;
  while (text.size() < kMostLogBytes) {
    const off_t data = ::lseek(fd.get(), at, SEEK_DATA);
    if (data < 0) break;
    if (data > at) text += '\n', kept.cut = true;
    const off_t hole = ::lseek(fd.get(), data, SEEK_HOLE);
    const auto room = std::min<std::size_t>(kMostLogBytes - text.size(), 1u << 20);
    const auto want = hole > data ? std::min(room, static_cast<std::size_t>(hole - data)) : room;
    const auto before = text.size();
    text.resize(before + want);
    const auto got = ::pread(fd.get(), text.data() + before, want, data);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) break;
    at = data + got;
  }
  kept.cut = kept.cut || at < size;
  return kept;
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
    // Depth is limited during parsing, before any value is built.
    const auto limit = [](int depth, json::parse_event_t, json&) { return depth <= kDeepestCall; };
    const auto value = json::parse(line, limit, false);
    if (!value.is_discarded()) collect(value, number, found);
  }
  return found;
}

Transcript read_transcript(const model::AgentDescriptor& descriptor,
                           const std::vector<std::filesystem::path>& logs) {
  Transcript out;
  if (descriptor.stream.format != model::StreamFormat::jsonl) {
    out.unseen.emplace_back("what the agent ran: its output does not list its tool calls");
    return out;
  }
  bool gone = false, cut = false;
  for (const auto& log : logs) {
    const auto kept = kept_parts(log);
    gone = gone || !kept.there;
    cut = cut || kept.cut;
    auto read = tool_calls(kept.text);
    cut = cut || !read.missing.empty();
    out.calls.insert(out.calls.end(), std::make_move_iterator(read.calls.begin()),
                     std::make_move_iterator(read.calls.end()));
  }
  if (out.calls.size() > kMostToolCalls) {
    out.calls.resize(kMostToolCalls);
    cut = true;
  }
  if (gone || logs.empty()) out.unseen.emplace_back("what the agent ran: its transcript is gone");
  if (cut) out.unseen.emplace_back("a part of what the agent ran: its transcript is not kept whole");
  return out;
}

}  // namespace hydra::integrity
