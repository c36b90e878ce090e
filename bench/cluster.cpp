// bench/cluster drives it, with a private Slurm up: what a job of Hydra costs beside `sbatch` of a bare
// script, and a thousand jobs while parts of the cluster are killed. SLURM_CONF says which Slurm.
#include "exec/slurm.hpp"
#include "exec/tool.hpp"
#include "exec/window.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <signal.h>
#include <string>
#include <unistd.h>

namespace {

using namespace hydra;
using namespace hydra::exec;
using Steady = std::chrono::steady_clock;

double since(Steady::time_point begin) {
  return std::chrono::duration<double>(Steady::now() - begin).count();
}

ToolOutput run(std::vector<std::string> argv, std::string input = {}) {
  ToolCall call;
  call.argv = std::move(argv);
  for (const char* name : {"PATH", "SLURM_CONF", "HYDRA_SLURM_PORT", "HOME"})
    if (const char* value = std::getenv(name)) call.env.emplace_back(name, value);
  call.input = std::move(input);
  const auto output = run_tool(call);
  return output.ok() ? *output : ToolOutput{127, "", output.error().message};
}

SlurmOptions options_of(const fs::path& shim) {
  SlurmOptions options;
  options.shim = shim;
  options.look = std::chrono::milliseconds(20);
  options.ask = std::chrono::milliseconds(2000);
  return options;
}

JobSpec job_of(const fs::path& place, int number, int attempt, const std::string& script) {
  JobSpec spec;
  spec.key = fmt::format("bench/job{}/check/{}", number, attempt);
  spec.token = fmt::format("bench-{}-{}-{}", ::getpid(), number, attempt);
  spec.argv = {"/bin/sh", "-c", script};
  spec.env = {{"PATH", "/usr/bin:/bin"}};
  spec.workdir = place;
  spec.attempt_dir = place / "attempts" / fmt::format("{}-{}", number, attempt);
  spec.durable = false;
  spec.cluster = ClusterRequest{};
  spec.cluster->options = {"--mem=50M"};
  return spec;
}

/// CPU seconds of everything in the control group that bench/cluster made; 0 where it could not.
double cpu_used() {
  const char* group = std::getenv("HYDRA_BENCH_CPUACCT");
  double nanoseconds = 0;
  if (group != nullptr) std::ifstream(std::string(group) + "/cpuacct.usage") >> nanoseconds;
  return nanoseconds / 1e9;
}

double ours(const fs::path& place, const fs::path& shim, int count, int from) {
  boost::asio::io_context loop;
  const auto slurm = make_slurm_executor(loop, options_of(shim));
  int good = 0;
  const auto begin = Steady::now();
  for (int i = 0; i < count; ++i)
    (void)slurm->submit(job_of(place, from + i, 1, "true"),
                        [&](const JobResult& r) { good += r.end == End::exited; });
  loop.run();
  if (good != count) fmt::print(stderr, "only {} of {} came to their end\n", good, count);
  return since(begin);
}

double bare(const fs::path& place, int count, int from) {
  const auto begin = Steady::now();
  for (int i = 0; i < count; ++i)
    run({"sbatch", "--parsable", "--no-requeue", "--export=NIL", "--mem=50M", "--ntasks=1",
         "--output=/dev/null", "--chdir=/"},
        fmt::format("#!/bin/sh\ntrue\n: > {}/bare-{}\n", place.string(), from + i));
  for (int i = 0; i < count; ++i)
    while (!fs::exists(place / fmt::format("bare-{}", from + i))) ::usleep(20000);
  return since(begin);
}

/// Until Slurm has nothing in its queue: what it still does belongs to the round that caused it.
void settle() {
  while (!run({"squeue", "--noheader"}).out.empty()) ::usleep(100000);
}

int overhead(const fs::path& place, const fs::path& shim, int count, int rounds) {
  double with = 0, without = 0, cpu_with = 0, cpu_without = 0;
  for (int round = 0; round < rounds; ++round) {
    auto before = cpu_used();
    without += bare(place, count, round * count);
    settle();
    cpu_without += cpu_used() - before;
    before = cpu_used();
    with += ours(place, shim, count, round * count);
    settle();
    cpu_with += cpu_used() - before;
  }
  fmt::print(
      "{{\"what\":\"overhead\",\"jobs\":{},\"bare_seconds\":{:.2f},\"hydra_seconds\":{:.2f},\"ratio\":{:.2f},"
      "\"bare_cpu_seconds\":{:.2f},\"hydra_cpu_seconds\":{:.2f},\"cpu_ratio\":{:.2f}}}\n",
      rounds * count, without, with, with / without, cpu_without, cpu_with,
      cpu_without > 0 ? cpu_with / cpu_without : 0);
  return 0;
}

/// A job after the other, each once more when it is lost; `hydrad` may be replaced in between.
class Soak {
 public:
  Soak(fs::path place, fs::path shim, std::string script, int count)
      : place_(std::move(place)), shim_(std::move(shim)), script_(std::move(script)), count_(count) {}

  int go() {
    const auto begin = Steady::now();
    begin_daemon();
    for (int i = 0; i < count_; ++i) submit(i, 1);
    watch();
    loop_.run();
    const int left = left_over();
    const bool whole = static_cast<int>(accepted_.size()) == count_ && twice_ == 0 && left == 0;
    fmt::print(
        "{{\"what\":\"soak\",\"jobs\":{},\"accepted\":{},\"lost_and_run_again\":{},\"accepted_twice\":{},"
        "\"left_over\":{},\"seconds\":{:.1f},\"whole\":{}}}\n",
        count_, accepted_.size(), again_, twice_, left, since(begin), whole);
    return whole ? 0 : 1;
  }

 private:
  void begin_daemon() {
    window_.reset();
    slurm_ = make_slurm_executor(loop_, options_of(shim_));
    window_ = make_window(loop_, *slurm_, 48);
  }
  void submit(int number, int attempt) {
    attempts_[number] = attempt;
    // The job's effect shows how often the job ran.
    const auto script = fmt::format("sleep 0.2; echo {} >> {}/ran-{}", attempt, place_.string(), number);
    (void)window_->submit(job_of(place_, number, attempt, script),
                          [this, number, attempt](const JobResult& r) {
                            if (r.end == End::exited) {
                              if (!accepted_.insert(number).second) ++twice_;
                            } else {
                              ++again_;
                              submit(number, attempt + 1);
                            }
                            strike();
                          });
  }
  void strike() {
    const auto done = static_cast<int>(accepted_.size());
    if (step_ == 0 && done >= count_ / 4 && ++step_ != 0) {
      ::kill(std::stoi(read("slurmd.n2.pid")), SIGKILL);  // its steps go on
      run({script_, "node", cluster(), "n2"});
    } else if (step_ == 1 && done >= count_ / 2 && ++step_ != 0) {
      ::kill(std::stoi(read("slurmctld.pid")), SIGTERM);
      while (fs::exists("/proc/" + trimmed(read("slurmctld.pid")) + "/exe")) ::usleep(50000);
      run({script_, "ctld", cluster()});
    } else if (step_ == 2 && done >= count_ * 3 / 4 && ++step_ != 0) {
      boost::asio::post(loop_, [this] { restart(); });
    }
  }
  /// All that the daemon knew is gone; every job that has no result is submitted again, as the same attempt.
  void restart() {
    begin_daemon();
    for (const auto& [number, attempt] : std::map<int, int>(attempts_))
      if (!accepted_.contains(number)) submit(number, attempt);
  }
  void watch() {
    timer_.expires_after(std::chrono::seconds(5));
    timer_.async_wait([this](const boost::system::error_code&) {
      fmt::print(stderr, "{} of {}, {} again\n", accepted_.size(), count_, again_);
      if (static_cast<int>(accepted_.size()) < count_) watch();
    });
  }
  static int left_over() {
    int left = 0;
    const auto mark = fmt::format("HYDRA_ATTEMPT=bench-{}-", ::getpid());
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::ifstream in(entry.path() / "environ", std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      left += text.find(mark) != std::string::npos;
    }
    return left;
  }
  static std::string trimmed(std::string text) { return text.substr(0, text.find('\n')); }
  static std::string cluster() { return fs::path(std::getenv("SLURM_CONF")).parent_path().string(); }
  static std::string read(const std::string& name) {
    std::ifstream in(cluster() + "/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path place_, shim_;
  std::string script_;
  int count_, step_ = 0, again_ = 0, twice_ = 0;
  boost::asio::io_context loop_;
  boost::asio::steady_timer timer_{loop_};
  std::unique_ptr<Executor> slurm_, window_;
  std::map<int, int> attempts_;
  std::set<int> accepted_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "overhead" && argc == 6)
    return overhead(argv[2], argv[3], std::atoi(argv[4]), std::atoi(argv[5]));
  if (what == "soak" && argc == 6) return Soak(argv[2], argv[3], argv[4], std::atoi(argv[5])).go();
  std::fputs("usage: bench_cluster overhead DIR SHIM JOBS ROUNDS | soak DIR SHIM PRIVATE-SLURM JOBS\n",
             stderr);
  return 2;
}
