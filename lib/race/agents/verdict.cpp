// Reads the files of an ended attempt and derives its verdict.
#include "race/agents/verdict.hpp"

#include "base/fd.hpp"
#include "race/agents/usage_file.hpp"
#include "race/state/agent_state.hpp"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace hydra::race {
namespace {

adapters::RunEnd run_end(const exec::JobResult& result, const exec::fs::path& attempt) {
  using How = adapters::RunEnd::How;
  static constexpr std::pair<exec::End, How> kHow[] = {
      {exec::End::exited, How::exited},
      {exec::End::signaled, How::signaled},
      {exec::End::oom, How::signaled},
      {exec::End::disk, How::signaled},
      {exec::End::no_room, How::signaled},
      {exec::End::timed_out, How::timed_out},
      {exec::End::idle, How::timed_out},
      {exec::End::cancelled, How::cancelled},
      {exec::End::start_failed, How::start_failed},
      {exec::End::lost, How::lost},
  };
  adapters::RunEnd end;
  for (const auto& [ended, how] : kHow)
    if (ended == result.end) end.how = how;
  end.code = result.code;
  end.signal = result.signal;
  end.message = result.message;
  end.wall_ms = result.wall_ms;
  end.stdout_bytes = result.out.total;
  const auto err = exec::read_log(attempt / "stderr.log", result.err);
  end.stderr_tail = err.size() > 16384 ? err.substr(err.size() - 16384) : err;
  return end;
}

// Names the cause of a failure by the machine, rather than by the agent or its provider.
void name_the_machine(const Attempt& attempt, model::Verdict& verdict) {
  const auto& result = attempt.result;
  if (result.message.empty()) return;
  const auto& who = attempt.descriptor.display;
  switch (result.end) {
    case exec::End::oom:
    case exec::End::disk:
    case exec::End::no_room:
      verdict.advice = result.end == exec::End::no_room
                           ? "make room there (`hydra clean`), or set [limits] disk_free_mib = 0"
                       : result.end == exec::End::disk ? "raise [limits] disk_bytes"
                                                       : "raise [limits] memory_bytes or processes";
      verdict.message = who + " was ended: " + result.message + "; " + verdict.advice;
      return;
    case exec::End::lost:
      verdict.message = who + ": " + result.message + (verdict.advice.empty() ? "" : "; " + verdict.advice);
      return;
    case exec::End::exited:
    case exec::End::signaled:
      if (verdict.outcome != model::Outcome::completed) verdict.message += " (" + result.message + ")";
      return;
    default:
      return;
  }
}

void read_on(adapters::StreamReader& reader, const exec::fs::path& log, std::uint64_t from,
             std::uint64_t to) {
  const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  std::string buffer(256u << 10, '\0');
  while (fd && from < to) {
    const auto n = ::pread(fd.get(), buffer.data(), std::min<std::uint64_t>(buffer.size(), to - from),
                           static_cast<off_t>(from));
    if (n <= 0) return;
    reader.feed({buffer.data(), static_cast<std::size_t>(n)});
    from += static_cast<std::uint64_t>(n);
  }
}

bool has_hole(const exec::LogFacts& log) { return log.hole_to > log.hole_from; }

// Returns whether the live reader saw the middle that the log has lost since.
bool read_along(const Attempt& attempt) {
  const auto& out = attempt.result.out;
  return has_hole(out) && attempt.live && attempt.live_offset >= out.hole_to;
}

// A killed run has no final usage file, but possibly a usage log.
void read_log_of_usage(adapters::StreamReader& reader, const Attempt& attempt) {
  const auto& log = attempt.descriptor.stream.usage_log;
  if (log.path.empty()) return;
  const auto session = reader.view().session;
  UsageLogSizes sizes;
  for (std::uint64_t read = 0; read < kUsageLogBytes;) {
    const auto parts =
        read_usage_log(log, attempt.run_dir, attempt.home, session, sizes, kUsageFileBytes / 8);
    if (parts.empty()) return;
    for (const auto& [name, offset, bytes] : parts) {
      reader.usage_log(bytes, offset, name);
      sizes[name] = offset + bytes.size();
      read += bytes.size();
    }
  }
}

}  // namespace

Judged read_and_judge(const Attempt& attempt) {
  const auto& result = attempt.result;
  const auto log = attempt.directory / "stdout.log";
  const auto& file = attempt.descriptor.stream.usage_file;
  auto own = read_along(attempt)
                 ? nullptr
                 : std::make_unique<adapters::StreamReader>(attempt.descriptor, attempt.options);
  adapters::StreamReader& reader = own ? *own : *attempt.live;
  if (own)
    reader.feed(exec::read_log(log, result.out));
  else
    read_on(reader, log, attempt.live_offset, result.out.total);
  const auto text =
      find_usage_file(file, attempt.run_dir, attempt.home, reader.view().session, kUsageFileBytes);
  const bool from_file = text && reader.usage_file(*text);
  if (!from_file) read_log_of_usage(reader, attempt);
  reader.finish();
  auto end = run_end(result, attempt.directory);
  end.silent_ms = attempt.silent_ms;
  // An end before the signal arrived belongs to the agent; an end by the signal belongs to Hydra.
  const bool stopped = attempt.stop && result.end == exec::End::cancelled && !attempt.cancelled;
  if (stopped && attempt.stop->reason == model::StopReason::finished) {
    end.how = adapters::RunEnd::How::exited;
    end.stopped_after_terminal = true;
  }
  const auto summary = reader.summary();
  Judged judged{adapters::judge(attempt.descriptor, summary, end), false};
  auto& verdict = judged.verdict;
  verdict.denied = summary.denied || adapters::stderr_denied(attempt.descriptor, end.stderr_tail);
  // The terminal event may have the total; lines to be summed are no longer complete.
  const bool at_end = summary.terminal && attempt.descriptor.stream.usage.mode == model::UsageMode::last &&
                      adapters::all_tokens(verdict.usage);
  const bool whole_file = from_file && file.rule.mode != model::UsageMode::sum;
  judged.incomplete =
      own && has_hole(result.out) && !at_end && !whole_file && adapters::all_tokens(verdict.usage);
  if (judged.incomplete) verdict.usage.partial = true;
  if (stopped && attempt.stop->reason == model::StopReason::finished) {
    if (verdict.message.empty()) verdict.message = attempt.stop->message + "; Hydra ended it";
  } else if (stopped) {
    verdict.outcome = outcome_of_stop(attempt.stop->reason, summary.events > 0 || !summary.structured);
    verdict.error_class = attempt.stop->error_class;
    verdict.advice = attempt.stop->advice;
    verdict.message = attempt.stop->message;
    if (!verdict.advice.empty()) verdict.message += "; " + verdict.advice;
  }
  if (!stopped) name_the_machine(attempt, verdict);
  if (verdict.session.empty()) verdict.session = attempt.session;
  if (verdict.session.empty() && summary.events > 0) verdict.session = attempt.own_session;
  return judged;
}

model::JobFacts job_facts(const exec::JobResult& result) {
  model::JobFacts facts;
  facts.attempt = result.key;
  facts.wall_ms = result.wall_ms;
  facts.cpu_user_ms = result.cpu_user_ms;
  facts.cpu_system_ms = result.cpu_system_ms;
  facts.max_rss_kib = result.max_rss_kib;
  facts.leaked = result.leaked;
  facts.output_bytes = result.out.total + result.err.total;
  facts.output_cut = result.out.hole_to > result.out.hole_from || result.err.hole_to > result.err.hole_from;
  facts.isolation = result.isolation;
  facts.end = result.end;
  if (result.end == exec::End::exited) facts.exit_code = result.code;
  if (result.signal != 0) facts.signal = result.signal;
  return facts;
}

}  // namespace hydra::race
