#include "cli/failed_log.hpp"

#include "base/strings.hpp"
#include "cli/log_text.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

constexpr std::size_t kLines = 10;
constexpr int kMostSlices = 16;  ///< of 1 MiB: more than is kept of a log by default

void keep_last(FailedLog& log, const std::string& text) {
  for (const auto line : lines(text)) {
    if (trim(line).empty()) continue;
    if (log.lines.size() == kLines) log.lines.erase(log.lines.begin());
    log.lines.emplace_back(line);
  }
}

}  // namespace

StepRef step_of_attempt(const std::string& attempt) {
  const auto parts = split(attempt, '/');
  if (parts.size() < 3) return {std::string(parts.front()), "setup"};
  return {std::string(parts.front()), std::string(parts[parts.size() - 2])};
}

std::string failed_attempt(const BaselineView& baseline) {
  if (!baseline.reason.empty()) return baseline.attempt;
  for (const auto& check : baseline.checks)
    if (check.status != "passed" && check.status != "skipped" && !check.attempt.empty()) return check.attempt;
  return {};
}

FailedLog read_failed_log(client::Client& client, const std::string& attempt) {
  FailedLog log{step_of_attempt(attempt), false, {}};
  LogText text;
  std::int64_t offset = 0;
  for (int slice = 0; slice < kMostSlices; ++slice) {
    const auto response = client.request(
        "GET", fmt::format("/v1/races/{}/logs/%40baseline?kind={}&stream=out&offset={}",
                           client::url_encode(log.step.race), client::url_encode(log.step.kind), offset));
    if (!response || response->status != 200) break;
    log.there = true;
    keep_last(log, text.feed(response->body));
    const auto header = response->headers.find("x-hydra-next-offset");
    const auto next = header == response->headers.end() ? std::nullopt : parse_int(header->second);
    if (!next || *next <= offset) break;
    offset = *next;
  }
  keep_last(log, text.finish());
  return log;
}

std::string failed_log_block(const FailedLog& log, const Style& style) {
  if (!log.there)
    return fmt::format("\nIts log went with race {}; `hydra check --fresh` runs it again.\n",
                       style.safe(log.step.race));
  if (log.lines.empty()) return {};
  std::string out = fmt::format("\nThe last lines of its {}:\n",
                                log.step.kind == "setup" ? "set-up" : style.safe(log.step.kind));
  for (const auto& line : log.lines) out += "  " + style.paint(Paint::dim, style.safe(line)) + "\n";
  return out;
}

}  // namespace hydra::cli
