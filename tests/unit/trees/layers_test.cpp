// Layers that are written from outside: a job in the mounted overlay sees what a plain tree would hold.
#include "trees/layers.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "unit/exec/job_harness.hpp"

#include <algorithm>
#include <random>
#include <sys/stat.h>

namespace hydra::trees {
namespace {

constexpr mode_t kFile = 0100644, kProgram = 0100755, kLink = 0120000, kDirectory = 0040000;

/// A tree as lines, one an entry: "path f644 text", "path l target", "path d". Files hold one line each.
using Tree = std::set<std::string>;

const char* const kShow =
    "find . -type f -printf '%P f%m ' -exec cat {} ';' ; find . -type l -printf '%P l %l\\n'; "
    "find . -mindepth 1 -type d -printf '%P d\\n'; find . ! -type f ! -type l ! -type d -printf '%P ?%y\\n'";

Tree tree_of(const std::string& text) {
  Tree tree;
  for (const auto line : lines(text)) tree.emplace(line);
  return tree;
}

/// Model of what git would do, on a map.
class Model {
 public:
  void put(const std::string& path, mode_t mode, const std::string& bytes) {
    for (auto at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
      auto& parent = entries_[path.substr(0, at)];
      if (parent != "d") parent = "d";
    }
    if (mode == kDirectory) emptied_.erase(path);
    if (mode == kDirectory && entries_[path] == "d") return;
    erase(path);
    entries_[path] = mode == kDirectory ? "d"
                     : mode == kLink
                         ? "l " + bytes
                         : (mode == kProgram ? "f755 " : "f644 ") + bytes.substr(0, bytes.size() - 1);
  }
  void remove(const std::string& path) {
    if (entries_.count(path) == 0) return;
    erase(path);
    if (const auto at = path.rfind('/'); at != std::string::npos) emptied_.insert(path.substr(0, at));
  }
  void finish() {
    while (!emptied_.empty()) {
      const std::string path = *std::max_element(emptied_.begin(), emptied_.end(),
                                                 [](auto& a, auto& b) { return a.size() < b.size(); });
      emptied_.erase(path);
      const auto next = entries_.lower_bound(path + "/");
      const bool used = next != entries_.end() && next->first.compare(0, path.size() + 1, path + "/") == 0;
      const auto it = entries_.find(path);
      if (it == entries_.end() || it->second != "d" || used) continue;
      entries_.erase(it);
      if (const auto at = path.rfind('/'); at != std::string::npos) emptied_.insert(path.substr(0, at));
    }
  }
  [[nodiscard]] Tree tree() const {
    Tree lines;
    for (const auto& [path, what] : entries_) lines.insert(path + " " + what);
    return lines;
  }
  [[nodiscard]] const std::map<std::string, std::string>& entries() const { return entries_; }

 private:
  void erase(const std::string& path) {
    entries_.erase(path);
    auto from = entries_.lower_bound(path + "/");
    while (from != entries_.end() && from->first.compare(0, path.size() + 1, path + "/") == 0)
      from = entries_.erase(from);
  }
  std::map<std::string, std::string> entries_;
  std::set<std::string> emptied_;
};

void fill(const fs::path& root, const Model& model) {
  for (const auto& [path, what] : model.entries()) {
    if (what == "d") {
      fs::create_directories(root / path);
    } else if (what[0] == 'l') {
      fs::create_symlink(what.substr(2), root / path);
    } else {
      exec::test::spill(root / path, what.substr(5) + "\n");
      ::chmod((root / path).c_str(), what[1] == '7' ? 0755 : 0644);
    }
  }
}

class Layers : public testing::TestWithParam<exec::OverlayAs> {
 protected:
  void SetUp() override {
    HYDRA_SKIP_LACKING(exec::test::lack_for({exec::Isolation::bwrap, GetParam()}));
    for (const char* name : {"lower", "upper", "scratch", "mount"}) fs::create_directory(dir() / name);
    overlay = {{dir() / "lower"}, dir() / "upper", dir() / "scratch", dir() / "mount"};
  }
  fs::path dir() { return jobs.dir.path; }
  std::string run(const std::string& script) {
    auto spec = jobs.shell(exec::Isolation::bwrap, script);
    spec.sandbox.overlays = {overlay};
    spec.sandbox.overlay_as = GetParam();
    spec.sandbox.binds = {{overlay.mount, jobs.work(), true, false}};
    const auto result = jobs.run(spec);
    EXPECT_EQ(name(result.end), "exited") << result.message;
    EXPECT_EQ(result.code, 0) << jobs.err(spec, result);
    return jobs.out(spec, result);
  }
  Tree seen() { return tree_of(run(kShow)); }
  std::unique_ptr<TreeWriter> writer() {
    auto made = layer_writer(overlay, GetParam());
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(made).value();
  }
  exec::test::Jobs jobs;
  exec::OverlayMount overlay;
};

TEST_P(Layers, FilesLinksAndDirectoriesChangePlaces) {
  for (const char* d : {"deep/er", "gone/sub", "into"}) fs::create_directories(dir() / "lower" / d);
  for (const char* f : {"deep/er/one", "gone/a", "gone/sub/b", "into/x", "file", "keep"})
    exec::test::spill(dir() / "lower" / f, "old\n");
  fs::create_symlink("keep", dir() / "lower" / "link");
  {
    const auto w = writer();
    ASSERT_TRUE(w->put("deep/er/one", kProgram, "new\n").ok());
    ASSERT_TRUE(w->put("deep/er/two/three", kFile, "made\n").ok());
    ASSERT_TRUE(w->remove("gone/a").ok());
    ASSERT_TRUE(w->remove("gone/sub/b").ok());
    ASSERT_TRUE(w->put("into", kFile, "a file now\n").ok());   // directory -> file
    ASSERT_TRUE(w->put("file/below", kFile, "in it\n").ok());  // file -> directory
    ASSERT_TRUE(w->put("link", kFile, "no link\n").ok());      // link -> file
    ASSERT_TRUE(w->put("keep", kLink, "deep/er/one").ok());    // file -> link
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(seen(), (Tree{"deep d", "deep/er d", "deep/er/one f755 new", "deep/er/two d",
                          "deep/er/two/three f644 made", "into f644 a file now", "file d",
                          "file/below f644 in it", "link f644 no link", "keep l deep/er/one"}));
  EXPECT_EQ(exec::test::slurp(dir() / "lower" / "gone" / "a"), "old\n");
  EXPECT_EQ(exec::test::slurp(dir() / "lower" / "keep"), "old\n");
}

TEST_P(Layers, AReplacedDirectoryShowsNothingOfTheOldOne) {
  fs::create_directories(dir() / "lower" / "build" / "obj");
  exec::test::spill(dir() / "lower" / "build" / "obj" / "stale.o", "stale\n");
  exec::test::spill(dir() / "lower" / "build" / "cache", "stale\n");
  {
    const auto w = writer();
    ASSERT_TRUE(w->remove("build").ok());
    ASSERT_TRUE(w->put("build/fresh", kFile, "fresh\n").ok());
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(seen(), (Tree{"build d", "build/fresh f644 fresh"}));
  // Through a file in between, too.
  {
    const auto w = writer();
    ASSERT_TRUE(w->put("build", kFile, "file\n").ok());
    ASSERT_TRUE(w->put("build/again", kFile, "again\n").ok());
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(seen(), (Tree{"build d", "build/again f644 again"}));
}

TEST_P(Layers, WhatAJobHasDeletedStaysDeleted) {
  fs::create_directories(dir() / "lower" / "a" / "b");
  exec::test::spill(dir() / "lower" / "a" / "b" / "c", "old\n");
  exec::test::spill(dir() / "lower" / "a" / "d", "old\n");
  run("rm -r a/b; mkdir -p fresh; echo made > fresh/one");
  {
    const auto w = writer();
    ASSERT_TRUE(w->put("a/b/new", kFile, "new\n").ok());
    ASSERT_TRUE(w->remove("a/d").ok());
    ASSERT_TRUE(w->remove("fresh/one").ok());
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(seen(), (Tree{"a d", "a/b d", "a/b/new f644 new"}));
  // Nothing odd is left in a directory that the kernel must be able to remove.
  run("rm -r a; test ! -e a; mkdir a; ls -A a");
  EXPECT_EQ(seen(), (Tree{"a d"}));
}

TEST_P(Layers, NoLinkIsFollowed) {
  const fs::path outside = dir() / "outside";
  fs::create_directory(outside);
  exec::test::spill(outside / "file", "precious\n");
  fs::create_directory_symlink(outside, dir() / "lower" / "low");
  fs::create_directory_symlink(outside, dir() / "upper" / "up");
  fs::create_symlink(outside / "file", dir() / "upper" / "name");
  fs::create_directory_symlink(outside, dir() / "lower" / "kept");
  {
    const auto w = writer();
    ASSERT_TRUE(w->put("low/file", kFile, "written\n").ok());
    ASSERT_TRUE(w->put("up/file", kFile, "written\n").ok());
    ASSERT_TRUE(w->put("name", kFile, "written\n").ok());
    ASSERT_TRUE(w->remove("kept/file").ok());  // nothing there: `kept` is no directory
    EXPECT_EQ(w->set_mtime("kept/file", {}).error().code, Errc::not_found);
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(exec::test::slurp(outside / "file"), "precious\n");
  EXPECT_EQ(seen(), (Tree{"low d", "low/file f644 written", "up d", "up/file f644 written",
                          "name f644 written", "kept l " + outside.string()}));
}

TEST_P(Layers, PathsThatLeadElsewhereAreRefused) {
  const auto w = writer();
  for (const fs::path path : {"", "/etc/x", "../x", "a/../../x", "a//b", "a/./b", "a/", ".", ".."}) {
    EXPECT_EQ(w->put(path, kFile, "x").error().code, Errc::usage) << path;
    EXPECT_EQ(w->remove(path).error().code, Errc::usage) << path;
    EXPECT_EQ(w->set_mtime(path, {}).error().code, Errc::usage) << path;
  }
  EXPECT_TRUE(fs::is_empty(dir() / "upper"));
}

TEST_P(Layers, ModesOfDirectoriesAndTimesAreKept) {
  fs::create_directories(dir() / "lower" / "private" / "in");
  ::chmod((dir() / "lower" / "private").c_str(), 0750);
  {
    const auto w = writer();
    ASSERT_TRUE(w->put("private/in/file", kFile, "x\n").ok());
    ASSERT_TRUE(w->put("link", kLink, "nowhere").ok());
    ASSERT_TRUE(w->set_mtime("private/in/file", {1234567890, 123456789}).ok());
    ASSERT_TRUE(w->set_mtime("link", {1234567891, 0}).ok());
    EXPECT_EQ(w->set_mtime("private/none", {1, 0}).error().code, Errc::not_found);
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(run("stat -c %a private; stat -c %.9Y private/in/file; stat -c %Y link"),
            "750\n1234567890.123456789\n1234567891\n");
}

TEST_P(Layers, SeveralLowersWithTheirOwnMarks) {
  fs::create_directories(dir() / "base" / "d" / "e");
  exec::test::spill(dir() / "base" / "d" / "e" / "deep", "base\n");
  exec::test::spill(dir() / "base" / "d" / "x", "base\n");
  exec::test::spill(dir() / "base" / "d" / "y", "base\n");
  // The layer between is what a job left behind: a file removed, a directory replaced.
  overlay.lower = {dir() / "base"};
  overlay.upper = dir() / "lower";
  run("rm d/x; rm -r d/e; mkdir d/e; echo middle > d/e/new");
  overlay.lower = {dir() / "lower", dir() / "base"};
  overlay.upper = dir() / "upper";
  ASSERT_TRUE(remove_tree(dir() / "scratch" / "work").ok());  // its mode is 0
  {
    const auto w = writer();
    ASSERT_TRUE(w->put("d/e/top", kFile, "top\n").ok());
    ASSERT_TRUE(w->remove("d/y").ok());
    ASSERT_TRUE(w->remove("d/x").ok());
    ASSERT_TRUE(w->finish().ok());
  }
  EXPECT_EQ(seen(), (Tree{"d d", "d/e d", "d/e/new f644 middle", "d/e/top f644 top"}));
  EXPECT_FALSE(fs::exists(fs::symlink_status(dir() / "upper" / "d" / "x")));  // no mark where none is needed
}

TEST_P(Layers, AJobAndAWriterExcludeEachOther) {
  auto spec = jobs.shell(exec::Isolation::bwrap, "touch up; sleep 600");
  spec.sandbox.overlays = {overlay};
  spec.sandbox.overlay_as = GetParam();
  spec.sandbox.binds = {{overlay.mount, jobs.work(), true, false}};
  {
    const auto w = writer();
    const auto result = jobs.run(spec);
    EXPECT_EQ(name(result.end), "start_failed");
    EXPECT_EQ(result.message, "the overlay's layer is in use by another job: " + overlay.upper.string());
  }
  spec.key += "/again";
  spec.attempt_dir += "-again";
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(overlay.upper / "up"); });
  EXPECT_EQ(layer_writer(overlay, GetParam()).error().code, Errc::conflict);
  jobs.executor->cancel(spec.key);
  EXPECT_EQ(name(jobs.wait(spec.key).end), "cancelled");
  EXPECT_TRUE(layer_writer(overlay, GetParam()).ok());
}

/// A user's overlay can't rename directories of the lower layer.
class LayersAsRoot : public Layers {};

TEST_P(LayersAsRoot, ARenamedDirectoryIsNotGuessedAt) {
  fs::create_directories(dir() / "lower" / "before");
  exec::test::spill(dir() / "lower" / "before" / "file", "x\n");
  run("mv before after; cat after/file");
  const auto w = writer();
  EXPECT_EQ(w->put("after/file", kFile, "y\n").error().code, Errc::unsupported);
  EXPECT_EQ(w->remove("after/file").error().code, Errc::unsupported);
}

/// Random changes: the overlay and a plain directory both hold what the model says, round after round, with a
/// job's own changes in between.
TEST_P(Layers, RandomChangesGiveTheModelsTree) {
  std::mt19937 random(20240611);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto path = [&] {
    std::string p;
    for (std::size_t depth = 1 + below(3); depth > 0; --depth)
      p += (p.empty() ? "" : "/") + std::string(1, static_cast<char>('a' + below(3)));
    return p;
  };
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    Model model;
    for (std::size_t i = 2 + below(8); i > 0; --i) {
      const auto kind = below(6);
      model.put(path(), kind == 0 ? kLink : kind == 1 ? kDirectory : kFile, kind == 0 ? "a/b" : "lower\n");
    }
    const fs::path base = dir() / ("round" + std::to_string(round));
    for (const char* name : {"lower", "upper", "scratch", "mount", "plain"})
      fs::create_directories(base / name);
    fill(base / "lower", model);
    fill(base / "plain", model);
    overlay = {{base / "lower"}, base / "upper", base / "scratch", base / "mount"};
    for (int turn = 0; turn < 3; ++turn) {
      std::string log;
      {
        const auto w = writer();
        auto plain = directory_writer(base / "plain");
        ASSERT_TRUE(plain.ok());
        for (std::size_t i = 1 + below(8); i > 0; --i) {
          const auto p = path();
          const auto kind = below(8);
          const mode_t mode = kind == 3 ? kLink : kind == 4 ? kDirectory : kind == 5 ? kProgram : kFile;
          const std::string text = mode == kLink ? "../" + p : "turn " + std::to_string(turn) + "\n";
          log += (kind < 3 ? "remove " : "put " + std::to_string(mode) + " ") + p + "\n";
          if (kind < 3)
            model.remove(p);
          else
            model.put(p, mode, text);
          for (TreeWriter* each : {w.get(), plain->get()}) {
            const auto done = kind < 3 ? each->remove(p) : each->put(p, mode, text);
            ASSERT_TRUE(done.ok()) << describe(done.error()) << "\n" << log;
          }
        }
        model.finish();
        ASSERT_TRUE(w->finish().ok());
        ASSERT_TRUE((*plain)->finish().ok());
      }
      ASSERT_EQ(seen(), model.tree()) << log;
      auto show = jobs.shell(exec::Isolation::none, kShow);
      show.workdir = base / "plain";
      const auto shown = jobs.run(show);
      ASSERT_EQ(tree_of(jobs.out(show, shown)), model.tree()) << log;
      // A job makes its own changes in both trees.
      const std::string own =
          "rm -rf " + path() + "; test -d c || rm -rf c; mkdir -p c; rm -rf c/c; echo job > c/c";
      run(own);
      auto same = jobs.shell(exec::Isolation::none, own);
      same.workdir = base / "plain";
      jobs.run(same);
      model = Model();
      for (const auto& line : seen()) {
        const auto at = line.find(' ');
        const auto what = line.substr(at + 1);
        if (what == "d")
          model.put(line.substr(0, at), kDirectory, "");
        else if (what[0] == 'l')
          model.put(line.substr(0, at), kLink, what.substr(2));
        else
          model.put(line.substr(0, at), what[1] == '7' ? kProgram : kFile, what.substr(5) + "\n");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(As, LayersAsRoot, testing::Values(exec::OverlayAs::root));
INSTANTIATE_TEST_SUITE_P(As, Layers, testing::Values(exec::OverlayAs::root, exec::OverlayAs::user),
                         [](const auto& i) { return i.param == exec::OverlayAs::root ? "root" : "user"; });

}  // namespace
}  // namespace hydra::trees
