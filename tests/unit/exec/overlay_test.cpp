// Jobs over overlays: what the payload sees and can't do, what the machine never sees, and what a mount that
// fails says.
#include "base/strings.hpp"
#include "exec/attempt.hpp"
#include "job_harness.hpp"

#include <sched.h>
#include <sys/stat.h>

namespace hydra::exec::test {
namespace {

class Overlay : public testing::TestWithParam<OverlayAs> {
 protected:
  void SetUp() override { HYDRA_SKIP_LACKING(lack_for({Isolation::bwrap, GetParam()})); }
  JobSpec shell(const std::string& script) { return jobs.shell({Isolation::bwrap, GetParam()}, script); }
  std::string say(const JobSpec& spec) {
    const auto result = jobs.run(spec);
    EXPECT_EQ(name(result.end), "exited") << result.message;
    return jobs.out(spec, result) + jobs.err(spec, result);
  }
  fs::path layers(const std::string& name, const fs::path& lower, OverlayMount& overlay) {
    const fs::path base = jobs.dir.path / name;
    for (const char* d : {"upper", "work", "mount"}) fs::create_directories(base / d);
    overlay = {{lower}, base / "upper", base / "work", base / "mount"};
    return base;
  }
  Jobs jobs;
};

TEST_P(Overlay, WritesStayInTheLayerAndTheNextJobSeesThem) {
  spill(jobs.work() / "kept", "lower\n");
  spill(jobs.work() / "changed", "lower\n");
  spill(jobs.work() / "deleted", "lower\n");
  const auto first = shell("echo new > made; echo more >> changed; rm deleted; cat kept");
  EXPECT_EQ(say(first), "lower\n");
  auto second = first;
  second.key += "/second";
  second.attempt_dir += "-second";
  second.argv = {"sh", "-c", "cat made changed; ls"};
  EXPECT_EQ(say(second), "new\nlower\nmore\nchanged\nkept\nmade\n");
  EXPECT_EQ(slurp(jobs.work() / "changed"), "lower\n");
  EXPECT_EQ(slurp(jobs.work() / "deleted"), "lower\n");
  EXPECT_FALSE(fs::exists(jobs.work() / "made"));
}

TEST_P(Overlay, TheMachineNeverSeesTheMount) {
  const auto before = slurp("/proc/self/mountinfo");
  const auto spec = shell("touch up; while :; do sleep 0.05; done");
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(jobs.made(spec, "up")); });
  EXPECT_EQ(slurp("/proc/self/mountinfo"), before);
  EXPECT_TRUE(fs::is_empty(spec.sandbox.overlays.front().mount));
  Started started;
  ASSERT_EQ(read_started(spec.attempt_dir, spec.token, started), FileState::good);
  ASSERT_EQ(::kill(started.pid, SIGKILL), 0);
  EXPECT_EQ(name(jobs.wait(spec.key).end), "lost");
  machine::wait_until("the end of the job\'s processes",
                      [&] { return marked("HYDRA_ATTEMPT=" + spec.token).empty(); });
  EXPECT_EQ(slurp("/proc/self/mountinfo"), before);
  // Nothing holds the layers: they can be used again.
  auto again = spec;
  again.key += "/again";
  again.attempt_dir += "-again";
  again.argv = {"ls"};
  EXPECT_EQ(say(again), "up\n");
}

TEST_P(Overlay, IdentityAndPermissionsAreTheUsers) {
  spill(jobs.work() / "secret", "text");
  ::chmod((jobs.work() / "secret").c_str(), 0);
  const auto spec = shell(
      "id -u; cat secret 2>/dev/null && echo read; touch made && stat -c %u made secret; "
      "grep CapEff /proc/self/status; mkdir m && mount -t tmpfs x m 2>/dev/null && echo mounted; "
      "umount . 2>/dev/null && echo unmounted; true");
  const std::string id = std::to_string(::geteuid() == 0 ? 1000 : ::geteuid()) + "\n";
  EXPECT_EQ(say(spec), id + id + id + "CapEff:\t0000000000000000\n");
  struct stat facts {};
  ASSERT_EQ(::stat(jobs.made(spec, "made").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_uid, ::geteuid());
  EXPECT_EQ(facts.st_gid, ::getegid());
}

TEST_P(Overlay, GitTrustsTheTree) {
  HYDRA_NEEDS("git");
  ToolCall init;
  init.argv = {"git", "init", "-q", jobs.work().string()};
  init.env = {{"PATH", search_path()}, {"HOME", "/nonexistent"}};
  ASSERT_TRUE(run_tool(init)->ok());
  auto spec = shell(
      "git status --porcelain && git -c user.name=n -c user.email=e commit -q --allow-empty -m x && "
      "git log --format=%s");
  spec.env.emplace_back("HOME", "/nonexistent");
  EXPECT_EQ(say(spec), "x\n");
}

TEST_P(Overlay, DirectoriesOfTheTemplateCanBeRenamedAsRootOnly) {
  fs::create_directories(jobs.work() / "before");
  spill(jobs.work() / "before" / "file", "x\n");
  const auto rename = jobs.program({Isolation::bwrap, GetParam()},
                                   {"perl", "-e", "rename('before', 'after') ? print 'done' : print $!+0"});
  HYDRA_NEEDS("perl");
  EXPECT_EQ(say(rename), GetParam() == OverlayAs::root ? "done" : std::to_string(EXDEV));
}

TEST_P(Overlay, AnyPathAndManyLayers) {
  auto spec = shell("cat 0 1 49; echo x > new");
  const fs::path odd = jobs.dir.path / ("a:b,c\\d \"e\"=" + std::string(150, 'x'));
  auto& overlay = spec.sandbox.overlays.front();
  overlay.lower.clear();
  for (int i = 0; i < 50; ++i) {
    overlay.lower.push_back(odd / (std::string(150, 'y') + ":" + std::to_string(i)));
    fs::create_directories(overlay.lower.back());
    spill(overlay.lower.back() / std::to_string(i), std::to_string(i) + "\n");
  }
  overlay.upper = odd / "upper,:\\";
  overlay.work = odd / "work,:\\";
  overlay.mount = odd / "mount,:\\";
  for (const auto& path : {overlay.upper, overlay.work, overlay.mount}) fs::create_directories(path);
  spec.sandbox.binds = {{overlay.mount, jobs.work(), true, false}};
  EXPECT_EQ(say(spec), "0\n1\n49\n");
  EXPECT_EQ(slurp(overlay.upper / "new"), "x\n");
}

TEST_P(Overlay, AMountThatFailsSaysWhichAndWhy) {
  const auto failing = [&](const std::function<void(OverlayMount&)>& harm) {
    auto spec = shell("echo ran");
    harm(spec.sandbox.overlays.front());
    const auto result = jobs.run(spec);
    EXPECT_EQ(name(result.end), "start_failed");
    EXPECT_EQ(result.out.total, 0U);
    return result.message;
  };
  const auto says = [](const std::string& message, const std::string& path, const std::string& why) {
    EXPECT_NE(message.find(path), std::string::npos) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  const fs::path none = jobs.dir.path / "none", file = jobs.dir.path / "file", link = jobs.dir.path / "link";
  spill(file, "");
  fs::create_symlink(jobs.work(), link);
  says(failing([&](auto& o) { o.lower.push_back(none); }), none, "No such file or directory");
  says(failing([&](auto& o) { o.lower = {file}; }), file, "Not a directory");
  says(failing([&](auto& o) { o.upper = none; }), none, "No such file or directory");
  says(failing([&](auto& o) { o.upper = link; }), link, "");  // a link is no layer
  says(failing([&](auto& o) { o.work = none; }), none, "No such file or directory");
  says(failing([&](auto& o) { o.mount = none; }), none, "No such file or directory");
  says(failing([&](auto& o) { o.work = "/dev/shm"; }), "/dev/shm",
       "Invalid argument");  // another file system
}

TEST_P(Overlay, ACacheUnderAThrowAwayLayerIsNeverChanged) {
  // The user's cache in the user's home; the private home has it at the same place.
  const fs::path home = jobs.dir.path / "home", private_home = jobs.dir.path / "private";
  fs::create_directories(home / ".cache" / "tool");
  fs::create_directories(private_home / ".cache" / "tool");
  spill(home / ".cache" / "tool" / "entry", "cached\n");
  spill(home / "token", "secret");
  auto spec = shell("cd ~/.cache/tool && cat entry && echo poison > entry && echo more > new && ls; ls -A ~");
  OverlayMount cache;
  const auto base = layers("cache", home / ".cache" / "tool", cache);
  spec.sandbox.overlays.push_back(cache);
  spec.sandbox.home = home;
  spec.sandbox.private_home = private_home;
  spec.sandbox.binds.push_back({cache.mount, home / ".cache" / "tool", true, false});
  spec.env.emplace_back("HOME", home.string());
  EXPECT_EQ(say(spec), "cached\nentry\nnew\n.cache\n");
  EXPECT_EQ(slurp(home / ".cache" / "tool" / "entry"), "cached\n");
  EXPECT_FALSE(fs::exists(home / ".cache" / "tool" / "new"));
  EXPECT_EQ(slurp(base / "upper" / "entry"), "poison\n");
  EXPECT_TRUE(fs::is_empty(private_home / ".cache" / "tool"));
}

TEST(OverlayRefused, WithoutASandboxOrWithBadPaths) {
  Jobs jobs(LocalOptions{shim_path(), "/usr/bin/bwrap"});
  const auto refused = [&](const std::function<void(JobSpec&)>& harm) {
    auto spec = jobs.shell({Isolation::bwrap, OverlayAs::user}, "true");
    harm(spec);
    return !jobs.submit(spec).ok();
  };
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.isolation = Isolation::none; }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.overlays[0].lower.clear(); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.overlays[0].lower.resize(101, "/a"); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.overlays[0].lower = {"relative"}; }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.overlays[0].upper.clear(); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.overlays[0].mount = std::string("/a\0b", 4); }));
}

class Cpus : public testing::TestWithParam<Variant> {};

TEST_P(Cpus, ThePayloadHasThoseOfItsLimits) {
  HYDRA_SKIP_LACKING(lack_for(GetParam()));
  cpu_set_t own;
  ASSERT_EQ(::sched_getaffinity(0, sizeof own, &own), 0);
  int last = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &own)) last = cpu;
  Jobs jobs;
  auto spec = jobs.shell(GetParam(), "nproc; grep Cpus_allowed_list /proc/self/status");
  spec.limits.cpus = {last};
  EXPECT_EQ(jobs.out(spec, jobs.run(spec)), "1\nCpus_allowed_list:\t" + std::to_string(last) + "\n");
  auto all = jobs.shell(GetParam(), "nproc");
  EXPECT_EQ(jobs.out(all, jobs.run(all)), std::to_string(CPU_COUNT(&own)) + "\n");
  auto none = jobs.shell(GetParam(), "echo ran");
  none.limits.cpus = {-1, 1 << 20};
  const auto result = jobs.run(none);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_EQ(result.message, "the CPUs of this job can't be used: Invalid argument");
}

INSTANTIATE_TEST_SUITE_P(Isolations, Cpus, testing::ValuesIn(variants()), variant_name);
INSTANTIATE_TEST_SUITE_P(As, Overlay, testing::Values(OverlayAs::root, OverlayAs::user),
                         [](const auto& i) { return i.param == OverlayAs::root ? "root" : "user"; });

/// Most machines that run these tests as root would never see what an ordinary user sees.
TEST(AsOrdinaryUser, OverlaysHold) {
  HYDRA_NEEDS("setpriv", machine::Ability::other_users);
  TempDir dir;
  ASSERT_EQ(::chown(dir.path.c_str(), 1000, 1000), 0);
  ToolCall call;
  call.argv = {"setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups", "--bounding-set", "-all"};
  call.env = {{"PATH", search_path()}, {"TMPDIR", dir.path}, {"HOME", dir.path}};
  call.deadline = std::chrono::minutes(4);
  auto readable = call;
  for (const auto& word : {std::string("test"), std::string("-x"), shim_path().string()})
    readable.argv.push_back(word);
  if (!run_tool(readable)->ok()) GTEST_SKIP() << "no way for other users to the build directory";
  call.argv.push_back(fs::read_symlink("/proc/self/exe"));
  call.argv.emplace_back(
      "--gtest_filter=*Overlay*/user:*Layers*/user:*Cpus*/overlay_user:*Adoption.A*/overlay_user:"
      "*Conformance.C1_*/overlay_user:*Conformance.C4*/overlay_user:*Conformance.C5*/"
      "overlay_user:*Conformance.C13*/overlay_user:*Conformance.L*/overlay_user:*Trees*");
  const auto ran = run_tool(call);
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  EXPECT_EQ(ran->exit_code, 0) << ran->out << ran->err;
  EXPECT_NE(ran->out.find("[  PASSED  ]"), std::string::npos);
}

}  // namespace
}  // namespace hydra::exec::test
