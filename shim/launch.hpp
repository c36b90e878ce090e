// hydra-shim: pipes and the fork of the payload (or of bwrap around it).
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
  int out = -1;    ///< read ends; -1 where there is none
  int err = -1;
  int status = -1;       ///< Reports arrive here
  int wrapper_log = -1;  ///< what bwrap itself says (a file in memory)
  Handed handed{};       ///< of a container: the other ends, until it has come for them
};

/// Whoever starts containers needs the user's own variables, and gets none of the payload's secrets.
void use_environment(const std::vector<std::string>& variables);
/// Closes them.
void let_go(const Handed& handed);

/// The attempt's overlay file systems. Called in the child, before exec: enters a mount namespace of its own
/// and mounts them there, so that nobody has to unmount them: they end with the last process of the attempt,
/// however it ends. Empty, or a sentence that says what failed and where. Leaves a lock on each upper
/// directory open, without close-on-exec, for whoever comes next.
std::string mount_overlays(const Spec& spec);

/// Starts it. False with a sentence in `problem` when the payload can't have run.
bool launch(const Spec& spec, Cgroups& cgroups, Launched& launched, std::string& problem);

}  // namespace shim
