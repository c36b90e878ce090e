// exec: containers of podman and docker. The one place that knows their flags. A container is a sandbox as
// bubblewrap's: the same binds at the same paths, the supervisor outside and its second stage as PID 1 inside
// (shim/door.hpp); only what is not bound comes from an image.
#pragma once

#include "base/result.hpp"
#include "exec/bwrap.hpp"
#include "exec/job.hpp"

#include <chrono>
#include <string>
#include <unistd.h>
#include <vector>

namespace hydra::exec {

/// podman or docker.
bool is_container(Isolation isolation);

/// The complete command that runs a job in its container; `sandbox.image` names the image.
Result<std::vector<std::string>> container_argv(const JobSpec& spec, const BwrapHost& host);
/// What removes a container whose client was killed.
std::vector<std::string> container_clear_up(const JobSpec& spec);
/// NAME=VALUE: the variables of this process that the engine's client needs, and no others.
std::vector<std::string> container_environment();

/// "podman version 4.3.1", where it answers; else what is missing, with a remedy. Blocking.
Result<std::string> check_engine(Isolation engine);

struct ImageWanted {
  Isolation engine = Isolation::podman;
  std::string image;       ///< a name; empty: `containerfile`
  fs::path containerfile;  ///< built with its directory as context
  fs::path shim;  ///< hydra-shim of this machine: run once in the image, or nothing would say why it can't
  std::chrono::milliseconds patience{600000};     ///< for a pull or a build
  unsigned uid = ::geteuid(), gid = ::getegid();  ///< as whom its jobs run
};

/// The image's id, "sha256:…": pulled or built where that is needed, and tried. `environment` names what is
/// missing, with a remedy: no engine, no daemon, no ids for a user without root, an image that can't be had.
/// Blocking.
Result<std::string> resolve_image(const ImageWanted& wanted);

}  // namespace hydra::exec
