// Reads what an agent's attempt left, once it has ended, and says what became of it.
#include "race/verdict.hpp"

#include "race/usage_file.hpp"

namespace hydra::race {
namespace {

adapters::RunEnd run_end(const exec::JobResult& result, const exec::fs::path& attempt) {
  using How = adapters::RunEnd::How;
  adapters::RunEnd end;
  switch (result.end) {
    case exec::End::exited:
      end.how = How::exited;
      break;
    case exec::End::signaled:
    case exec::End::oom:
      end.how = How::signaled;
      break;
    case exec::End::timed_out:
    case exec::End::idle:
      end.how = How::timed_out;
      break;
    case exec::End::cancelled:
      end.how = How::cancelled;
      break;
    case exec::End::start_failed:
      end.how = How::start_failed;
      break;
    case exec::End::lost:
      end.how = How::lost;
      break;
  }
  end.code = result.code;
  end.signal = result.signal;
  end.message = result.message;
  end.wall_ms = result.wall_ms;
  end.stdout_bytes = result.out.total;
  const auto err = exec::read_log(attempt / "stderr.log", result.err);
  end.stderr_tail = err.size() > 16384 ? err.substr(err.size() - 16384) : err;
  return end;
}

model::Outcome outcome_of_stop(const std::string& reason) {
  if (reason == "auth") return model::Outcome::failed;
  if (reason == "idle") return model::Outcome::timed_out;
  return model::Outcome::over_budget;
}

}  // namespace

Judged read_and_judge(const Attempt& attempt) {
  const auto& result = attempt.result;
  adapters::StreamReader reader(attempt.descriptor, attempt.options);
  reader.feed(exec::read_log(attempt.directory / "stdout.log", result.out));
  if (const auto text = find_usage_file(attempt.descriptor.stream.usage_file, attempt.run_dir, attempt.home,
                                        reader.view().session, kUsageFileBytes))
    reader.usage_file(*text);
  reader.finish();
  auto end = run_end(result, attempt.directory);
  // What it did before the signal reached it is its own; what Hydra ended is Hydra's.
  const bool stopped = attempt.stop && result.end == exec::End::cancelled && !attempt.cancelled;
  if (stopped && attempt.stop->reason == "finished") {
    end.how = adapters::RunEnd::How::exited;
    end.stopped_after_terminal = true;
  }
  Judged judged{adapters::judge(attempt.descriptor, reader, end), adapters::denied(reader)};
  auto& verdict = judged.verdict;
  if (stopped && attempt.stop->reason == "finished") {
    if (verdict.message.empty()) verdict.message = attempt.stop->message + "; Hydra ended it";
  } else if (stopped) {
    verdict.outcome = outcome_of_stop(attempt.stop->reason);
    verdict.error_class = attempt.stop->error_class;
    verdict.advice = attempt.stop->advice;
    verdict.message = attempt.stop->message;
    if (!verdict.advice.empty()) verdict.message += "; " + verdict.advice;
  }
  if (verdict.session.empty()) verdict.session = attempt.session;
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
  facts.isolation = result.isolation == exec::Isolation::bwrap ? "bwrap" : "none";
  facts.end = exec::name(result.end);
  if (result.end == exec::End::exited) facts.exit_code = result.code;
  if (result.signal != 0) facts.signal = result.signal;
  return facts;
}

}  // namespace hydra::race
