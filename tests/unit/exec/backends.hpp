// Engines that few machines have: podman and a private Slurm, made for the tests that HYDRA_REQUIRE asks for.
#pragma once

#include "base/files.hpp"
#include "exec/container.hpp"
#include "exec/executor.hpp"
#include "exec/slurm.hpp"
#include "exec/tool.hpp"
#include "support/places.hpp"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>

namespace hydra::exec::test {

/// A directory that goes with the process.
class BackendPlace {
 public:
  explicit BackendPlace(const std::string& name) {
    std::string pattern = (fs::temp_directory_path() / ("hydra-" + name + "-XXXXXX")).string();
    path_ = fs::canonical(::mkdtemp(pattern.data()));
    fs::permissions(path_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  }
  BackendPlace(const BackendPlace&) = delete;
  BackendPlace& operator=(const BackendPlace&) = delete;
  ~BackendPlace() { (void)remove_tree(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline ToolOutput run_backend(std::vector<std::string> argv) {
  ToolCall call;
  call.argv = std::move(argv);
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string variable = *at;
    call.env.emplace_back(variable.substr(0, variable.find('=')), variable.substr(variable.find('=') + 1));
  }
  auto output = run_tool(call);
  if (output.ok()) return *output;
  return {127, "", output.error().message};
}

/// An engine with an image that has nothing but the places where the machine's own programs are bound.
class ContainerBackend {
 public:
  explicit ContainerBackend(Isolation kind) : kind_(kind), place_(std::string(name(kind))) {
    problem_ = kind == Isolation::podman ? prepare_podman() : "";
    if (problem_.empty()) problem_ = import();
    if (!problem_.empty()) return;
    ImageWanted wanted;
    wanted.engine = kind;
    wanted.image = "hydra-conformance:1";
    wanted.shim = fs::path(places::binaries()) / "hydra-shim";
    const auto resolved = resolve_image(wanted);
    if (resolved.ok())
      image_ = *resolved;
    else
      problem_ = describe(resolved.error());
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const std::string& image() const { return image_; }
  static std::vector<Bind> binds() {
    return {{"/usr", "/usr", false, false}, {"/etc/alternatives", "/etc/alternatives", false, true}};
  }

 private:
  /// Storage of its own; limits and control groups as a machine without rights allows them.
  std::string prepare_podman() {
    const auto& dir = place_.path();
    const bool runc = !find_program("runc", "/usr/local/bin:/usr/bin:/bin:/usr/sbin").empty();
    std::ofstream(dir / "containers.conf")
        << "[engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"none\"\n"
        << (runc ? "runtime = \"runc\"\n" : "")
        << "[containers]\ndefault_ulimits = [\"nofile=1024:1024\", \"nproc=4096:4096\"]\n";
    std::ofstream(dir / "storage.conf")
        << "[storage]\ndriver = \"vfs\"\ngraphroot = \"" << (dir / "s").string() << "\"\nrunroot = \""
        << (dir / "r").string() << "\"\n";
    ::setenv("CONTAINERS_CONF", (dir / "containers.conf").c_str(), 1);
    ::setenv("CONTAINERS_STORAGE_CONF", (dir / "storage.conf").c_str(), 1);
    return {};
  }
  std::string import() {
    const auto root = place_.path() / "root";
    for (const char* at : {"usr", "etc", "proc", "dev", "sys", "tmp", "run", "home", "root", "var"})
      fs::create_directories(root / at);
    for (const char* link : {"bin", "sbin", "lib", "lib64"})
      fs::create_symlink(fs::path("usr") / link, root / link);
    const auto tar = (place_.path() / "image.tar").string();
    auto made = run_backend({"tar", "-C", root.string(), "-cf", tar, "."});
    if (made.ok()) made = run_backend({std::string(name(kind_)), "import", tar, "hydra-conformance:1"});
    return made.ok() ? std::string() : std::string(name(kind_)) + " can't be used here: " + made.err;
  }

  Isolation kind_;
  BackendPlace place_;
  std::string problem_, image_;
};

inline ContainerBackend& container_backend(Isolation kind) {
  static std::unique_ptr<ContainerBackend> podman, docker;
  auto& backend = kind == Isolation::docker ? docker : podman;
  if (!backend) backend = std::make_unique<ContainerBackend>(kind);
  return *backend;
}

/// Three nodes on this machine (tools/private-slurm), for as long as the process lives.
class SlurmBackend {
 public:
  SlurmBackend() : place_("slurm") {
    ::setenv("HYDRA_SLURM_PORT", std::to_string(20000 + ::getpid() % 2000 * 10).c_str(), 1);
    fs::create_directory(hidden());
    ::setenv("HYDRA_SLURM_HIDE", hidden().c_str(), 1);
    const auto up = run_backend({script(), "up", place_.path().string(), "3"});
    if (!up.ok()) problem_ = "no private Slurm can be started here: " + up.err;
    ::setenv("SLURM_CONF", (place_.path() / "slurm.conf").c_str(), 1);
  }
  SlurmBackend(const SlurmBackend&) = delete;
  SlurmBackend& operator=(const SlurmBackend&) = delete;
  ~SlurmBackend() { run_backend({script(), "down", place_.path().string()}); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const fs::path& place() const { return place_.path(); }
  /// Of this machine: in its place each node has a disk of its own, of one MiB.
  [[nodiscard]] fs::path hidden() const { return place() / "hidden"; }
  static std::string script() { return (fs::path(places::source()) / "tools/private-slurm").string(); }

 private:
  BackendPlace place_;
  std::string problem_;
};

inline SlurmBackend& slurm_backend() {
  static SlurmBackend backend;
  return backend;
}

}  // namespace hydra::exec::test
