#include "sim/fake_executor.hpp"

#include <algorithm>

namespace hydra::sim {
namespace {

std::string run_of(const std::string& key) { return key.substr(0, key.rfind('/')); }

}  // namespace

FakeExecutor::FakeExecutor(VirtualClock& clock, std::uint64_t seed, Faults faults)
    : clock_(clock), random_(seed), faults_(faults) {}

void FakeExecutor::later(std::int64_t milliseconds, VirtualClock::Work work) {
  if (faults_.blackout_every_ms > 0) {
    const auto phase = (clock_.now() + milliseconds) % faults_.blackout_every_ms;
    if (phase < faults_.blackout_ms) milliseconds += faults_.blackout_ms - phase;
  }
  clock_.after(milliseconds, std::move(work));
}

Result<void> FakeExecutor::submit(const exec::JobSpec& spec, OnEnd on_end) {
  if (const auto known = jobs_.find(spec.key); known != jobs_.end() && known->second.token == spec.token) {
    ++counts_.adopted;
    known->second.on_end = std::move(on_end);
    if (known->second.ended)
      later(1, [this, key = spec.key] {
        const auto found = jobs_.find(key);
        if (found != jobs_.end() && found->second.on_end) found->second.on_end(found->second.result);
      });
    return {};
  }
  if (++live_of_run_[run_of(spec.key)] > 1) ++counts_.two_tokens;
  counts_.most_live = std::max(counts_.most_live, ++live_);
  ++counts_.executions;
  auto& job = jobs_[spec.key];
  job = {};
  job.token = spec.token;
  job.on_end = std::move(on_end);
  job.result.key = spec.key;
  job.result.token = spec.token;
  const double median = spec.limits.wall.count() > 0 ? static_cast<double>(spec.limits.wall.count()) : 1000;
  const auto wall = random_.around(median, 0.8);
  job.result.wall_ms = wall;
  job.result.end = exec::End::exited;
  const auto told = [this, key = spec.key, token = spec.token](exec::End end) {
    return [this, key, token, end] { report(key, token, end); };
  };
  const auto again = [this, &job](std::int64_t when) {
    later(when, [listener = job.on_end, result = job.result] { listener(result); });
  };
  if (random_.chance(faults_.lost)) {
    ++counts_.lost;
    later(wall / 2 + 1, told(exec::End::lost));
  } else if (random_.chance(faults_.stale)) {
    ++counts_.stale;
    later(wall / 2 + 1, told(exec::End::lost));
    again(wall + 30'000);  // it had gone on all the time
  } else {
    later(wall, told(exec::End::exited));
    if (random_.chance(faults_.duplicate)) {
      ++counts_.duplicates;
      again(wall + random_.around(5000, 1));
    }
  }
  return {};
}

void FakeExecutor::report(const std::string& key, const std::string& token, exec::End end) {
  const auto found = jobs_.find(key);
  if (found == jobs_.end() || found->second.token != token) return;  // released
  auto& job = found->second;
  if (job.ended) return;
  job.ended = true;
  if (end == exec::End::lost) ++losses_[run_of(key)];
  --live_;
  const auto run = live_of_run_.find(run_of(key));
  if (--run->second == 0) live_of_run_.erase(run);
  job.result.end = end;
  const auto on_end = job.on_end;  // it may release the job
  if (on_end) on_end(exec::JobResult(job.result));
}

void FakeExecutor::cancel(const std::string& key) {
  if (const auto found = jobs_.find(key); found != jobs_.end())
    later(1, [this, key, token = found->second.token] { report(key, token, exec::End::cancelled); });
}

void FakeExecutor::release(const std::string& key) {
  if (const auto found = jobs_.find(key); found != jobs_.end() && found->second.ended) jobs_.erase(found);
}

std::vector<std::string> FakeExecutor::running() const {
  std::vector<std::string> keys;
  for (const auto& [key, job] : jobs_)
    if (!job.ended) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

void FakeExecutor::forget_listeners() {
  for (auto& [key, job] : jobs_) job.on_end = nullptr;
}

}  // namespace hydra::sim
