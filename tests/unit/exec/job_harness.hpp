// Runs jobs through the real executor and the real shim, and waits for events, never for time.
#pragma once

#include "backends.hpp"
#include "base/files.hpp"
#include "exec/attempt.hpp"
#include "exec/executor.hpp"
#include "exec/machine.hpp"
#include "exec/tool.hpp"
#include "support/machine.hpp"
#include "support/places.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdlib.h>
#include <string>
#include <unistd.h>

namespace hydra::exec::test {

inline fs::path shim_path() { return fs::path(places::binaries()) / "hydra-shim"; }
inline std::string search_path() { return "/usr/local/bin:/usr/bin:/bin"; }

struct TempDir {
  fs::path path;
  TempDir() {
    std::string pattern = (fs::temp_directory_path() / "hydra-exec-XXXXXX").string();
    path = fs::canonical(::mkdtemp(pattern.data()));
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() { (void)remove_tree(path); }
};

inline std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void spill(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Living processes whose first environment has `marker`.
inline std::set<int> marked(const std::string& marker) {
  std::set<int> pids;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (slurp(entry.path() / "environ").find(marker) != std::string::npos) pids.insert(std::stoi(name));
  }
  return pids;
}

/// In what a job runs: an isolation, for bwrap whether its work directory is an overlay, whether it has
/// control groups; and where: here, or as a job of Slurm.
struct Variant {
  Isolation isolation = Isolation::none;
  std::optional<OverlayAs> overlay{};
  bool grouped = false;
  bool slurm = false;
  Variant(Isolation i) : isolation(i) {}  // NOLINT(google-explicit-constructor)
  Variant(Isolation i, OverlayAs as) : isolation(i), overlay(as) {}
  static Variant with_groups(Isolation i) {
    Variant v(i);
    v.grouped = true;
    return v;
  }
  static Variant on_slurm(Isolation i) {
    Variant v(i);
    v.slurm = true;
    return v;
  }
  [[nodiscard]] bool contained() const { return is_container(isolation); }
};

inline std::vector<Variant> variants() {
  return {Isolation::none,
          Isolation::bwrap,
          {Isolation::bwrap, OverlayAs::root},
          {Isolation::bwrap, OverlayAs::user},
          Variant::with_groups(Isolation::none),
          Variant::with_groups(Isolation::bwrap)};
}
/// And what engines place or contain.
inline std::vector<Variant> all_variants() {
  auto all = variants();
  for (const Variant& more :
       std::vector<Variant>{Isolation::podman, Isolation::docker, Variant::on_slurm(Isolation::none),
                            Variant::on_slurm(Isolation::bwrap), Variant::on_slurm(Isolation::podman),
                            Variant::on_slurm(Isolation::docker)})
    all.push_back(more);
  return all;
}
inline std::string variant_name(const testing::TestParamInfo<Variant>& info) {
  if (info.param.slurm) return "slurm_" + std::string(name(info.param.isolation));
  if (info.param.contained()) return std::string(name(info.param.isolation));
  if (info.param.isolation == Isolation::none) return info.param.grouped ? "none_grouped" : "none";
  if (!info.param.overlay) return info.param.grouped ? "bwrap_grouped" : "bwrap";
  return *info.param.overlay == OverlayAs::root ? "overlay_root" : "overlay_user";
}
/// Engines run only where HYDRA_REQUIRE names them, and then a problem of theirs is a failure.
inline machine::Lack engine_lack(const std::string& engine, const std::function<std::string()>& problem) {
  if (!machine::required(engine)) return {"no HYDRA_REQUIRE=" + engine};
  const auto text = problem();
  return {text, !text.empty()};
}

inline machine::Lack lack_for(const Variant& variant) {
  using machine::Ability;
  machine::Lack lack;
  if (variant.isolation == Isolation::bwrap) lack = machine::lack({Ability::sandbox});
  if (lack.text.empty() && variant.overlay)
    lack = machine::lack(
        {Ability::overlays, variant.overlay == OverlayAs::root ? Ability::mounts : Ability::namespaces});
  if (lack.text.empty() && variant.grouped) lack = machine::lack({Ability::cgroups});
  if (lack.text.empty() && variant.slurm)
    lack = engine_lack("slurm", [] { return slurm_backend().problem(); });
  if (lack.text.empty() && variant.contained())
    lack = engine_lack(std::string(name(variant.isolation)),
                       [&] { return container_backend(variant.isolation).problem(); });
  return lack;
}

/// Everything that takes long is short, for tests.
inline SlurmOptions slurm_options() {
  using std::chrono::milliseconds;
  return {shim_path(),        find_program("bwrap", search_path()),
          milliseconds(3000), milliseconds(30),
          milliseconds(500),  milliseconds(1500),
          milliseconds(90000)};
}

inline LocalOptions options_for(const Variant& variant) {
  return {shim_path(), find_program("bwrap", search_path()),
          variant.grouped ? find_cgroups() : std::vector<CgroupParent>{}};
}

class Jobs {
 public:
  explicit Jobs(const Variant& variant = Isolation::none) : executor(another(variant)) {}
  explicit Jobs(LocalOptions options) : executor(make_local_executor(loop, std::move(options))) {}
  /// Returns another executor of the same kind, as a second daemon has it.
  std::unique_ptr<Executor> another(const Variant& variant) {
    if (variant.slurm) return make_slurm_executor(loop, slurm_options());
    return make_local_executor(loop, options_for(variant));
  }

  /// A job that is `script` for sh, in `work`, which it may write.
  JobSpec shell(Variant variant, const std::string& script) { return program(variant, {"sh", "-c", script}); }
  JobSpec program(Variant variant, std::vector<std::string> argv) {
    JobSpec spec;
    spec.key = "race/agent/check/" + std::to_string(++number_);
    static int tokens = 0;  // containers are named by them
    spec.token = "token-" + std::to_string(::getpid()) + "-" + std::to_string(++tokens) + ".";
    spec.argv = std::move(argv);
    spec.env = {{"PATH", search_path()}};
    spec.workdir = work();
    spec.attempt_dir = dir.path / "attempts" / std::to_string(number_);
    spec.sandbox.isolation = variant.isolation;
    fs::path shown = work();
    if (variant.overlay) {
      const fs::path layers = dir.path / "layers" / std::to_string(number_);
      for (const char* name : {"upper", "work", "mount"}) fs::create_directories(layers / name);
      spec.sandbox.overlays = {{{work()}, layers / "upper", layers / "work", layers / "mount"}};
      spec.sandbox.overlay_as = *variant.overlay;
      shown = layers / "mount";
    }
    if (variant.slurm) spec.cluster = ClusterRequest{};
    if (variant.contained()) {
      spec.sandbox.image = container_backend(variant.isolation).image();
      spec.sandbox.binds = ContainerBackend::binds();
    }
    spec.sandbox.binds.push_back({shown, work(), true, false});
    spec.durable = false;
    return spec;
  }
  fs::path work() {
    fs::create_directories(dir.path / "work");
    return dir.path / "work";
  }

  /// Returns the host's path of a file that the job made in its work directory.
  fs::path made(const JobSpec& spec, const std::string& name) {
    return (spec.sandbox.overlays.empty() ? work() : spec.sandbox.overlays.front().upper) / name;
  }

  Result<void> submit(const JobSpec& spec) {
    return executor->submit(spec, [this, key = spec.key](const JobResult& r) {
      results.insert_or_assign(key, r);
      ++ends[key];
    });
  }
  /// Lets the loop run until `holds`; false and a failure where the loop runs out of work or after a minute.
  bool run_loop(const std::string& awaited, const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    loop.restart();
    while (!holds() && loop.run_one_until(until) > 0) {
    }
    EXPECT_TRUE(holds()) << "waited for " << awaited;
    return holds();
  }
  /// Lets the loop run until the job has ended.
  JobResult wait(const std::string& key) {
    run_loop("the end of " + key, [&] { return results.count(key) != 0; });
    const auto it = results.find(key);
    if (it == results.end()) {
      ADD_FAILURE() << "no end of " << key;
      return {};
    }
    return it->second;
  }
  JobResult run(const JobSpec& spec) {
    const auto submitted = submit(spec);
    EXPECT_TRUE(submitted.ok()) << (submitted.ok() ? "" : submitted.error().message);
    return submitted.ok() ? wait(spec.key) : JobResult{};
  }
  /// Lets the loop run until `ready` (looked at every few milliseconds), or the job ends. What is ready once
  /// is ready: a count of processes, asked twice, may have two answers.
  void until(const std::string& key, const std::function<bool()>& ready) {
    boost::asio::steady_timer timer(loop);
    bool seen = ready();
    std::function<void()> look = [&] {
      timer.expires_after(std::chrono::milliseconds(3));
      timer.async_wait([&](const boost::system::error_code& failed) {
        if (failed || results.count(key) != 0) return;
        seen = ready();
        if (!seen) look();
      });
    };
    if (!seen) look();
    run_loop("what " + key + " makes", [&] { return seen || results.count(key) != 0; });
    timer.cancel();
    loop.poll();
  }
  std::string out(const JobSpec& spec, const JobResult& result) {
    return read_log(spec.attempt_dir / "stdout.log", result.out);
  }
  std::string err(const JobSpec& spec, const JobResult& result) {
    return read_log(spec.attempt_dir / "stderr.log", result.err);
  }

  TempDir dir;
  boost::asio::io_context loop;
  std::unique_ptr<Executor> executor;
  std::map<std::string, JobResult> results;
  std::map<std::string, int> ends;

 private:
  int number_ = 0;
};

}  // namespace hydra::exec::test
