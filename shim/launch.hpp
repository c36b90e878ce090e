// hydra-shim: makes the pipes and forks the payload (or bwrap around it).
#pragma once

#include "cgroup.hpp"
#include "door.hpp"
#include "spec.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

struct Launched {
  pid_t pid = -1;  ///< the payload, or bwrap
  int out = -1;    ///< read ends; -1: none
  int err = -1;
  int status = -1;       ///< Reports arrive here
  int wrapper_log = -1;  ///< bwrap's own messages (a file in memory)
  Handed handed{};       ///< container only: the other ends, until the second stage has fetched them
};

/// Sets the user's own variables, which the program that starts containers needs; it gets none of the
/// payload's secrets.
void use_environment(const std::vector<std::string>& variables);
/// Closes the descriptors.
void let_go(const Handed& handed);

/// Mounts the attempt's overlays. Called in the child before exec: enters a new mount namespace and mounts
/// there, so that the mounts end with the last process of the attempt and need no unmounting. Returns empty,
/// or a sentence with the failure and its place. Leaves a lock on each upper directory open, without
/// close-on-exec, for the programs that follow.
std::string mount_overlays(const Spec& spec);

/// Mounts the machine's device nodes read-only, for root's sandboxes: a file's owner may change mode and
/// times through any bind, and writing to a device needs no writable mount. Called in the child before exec,
/// after mount_overlays(); without the right to mount nothing changes.
void guard_devices(const Spec& spec);

/// Starts the payload. False with a sentence in `problem`: the payload can't have run.
bool launch(const Spec& spec, Cgroups& cgroups, Launched& launched, std::string& problem);

}  // namespace shim
