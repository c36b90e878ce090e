// exec: containers of podman and docker; only this file knows their flags. A container is a sandbox like
// bubblewrap's, with equal binds at equal paths, the supervisor outside and its second stage as PID 1 inside
// (shim/door.hpp); an image provides everything that is not bound.
#pragma once

#include "base/result.hpp"
#include "exec/bwrap.hpp"
#include "exec/job.hpp"

#include <chrono>
#include <string>
#include <unistd.h>
#include <vector>

namespace hydra::exec {

/// Returns true for podman and docker.
bool is_container(Isolation isolation);

/// The complete command that runs a job in its container; `sandbox.image` names the image.
Result<std::vector<std::string>> container_argv(const JobSpec& spec, const BwrapHost& host);
/// Command that removes a container whose client was killed.
std::vector<std::string> container_clear_up(const JobSpec& spec);
/// NAME=VALUE: only the variables of this process that the engine's client needs.
std::vector<std::string> container_environment();

/// Returns "podman version 4.3.1" when the engine answers; otherwise an Error with a remedy. Blocking.
Result<std::string> check_engine(Isolation engine);

struct ImageWanted {
  Isolation engine = Isolation::podman;
  std::string image;       ///< name; empty: use `containerfile`
  fs::path containerfile;  ///< built with its directory as context
  /// hydra-shim of this machine, started once in the image, since only that shows why it can't run there
  fs::path shim;
  std::chrono::milliseconds patience{600000};     ///< deadline of a pull or a build
  unsigned uid = ::geteuid(), gid = ::getegid();  ///< ids of the image's jobs
};

/// Returns the image's id, "sha256:…", after a pull or build if needed, and a trial start. `environment`,
/// with a remedy: no engine, daemon, ids for an unprivileged user, or image. Blocking.
Result<std::string> resolve_image(const ImageWanted& wanted);

}  // namespace hydra::exec
