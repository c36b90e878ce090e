// Fuzz target: an agent's output of any bytes, whole and in pieces, by the reader of one format. Both
// readings must agree. Built once for each format: HYDRA_FUZZ_FORMAT is text, jsonl, json_last or json_whole.
#include "adapters/adapters.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using namespace hydra;

const std::vector<model::AgentDescriptor>& agents() {
  static const auto all = [] {
    std::vector<model::AgentDescriptor> list;
    for (auto [id, descriptor] : adapters::builtin()) {
      // Every agent's rules, whatever its own format: the patterns and pointers are what differs.
      descriptor.stream.format = model::StreamFormat::HYDRA_FUZZ_FORMAT;
      descriptor.stream.max_line_bytes = 4096;
      list.push_back(std::move(descriptor));
    }
    return list;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto& descriptor = agents()[data[0] % agents().size()];
  const std::size_t piece = data[1] + 1u;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  adapters::ReaderOptions options;
  options.prices = adapters::builtin_prices();
  adapters::StreamReader whole(descriptor, options);
  whole.feed(text);
  whole.finish();
  adapters::StreamReader parts(descriptor, options);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    parts.feed(text.substr(at, piece));
    (void)parts.view();
  }
  parts.finish();
  const auto a = whole.summary(), b = parts.summary();
  if (a.events != b.events || a.log_lines != b.log_lines || a.terminal != b.terminal ||
      a.final_text != b.final_text)
    __builtin_trap();
  if (a.final_text.size() > 4096 || a.log_text.size() > 3 * 4096 || whole.view().last_line.size() > 200)
    __builtin_trap();
  if (a.usage.input.value_or(0) < 0 || a.usage.output.value_or(0) < 0) __builtin_trap();
  whole.usage_file(text);
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::exited;
  end.code = data[0] % 3;
  end.stderr_tail = text.substr(0, 4096);
  const auto verdict = adapters::judge(descriptor, whole, end);
  if (verdict.outcome == model::Outcome::unknown) __builtin_trap();
  if (verdict.message.find('\n') != std::string::npos) __builtin_trap();
  return 0;
}
